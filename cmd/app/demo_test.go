package app

import (
	"net/http"
	"net/http/httptest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The demonstration", func() {
	get := func(a *App, method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		a.Public.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w
	}

	It("is not there unless it was asked for", func(ctx SpecContext) {
		Expect(get(opened(ctx), http.MethodGet, "/").Code).To(Equal(404))
	})

	It("is a few pages with a form and the client", func(ctx SpecContext) {
		a := opened(ctx, func(c *Config) { c.Demo = true })
		for _, path := range []string{"/", "/pruning", "/cider", "/contact", "/thanks"} {
			w := get(a, http.MethodGet, path)
			Expect(w.Code).To(Equal(200), path)
			Expect(w.Header().Get("Content-Type")).To(HavePrefix("text/html"))
			Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
			Expect(w.Body.String()).To(ContainSubstring(`src="/capture.js"`))
		}
		Expect(get(a, http.MethodGet, "/contact").Body.String()).To(ContainSubstring("data-continuity-form"))
		Expect(get(a, http.MethodPost, "/thanks").Header().Get("Location")).To(Equal("/thanks"))
		Expect(get(a, http.MethodGet, "/nothing").Body.String()).To(HavePrefix(`{"error"`))
		Expect(get(a, http.MethodGet, "/v1/append").Code).To(Equal(405))
	})
})
