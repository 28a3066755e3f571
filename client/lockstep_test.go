package client_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

type vector struct {
	Name   string          `json:"name"`
	Steps  json.RawMessage `json:"steps"`
	Expect json.RawMessage `json:"expect"`
}

type outcome struct {
	Requests []struct {
		Path string `json:"path"`
		Body string `json:"body"`
	} `json:"requests"`
	Local map[string]string `json:"local"`
	Tab   map[string]string `json:"tab"`
}

// The same vectors as client/capture's, on the very files that are served.
var _ = Describe("the two builds, in a browser", Ordered, func() {
	var (
		page context.Context
		all  struct {
			Vectors []vector `json:"vectors"`
		}
	)
	BeforeAll(func() {
		raw, err := os.ReadFile("capture/testdata/vectors.json")
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(raw, &all)).To(Succeed())
		world, err := os.ReadFile("testdata/world.js")
		Expect(err).NotTo(HaveOccurred())
		site := http.NewServeMux()
		site.Handle("/", client.Handler())
		site.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><meta charset=utf-8><script>" + string(world) + "</script>"))
		})
		server := httptest.NewServer(site)
		DeferCleanup(server.Close)
		browser := chromium()
		var end context.CancelFunc
		page, end = chromedp.NewContext(browser)
		DeferCleanup(end)
		Expect(chromedp.Do(page, chromedp.Navigate(server.URL))).To(Succeed())
	})
	play := func(build string) {
		for _, v := range all.Vectors {
			vectorJSON, err := json.Marshal(v)
			Expect(err).NotTo(HaveOccurred())
			script := fmt.Sprintf(`(async () => playVector(%s, %s))()`, vectorJSON, build)
			seen, err := chromedp.Run(page, chromedp.Evaluate[outcome](script, chromedp.EvalAwaitPromise))
			Expect(err).NotTo(HaveOccurred(), v.Name)
			Expect(shortened(seen)).To(MatchJSON(v.Expect), v.Name)
		}
	}
	It("capture.js sends the same bytes as the Go", func() {
		play(`builds.js(await (await fetch("/capture.js")).text())`)
	})
	It("the WASM sends the same bytes as the Go", func() {
		if client.Hashed(client.WASM) == client.WASM {
			Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs capture.wasm: go run ./cmd/bundle -wasm")
			Skip("capture.wasm is not built: go run ./cmd/bundle -wasm")
		}
		play(`builds.wasm(await (await fetch("/capture-wasm.js")).text(), await (window.program ||= WebAssembly.compileStreaming(fetch("/capture.wasm"))))`)
	})
})

// shortened puts a hash where a value is too long to read, as the vectors do.
func shortened(o outcome) []byte {
	short := func(s string) string {
		if len(s) <= 6000 {
			return s
		}
		sum := sha256.Sum256([]byte(s))
		return fmt.Sprintf("%d bytes, sha256 %s", len(s), hex.EncodeToString(sum[:]))
	}
	for i := range o.Requests {
		o.Requests[i].Body = short(o.Requests[i].Body)
	}
	if len(o.Local) > 20 {
		lot, err := json.Marshal(o.Local)
		Expect(err).NotTo(HaveOccurred())
		o.Local = map[string]string{"": short(string(lot))}
	}
	raw, err := json.Marshal(o)
	Expect(err).NotTo(HaveOccurred())
	return raw
}
