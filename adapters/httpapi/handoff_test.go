package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/ports/access"
)

var _ = Describe("A mint over HTTP", func() {
	const body = `{"destination":"portal.example.net","session":"s","events":[{"id":"e1"}]}`
	var s *site
	BeforeEach(func() { s = newSite() })
	mint := func(body string, edits ...edit) *httptest.ResponseRecorder {
		GinkgoHelper()
		return s.send(http.MethodPost, "/v1/handoffs", body, edits...)
	}

	It("answers a token and its time, and nothing else, and gives a new device its cookie", func() {
		w := mint(body)
		Expect(w.Code).To(Equal(201))
		Expect(w.Body.String()).To(MatchRegexp(`^{"token":"[A-Za-z0-9_-]{24}","expires_at":"2026-05-01T12:01:00.000Z"}\n$`))
		Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
		Expect(w.Header().Get("Set-Cookie")).To(MatchRegexp(`^bwlai_vk=[A-Za-z0-9_-]{22}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax$`))
		Expect(s.changes[0].Anchors[0].Status).To(Equal(identity.Held))
	})

	It("sets a known device's cookie again", func() {
		Expect(mint(body, carrying(keyOfAna)).Header().Get("Set-Cookie")).To(HavePrefix("bwlai_vk=" + keyOfAna + ";"))
	})

	It("refuses a destination that is not listed, and changes nothing", func() {
		for _, destination := range []string{"portal.example.net.evil.example", "sub.portal.example.net", "Portal.example.net", "localhost"} {
			w := mint(strings.Replace(body, "portal.example.net", destination, 1), carrying(unknown))
			beARefusal(w, 422, "unlisted")
			Expect(w.Body.String()).NotTo(ContainSubstring("evil"))
		}
		Expect(s.changes).To(BeEmpty())
	})

	It("refuses a destination that is none", func() {
		for _, broken := range []string{`{}`, `{"destination":null}`, `{"destination":7}`, `{"destination":""}`,
			`{"destination":"portal.example.net","destination":"portal.example.net"}`} {
			beARefusal(mint(broken), 400, "invalid")
		}
	})

	It("stores nothing for a visitor who is not to be recognised, and lets the key go", func() {
		s.RespectGPC = true
		w := mint(body, carrying(keyOfAna), with("Sec-GPC", "1"))
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header().Get("Set-Cookie")).To(HavePrefix("bwlai_vk=; Max-Age=0;"))
		Expect(s.changes).To(BeEmpty())
	})

	It("is a POST: what only looks at a link uses nothing up", func() {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, path := range []string{"/v1/handoffs", "/v1/handoffs/claim"} {
				Expect(s.send(method, path, "").Code).To(Equal(405))
			}
		}
	})
})

