package client

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	shortLived = "public, max-age=3600"
	immutable  = "public, max-age=31536000, immutable"
)

// asset is one embedded file. Without a hash it was not built.
type asset struct {
	name, contentType, hash string
	variants                map[string][]byte // by content coding
}

func load(name, contentType string) asset {
	a := asset{name: name, contentType: contentType, variants: map[string][]byte{}}
	for coding, extension := range map[string]string{brotli: ".br", gzipped: ".gz"} {
		if data, err := dist.ReadFile("dist" + name + extension); err == nil {
			a.variants[coding] = data
		}
	}
	if len(a.variants) < 2 {
		return a
	}
	sum := sha256.Sum256(a.variants[gzipped])
	a.hash = hex.EncodeToString(sum[:6])
	return a
}

// serve answers with the variant that the caller likes best.
func (a asset) serve(cacheControl string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "method_not_allowed", "this file can be read only")
			return
		}
		if a.hash == "" {
			refuse(w, http.StatusNotFound, "not_built", "this binary was built without "+strings.TrimPrefix(a.name, "/"))
			return
		}
		w.Header().Set("Vary", "Accept-Encoding")
		coding := negotiate(r.Header.Values("Accept-Encoding"))
		if coding == "" {
			refuse(w, http.StatusNotAcceptable, "not_acceptable", "br, gzip and identity are what there is")
			return
		}
		a.write(w, r, coding, cacheControl)
	}
}

func (a asset) write(w http.ResponseWriter, r *http.Request, coding, cacheControl string) {
	head := w.Header()
	etag := `"` + a.hash + "-" + coding + `"`
	head.Set("ETag", etag)
	head.Set("Cache-Control", cacheControl)
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if matches(r.Header.Values("If-None-Match"), etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body, err := a.variant(coding)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "internal", "the embedded file cannot be read")
		return
	}
	if coding != identity {
		head.Set("Content-Encoding", coding)
	}
	head.Set("Content-Type", a.contentType)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the caller has gone, there is nobody to tell
	}
}

func (a asset) variant(coding string) ([]byte, error) {
	if coding != identity {
		return a.variants[coding], nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(a.variants[gzipped]))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(packed)
}

// refuse answers with a bare error that no cache keeps.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Del("ETag")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, `{"error":{"code":"`+code+`","message":"`+message+`"}}`+"\n")
}
