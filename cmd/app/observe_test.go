package app

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/limit"
)

var _ = Describe("What a node tells Prometheus", func() {
	ask := func(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
		GinkgoHelper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}

	It("counts requests, refusals, limits and commits, under names of our own alone", func(ctx SpecContext) {
		a := opened(ctx, func(c *Config) { c.RateNewPerIP = limit.Rate{Count: 2, Per: day.Duration()} })
		for _, email := range []string{"ana@example.org", "ben@example.org", "cleo@example.org"} {
			ask(a.Public, http.MethodPost, "/v1/submissions", `{"id":"s","identity":{"email":"`+email+`"},"events":[{"id":""}]}`)
		}
		ask(a.Public, http.MethodPost, "/v1/append", `{`)
		ask(a.Public, "BREW", "/secret-path-of-somebody", "")
		told := ask(a.Private, http.MethodGet, "/metrics", "").Body.String()
		for _, line := range []string{
			`continuity_requests_total{interface="public",method="POST",route="/v1/submissions",status="204"} 2`,
			`continuity_requests_total{interface="public",method="other",route="",status="404"} 1`,
			`continuity_refusals_total{code="rate_limited",interface="public"} 1`,
			`continuity_refusals_total{code="invalid",interface="public"} 1`,
			`continuity_limited_total{limit="new"} 1`,
			`continuity_skipped_events_total 2`,
			`continuity_batch_requests_sum 2`,
			`continuity_commit_seconds_count 2`,
			`continuity_queue_requests 0`,
			`continuity_pruned_total 0`,
			`continuity_candidates_total 0`,
			`continuity_shared_anchors_total 0`,
			`continuity_rate_store_away 0`,
		} {
			Expect(told).To(ContainSubstring(line + "\n"))
		}
		Expect(told).NotTo(Or(ContainSubstring("secret-path"), ContainSubstring("BREW"), ContainSubstring("example.org")))
	})

	It("counts people who meet on one device", func(ctx SpecContext) {
		a := opened(ctx)
		first := ask(a.Public, http.MethodPost, "/v1/submissions", `{"id":"s1","identity":{"email":"ana@example.org"}}`)
		key := first.Result().Cookies()[0].Value
		for range 2 {
			r := httptest.NewRequest(http.MethodPost, "/v1/submissions", strings.NewReader(`{"id":"s2","identity":{"email":"ben@example.org"}}`))
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.Header.Set("Cookie", "bwlai_vk="+key)
			a.Public.ServeHTTP(httptest.NewRecorder(), r)
		}
		told := ask(a.Private, http.MethodGet, "/metrics", "").Body.String()
		Expect(told).To(And(ContainSubstring("continuity_candidates_total 1\n"), ContainSubstring("continuity_shared_anchors_total 1\n")))
	})

	It("is ready while the database answers, and not when it is gone", func(ctx SpecContext) {
		a := opened(ctx)
		w := ask(a.Private, http.MethodGet, "/readyz", "")
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.String()).To(ContainSubstring("ready"))
		Expect(a.db.Close()).To(Succeed())
		Expect(ask(a.Private, http.MethodGet, "/readyz", "").Code).To(Equal(503))
	})
})