var _ = Describe("A claim over HTTP", func() {
	var s *site
	var token string
	BeforeEach(func() {
		s = newSite()
		var minted struct{ Token string }
		w := s.send(http.MethodPost, "/v1/handoffs", `{"destination":"portal.example.net"}`)
		Expect(json.Unmarshal(w.Body.Bytes(), &minted)).To(Succeed())
		token = minted.Token
	})
	claim := func(origin, body string, edits ...edit) *httptest.ResponseRecorder {
		GinkgoHelper()
		edits = append(edits, without("Origin"), without("Sec-Fetch-Site"), func(r *http.Request) {
			if origin != "" {
				r.Header.Set("Origin", origin)
			}
		})
		return s.send(http.MethodPost, "/v1/handoffs/claim", strings.Replace(body, "TOKEN", token, 1), edits...)
	}
	const body = `{"token":"TOKEN","claim":"c1","session":"p","events":[{"id":"e1"}]}`

	It("writes only: no body, no cookie, no credentials", func() {
		w := claim("https://portal.example.net", body, carrying(keyOfAna))
		Expect(w.Code).To(Equal(204), w.Body.String())
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://portal.example.net"))
		Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Credentials"))
		Expect(w.Header().Values("Vary")).To(ContainElement("Origin"))
		Expect(s.recorded()[0].Anchor).To(Equal(identity.AnchorID(11)), "the device that minted, whatever cookie came along")
	})

	It("is gone alike for another browser, another destination and another token", func() {
		Expect(claim("https://portal.example.net", body).Code).To(Equal(204))
		refusals := map[string]bool{}
		for _, w := range []*httptest.ResponseRecorder{
			claim("https://portal.example.net", strings.Replace(body, "c1", "c2", 1)),
			claim("http://localhost:8082", body),
			claim("https://portal.example.net", strings.Replace(body, "TOKEN", "AAAAAAAAAAAAAAAAAAAAAAAA", 1)),
			claim("https://portal.example.net", strings.Replace(body, "TOKEN", "x", 1)),
		} {
			beARefusal(w, 410, "gone")
			Expect(w.Header()).To(HaveKey("Access-Control-Allow-Origin"))
			refusals[w.Body.String()] = true
		}
		Expect(refusals).To(HaveLen(1))
	})

	DescribeTable("is accepted from no page but a destination's", func(origin string) {
		w := claim(origin, body)
		beARefusal(w, 403, "forbidden")
		Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
		Expect(claim("https://portal.example.net", body).Code).To(Equal(204), "and nothing was used up")
	},
		Entry("our own", "https://www.example.org"),
		Entry("a sub-domain", "https://sub.portal.example.net"),
		Entry("without TLS", "http://portal.example.net"),
		Entry("another port", "https://portal.example.net:8443"),
		Entry("null", "null"),
		Entry("nowhere", ""),
	)

	It("decides a preflight for destinations alone, and does not claim by it", func() {
		ask := []edit{with("Access-Control-Request-Method", "POST"), with("Access-Control-Request-Headers", "content-type"), without("Sec-Fetch-Site")}
		for origin, status := range map[string]int{"https://portal.example.net": 204, "http://localhost:8082": 204, "https://evil.example": 403} {
			w := s.send(http.MethodOptions, "/v1/handoffs/claim", "", append(ask, without("Origin"), with("Origin", origin))...)
			Expect(w.Code).To(Equal(status), origin)
			Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Credentials"))
			if status == 204 {
				Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal(origin))
				Expect(w.Header().Get("Access-Control-Allow-Methods")).To(Equal("POST"))
			}
		}
		Expect(s.handoff.Bound()).To(BeFalse())
	})

	It("is refused by the name of the field that is wrong", func() {
		for field, body := range map[string]string{
			"token: ":  `{"claim":"c"}`,
			"token:":   `{"token":7,"claim":"c"}`,
			"claim: ":  `{"token":"TOKEN"}`,
			"claim:":   `{"token":"TOKEN","claim":""}`,
			"events: ": `{"token":"TOKEN","claim":"c","events":{}}`,
		} {
			w := claim("https://portal.example.net", body)
			beARefusal(w, 400, "invalid")
			Expect(w.Body.String()).To(ContainSubstring(`"message":"` + strings.TrimSpace(field)))
		}
	})

	It("binds nothing for a visitor who is not to be recognised", func() {
		s.RespectGPC = true
		w := claim("https://portal.example.net", body, with("Sec-GPC", "1"))
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.Len()).To(BeZero())
		Expect(s.handoff.Bound()).To(BeFalse())
	})

	Context("and then its server", func() {
		ask := func(path, body string, caller access.Token) *httptest.ResponseRecorder {
			api := handoffAPI{service: s.Handoffs}
			routes := map[string]handler{"redeem": api.redeem, "confirm": api.confirm}
			r := httptest.NewRequest(http.MethodPost, "/v1/handoffs/"+path, strings.NewReader(strings.Replace(body, "TOKEN", token, 1)))
			w := httptest.NewRecorder()
			routes[path].ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, caller)))
			return w
		}
		portal := access.Token{Destination: "portal.example.net"}

		It("is told events, and nothing of whose they are", func() {
			claim("https://portal.example.net", `{"token":"TOKEN","claim":"c1","session":"p","events":[{"id":"e1","kind":"page_view",
				"url":"https://portal.example.net/a?utm_source=x","title":"A","props":{"n":1}}]}`)
			w := ask("redeem", `{"token":"TOKEN","claim":"c1"}`, portal)
			Expect(w.Code).To(Equal(200))
			Expect(w.Body.String()).To(MatchJSON(`{"events":[{"event_id":"e1","occurred_at":"2026-05-01T12:00:00.000Z",
				"received_at":"2026-05-01T12:00:00.000Z","source":"claim","kind":"page_view","url":"https://portal.example.net/a?utm_source=x",
				"title":"A","referrer":"","campaign":{"utm_source":"x"},"props":{"n":1}}]}`))
			Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
		})

		It("is told nothing without a destination, for another one, or for another browser", func() {
			claim("https://portal.example.net", body)
			beARefusal(ask("redeem", `{"token":"TOKEN","claim":"c1"}`, access.Token{}), 403, "forbidden")
			beARefusal(ask("confirm", `{"token":"TOKEN","claim":"c1","id":"f","identity":{"email":"ana@example.org"}}`, access.Token{}), 403, "forbidden")
			beARefusal(ask("redeem", `{"token":"TOKEN","claim":"c1"}`, access.Token{Destination: "shop.example.net"}), 410, "gone")
			beARefusal(ask("redeem", `{"token":"TOKEN","claim":"c2"}`, portal), 410, "gone")
			beARefusal(ask("redeem", `{"token":"TOKEN"}`, portal), 400, "invalid")
		})

		It("confirms an identity with its form, and brings no events of its own", func() {
			w := ask("confirm", `{"token":"TOKEN","claim":"c1","id":"f1","form":"apply","identity":{"email":"Ana@example.org","name":"Ana"},
				"fields":{"plan":"pro"},"session":"x","events":[{"id":"e9"}]}`, portal)
			Expect(w.Code).To(Equal(204), w.Body.String())
			Expect(w.Body.Len()).To(BeZero())
			submission := s.changes[len(s.changes)-1].Submissions[0]
			Expect(submission.Anchor).To(Equal(identity.AnchorID(11)))
			Expect(submission.Form).To(Equal("apply"))
			Expect(submission.Fields).To(Equal(`{"plan":"pro"}`))
			Expect(s.recorded()).To(BeEmpty())
		})

		It("is refused what is wrong with a confirm, by its name", func() {
			beARefusal(ask("confirm", `{"claim":"c1","id":"f1","identity":{"email":"ana@example.org"}}`, portal), 400, "invalid")
			beARefusal(ask("confirm", `{"token":"TOKEN","claim":"c1","identity":{"email":"ana@example.org"}}`, portal), 400, "invalid")
			beARefusal(ask("confirm", `{"token":"TOKEN","claim":"c1","id":"f1","identity":{"email":"ana"}}`, portal), 422, "identity_rejected")
			beARefusal(ask("confirm", `{"token":"TOKEN","claim":"c1","id":"f1"}`, portal), 422, "identity_rejected")
			Expect(s.handoff.Bound()).To(BeFalse())
		})
	})
})
