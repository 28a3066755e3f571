package features_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
	"continuity/ports/access"
)

var _ = Describe("The private interface", func() {
	// routes are all of it, each with the scope that it needs.
	routes := map[access.Scope][]string{
		access.LeadsRead: {
			"GET /v1/leads", "POST /v1/leads/find", "GET /v1/leads/1", "GET /v1/leads/1/journey", "GET /v1/leads/1/submissions",
			"GET /v1/candidates", "GET /v1/anchors/1",
		},
		access.LeadsWrite:  {"PATCH /v1/leads/1", "POST /v1/anchors/1/resolve"},
		access.Submissions: {"POST /v1/submissions"},
		access.Handoffs:    {"POST /v1/handoffs/redeem", "POST /v1/handoffs/confirm"},
		access.Privacy: {
			"POST /v1/privacy/export", "POST /v1/privacy/erase", "GET /v1/privacy/receipts", "GET /v1/audit",
		},
		access.Trees: {
			"GET /v1/trees", "POST /v1/trees", "GET /v1/trees/metrics", "GET /v1/trees/t", "PATCH /v1/trees/t",
			"GET /v1/trees/t/metrics", "GET /v1/trees/t/qr.svg", "GET /v1/trees/t/qr.png",
		},
	}
	ask := func(way *world.HTTP, route string, body any) int {
		GinkgoHelper()
		method, path, _ := strings.Cut(route, " ")
		return way.Ask(method, path, body, nil)
	}

	It("wants the very scope on every route, and forgets a revoked token at once", func() {
		service := world.Open(world.Config("SQLite"), nil)
		way := world.Listen(service)
		for _, scope := range access.Scopes {
			destination := ""
			if scope == access.Handoffs {
				destination = world.Portal
			}
			token, secret, err := service.Access.CreateFor(GinkgoT().Context(), "of one scope", []access.Scope{scope}, destination)
			Expect(err).NotTo(HaveOccurred())
			way.Token = secret
			for needed, all := range routes {
				for _, route := range all {
					refused := ask(way, route, map[string]string{}) == http.StatusForbidden
					Expect(refused).To(Equal(needed != scope), "%s with %s", route, scope)
				}
			}
			Expect(service.Access.Revoke(GinkgoT().Context(), token.ID)).To(Succeed())
			Expect(ask(way, routes[scope][0], map[string]string{})).To(Equal(http.StatusUnauthorized))
		}
		way.Token = "ctk_nobody"
		Expect(ask(way, "GET /v1/leads", nil)).To(Equal(http.StatusUnauthorized))
	})

	It("notes every read of an identity and every act on one, and none of the content", func() {
		service := world.Open(world.Config("SQLite"), nil)
		way := world.Listen(service)
		way.Submit(nil, world.Form{ID: "f", Email: "zephyrine@example.org", Name: "Quillfeather"})
		lead, _ := way.Find("zephyrine@example.org")
		way.Journey(lead.ID)
		way.Submissions(lead.ID)
		way.Export("zephyrine@example.org")
		receipt := way.Erase("zephyrine@example.org", false)
		notes, err := service.Access.Notes(GinkgoT().Context(), 0, 100)
		Expect(err).NotTo(HaveOccurred())
		var lines []string
		for _, n := range notes {
			Expect(n.Who).To(HavePrefix("stories ("))
			Expect(n.Who + n.What + n.Subject).NotTo(MatchRegexp("(?i)zephyrine|quillfeather"))
			lines = append(lines, n.What+" "+n.Subject)
		}
		Expect(lines).To(Equal([]string{
			"POST /v1/privacy/erase receipt " + receipt.ID, "POST /v1/privacy/erase erasure",
			"POST /v1/privacy/export lead " + lead.ID,
			"GET /v1/leads/{id}/submissions lead " + lead.ID, "GET /v1/leads/{id}/journey lead " + lead.ID,
			"POST /v1/leads/find lead " + lead.ID,
		}))
		var body struct{ Audit []struct{ What string } }
		Expect(way.Ask(http.MethodGet, "/v1/audit?limit=3", nil, &body)).To(Equal(http.StatusOK))
		Expect(body.Audit).To(HaveLen(3))
	})
})
