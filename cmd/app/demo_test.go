package app

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/app/demo"
	"continuity/domain/handoff"
	"continuity/domain/journey"
	"continuity/ports/handingoff"
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
			Expect(w.Body.String()).To(ContainSubstring(`src="/capture.js" data-destinations="127.0.0.1:8082"`))
		}
		Expect(get(a, http.MethodGet, "/contact").Body.String()).To(ContainSubstring("data-continuity-form"))
		Expect(get(a, http.MethodPost, "/thanks").Header().Get("Location")).To(Equal("/thanks"))
		Expect(get(a, http.MethodGet, "/nothing").Body.String()).To(HavePrefix(`{"error"`))
		Expect(get(a, http.MethodGet, "/v1/append").Code).To(Equal(405))
	})

	It("hands its visitors off to a portal of another origin, which learns the way they came", func(ctx SpecContext) {
		const at = handoff.Destination("127.0.0.1:8082")
		a := opened(ctx, func(c *Config) { c.Demo = true })
		portal := demo.Portal("http://localhost:8080", at, a.Handoffs)
		minted, err := a.Handoffs.Mint(ctx, handingoff.Visit{}, string(at), handingoff.Beacon{
			Events: []journey.Draft{{ID: "e1", Title: "Pruning in February"}},
		})
		Expect(err).NotTo(HaveOccurred())
		page := httptest.NewRecorder()
		portal.ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/?continuity="+minted.Token.String(), nil))
		Expect(page.Body.String()).To(ContainSubstring(`data-service="http://localhost:8080"`))
		Expect(page.Header().Get("Referrer-Policy")).To(Equal("no-referrer"))
		Expect(page.Body.String()).NotTo(ContainSubstring(minted.Token.String()), "a link preview uses nothing up")

		apply := func(email string) *httptest.ResponseRecorder {
			form := url.Values{"token": {minted.Token.String()}, "claim": {"c1"}, "email": {email}}
			request := httptest.NewRequest(http.MethodPost, "/apply", strings.NewReader(form.Encode()))
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer := httptest.NewRecorder()
			portal.ServeHTTP(answer, request)
			return answer
		}
		Expect(apply("ana").Code).To(Equal(422))
		Expect(apply("ana@example.org").Body.String()).To(ContainSubstring("Pruning in February"))
		lead, err := a.Reporting.Find(ctx, "ana@example.org")
		Expect(err).NotTo(HaveOccurred())
		Expect(lead.Anchors).To(Equal(1))
	})
})
