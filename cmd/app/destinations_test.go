package app

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/ports/access"
)

var _ = Describe("The servers of destinations", func() {
	const ticket = `{"token":"AAAAAAAAAAAAAAAAAAAAAAAA","claim":"c1","id":"f1","identity":{"email":"ana@example.org"}}`

	It("need a token with the scope, made for a destination", func(ctx SpecContext) {
		a := opened(ctx)
		stranger := ownerOf(ctx, a, everything...)
		for _, path := range []string{"/v1/handoffs/redeem", "/v1/handoffs/confirm"} {
			Expect(owner{app: a}.ask(http.MethodPost, path, ticket).Code).To(Equal(401))
			Expect(stranger.ask(http.MethodPost, path, ticket).Code).To(Equal(403))
		}
		token, secret, err := a.Access.CreateFor(ctx, "portal", []access.Scope{access.Handoffs}, "Portal.example.net")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(token.Destination)).To(Equal("portal.example.net"))
		portal := owner{app: a, secret: secret}
		Expect(portal.ask(http.MethodPost, "/v1/handoffs/redeem", ticket).Code).To(Equal(410))
		Expect(portal.ask(http.MethodPost, "/v1/handoffs/confirm", ticket).Code).To(Equal(204))
		Expect(portal.ask(http.MethodGet, "/v1/leads", "").Code).To(Equal(403))
	})

	It("get no token for a destination that is none, and nobody else gets one with a destination", func(ctx SpecContext) {
		a := opened(ctx)
		for _, destination := range []string{"", "https://portal.example.net", "*.example.net", "verify.invalid"} {
			_, _, err := a.Access.CreateFor(ctx, "portal", []access.Scope{access.Handoffs}, destination)
			Expect(fault.CodeOf(err)).To(Equal(fault.Invalid), destination)
			Expect(err).To(MatchError(ContainSubstring("destination")))
		}
		_, _, err := a.Access.CreateFor(ctx, "crm", everything, "portal.example.net")
		Expect(fault.CodeOf(err)).To(Equal(fault.Invalid))
	})

	It("are told nothing, and bring nobody a device, where nobody is to be recognised", func(ctx SpecContext) {
		a := opened(ctx, func(c *Config) { c.Appends, c.Destinations = false, []string{"portal.example.net"} })
		r := httptest.NewRequest(http.MethodPost, "/v1/handoffs", strings.NewReader(`{"destination":"portal.example.net"}`))
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := httptest.NewRecorder()
		a.Public.ServeHTTP(w, r)
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		_, secret, err := a.Access.CreateFor(ctx, "portal", []access.Scope{access.Handoffs}, "portal.example.net")
		Expect(err).NotTo(HaveOccurred())
		Expect(owner{app: a, secret: secret}.ask(http.MethodPost, "/v1/handoffs/redeem", ticket).Code).To(Equal(410))
		Expect(owner{app: a, secret: secret}.ask(http.MethodPost, "/v1/handoffs/confirm", ticket).Code).To(Equal(204))
		lead, err := a.Reporting.Find(ctx, "ana@example.org")
		Expect(err).NotTo(HaveOccurred())
		Expect(lead.Anchors).To(BeZero())
	})
})
