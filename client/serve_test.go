package client_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/andybalholm/brotli"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

func get(method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	client.Handler().ServeHTTP(w, r)
	Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
	return w
}

var _ = Describe("The client's files", func() {
	It("keep to their budgets", func() {
		size := func(path string) int { return get("GET", path, "Accept-Encoding", "br").Body.Len() }
		Expect(size(client.Script)).To(BeNumerically("<=", 2560))
		Expect(size(client.Loader)).To(BeNumerically("<=", 2816))
		if client.Hashed(client.WASM) == client.WASM {
			Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs capture.wasm: go run ./cmd/bundle -wasm")
			Skip("capture.wasm is not built: go run ./cmd/bundle -wasm")
		}
		Expect(size(client.WASM)).To(BeNumerically("<=", 491_520))
		Expect(get("GET", client.WASM).Body.Len()).To(BeNumerically("<=", 2_200_000))
	})

	It("are the same in every coding", func() {
		plain := get("GET", client.Script)
		Expect(plain.Header()).NotTo(HaveKey("Content-Encoding"))
		Expect(plain.Body.String()).To(ContainSubstring("sendBeacon"))
		unpacked, err := gzip.NewReader(get("GET", client.Script, "Accept-Encoding", "gzip").Body)
		Expect(err).NotTo(HaveOccurred())
		Expect(io.ReadAll(unpacked)).To(Equal(plain.Body.Bytes()))
		small := get("GET", client.Script, "Accept-Encoding", "gzip, deflate, br, zstd")
		Expect(small.Header().Get("Content-Encoding")).To(Equal("br"))
		Expect(io.ReadAll(brotli.NewReader(small.Body))).To(Equal(plain.Body.Bytes()))
	})

	DescribeTable("come in the coding that the caller likes best",
		func(accepted, coding string) {
			w := get("GET", client.Script, "Accept-Encoding", accepted)
			Expect(w.Code).To(Equal(http.StatusOK))
			Expect(w.Header().Get("Content-Encoding")).To(Equal(coding))
			Expect(w.Header().Get("Vary")).To(Equal("Accept-Encoding"))
		},
		Entry("both", "gzip, br", "br"), Entry("gzip alone", "gzip", "gzip"), Entry("nothing", "", ""),
		Entry("what we lack", "zstd", ""), Entry("gzip rather", "br;q=0.5, gzip;q=0.9", "gzip"),
		Entry("anything", "*", "br"), Entry("anything but", "*, br;q=0", "gzip"), Entry("plain rather", "identity, br;q=0.1", ""),
		Entry("refused", "br;q=0, gzip;q=0.000", ""), Entry("in capitals", "BR", "br"), Entry("nonsense", "br;q=x, gzip", "gzip"),
	)

	It("are not acceptable where everything is forbidden", func() {
		Expect(get("GET", client.Script, "Accept-Encoding", "*;q=0").Code).To(Equal(http.StatusNotAcceptable))
	})

	It("are for ever under their hashed names and short-lived under their short ones", func() {
		hashed := client.Hashed(client.Script)
		Expect(hashed).To(MatchRegexp(`^/capture\.[0-9a-f]{12}\.js$`))
		Expect(get("GET", hashed).Header().Get("Cache-Control")).To(Equal("public, max-age=31536000, immutable"))
		Expect(get("GET", client.Script).Header().Get("Cache-Control")).To(Equal("public, max-age=3600"))
		Expect(get("GET", "/capture.000000000000.js").Code).To(Equal(http.StatusNotFound))
	})

	It("are not sent again to who has them", func() {
		tag := get("GET", client.Script, "Accept-Encoding", "br").Header().Get("ETag")
		Expect(get("GET", client.Script, "Accept-Encoding", "br", "If-None-Match", `"x", W/`+tag).Code).To(Equal(http.StatusNotModified))
		Expect(get("GET", client.Script, "Accept-Encoding", "gzip", "If-None-Match", tag).Code).To(Equal(http.StatusOK))
	})

	It("answer HEAD without a body and refuse other methods", func() {
		head := get("HEAD", client.Script, "Accept-Encoding", "br")
		Expect(head.Body.Len()).To(BeZero())
		Expect(head.Header().Get("Content-Length")).NotTo(BeEmpty())
		post := get("POST", client.Script)
		Expect(post.Code).To(Equal(http.StatusMethodNotAllowed))
		Expect(post.Header().Get("Allow")).To(Equal("GET, HEAD"))
		Expect(post.Header().Get("Cache-Control")).To(Equal("private, no-store"))
	})

	It("have the types that a browser insists on, or say why they are not there", func() {
		Expect(get("GET", client.Loader).Header().Get("Content-Type")).To(HavePrefix("text/javascript"))
		w := get("GET", client.WASM)
		if client.Hashed(client.WASM) == client.WASM {
			Expect(w.Code).To(Equal(http.StatusNotFound))
			Expect(w.Body.String()).To(ContainSubstring("built without capture.wasm"))
			return
		}
		Expect(w.Header().Get("Content-Type")).To(Equal("application/wasm"))
		Expect(bytes.HasPrefix(w.Body.Bytes(), []byte("\x00asm"))).To(BeTrue())
	})

	It("keep the notice of the runtime they carry", func() {
		Expect(strings.HasPrefix(get("GET", client.Loader).Body.String(), "/*! wasm_exec.js: Copyright 2018 The Go Authors")).To(BeTrue())
	})
})
