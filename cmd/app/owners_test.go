package app

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/ports/access"
)

// owner asks the private interface with a token of the given scopes.
type owner struct {
	app    *App
	secret string
}

func ownerOf(ctx context.Context, a *App, scopes ...access.Scope) owner {
	GinkgoHelper()
	_, secret, err := a.Access.Create(ctx, "spec", scopes)
	Expect(err).NotTo(HaveOccurred())
	return owner{app: a, secret: secret}
}

func (o owner) ask(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if o.secret != "" {
		r.Header.Set("Authorization", "Bearer "+o.secret)
	}
	w := httptest.NewRecorder()
	o.app.Private.ServeHTTP(w, r)
	return w
}

func (o owner) read(path string, into any) {
	GinkgoHelper()
	w := o.ask(http.MethodGet, path, "")
	Expect(w.Code).To(Equal(200), w.Body.String())
	Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
	Expect(json.Unmarshal(w.Body.Bytes(), into)).To(Succeed())
}

var everything = []access.Scope{access.LeadsRead, access.LeadsWrite, access.Submissions}

var _ = Describe("The owners of a site", func() {
	type object = map[string]any

	It("keep a submission that their backend received, and read it", func(ctx SpecContext) {
		o := ownerOf(ctx, opened(ctx), everything...)
		w := o.ask(http.MethodPost, "/v1/submissions", `{"id":"s1","form":"f","identity":{"email":"ana@example.org","name":"Ana"},
			"events":[{"id":"e1"}],"fields":{"n":1.0}}`)
		Expect(w.Code).To(Equal(204), w.Body.String())
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		found := object{}
		w = o.ask(http.MethodPost, "/v1/leads/find", `{"email":" ANA@example.org "}`)
		Expect(w.Code).To(Equal(200))
		Expect(json.Unmarshal(w.Body.Bytes(), &found)).To(Succeed())
		lead, _ := found["lead"].(object)
		Expect(lead).To(And(HaveKeyWithValue("email", "ana@example.org"), HaveKeyWithValue("name", "Ana"),
			HaveKeyWithValue("anchors", 0.0), HaveKeyWithValue("submissions", 1.0),
			HaveKeyWithValue("first_seen", MatchRegexp(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`))))
		path := "/v1/leads/" + lead["id"].(string)
		var journey, submissions object
		o.read(path+"/journey", &journey)
		Expect(journey["events"]).To(BeEquivalentTo([]any{}))
		Expect(journey).NotTo(HaveKey("next"))
		o.read(path+"/submissions", &submissions)
		Expect(submissions["submissions"]).To(ConsistOf(And(
			HaveKeyWithValue("id", "s1"), HaveKeyWithValue("anchor_id", BeNil()), HaveKeyWithValue("form", "f"),
			HaveKeyWithValue("fields", object{"n": 1.0}), HaveKeyWithValue("provenance", "key"))))
		Expect(o.ask(http.MethodGet, "/v1/leads/0"+lead["id"].(string), "").Code).To(Equal(404), "an id has one spelling")
		Expect(o.ask(http.MethodPatch, path, `{"lead_status":"won"}`).Body.String()).To(ContainSubstring(`"lead_status":"won"`))
	})

	It("read objects where nothing was sent", func(ctx SpecContext) {
		a := opened(ctx)
		o := ownerOf(ctx, a, everything...)
		sent := httptest.NewRequest(http.MethodPost, "/v1/submissions",
			strings.NewReader(`{"id":"s1","identity":{"email":"ana@example.org"},"events":[{"id":"e1"}]}`))
		sent.Header.Set("Sec-Fetch-Site", "same-origin")
		w := httptest.NewRecorder()
		a.Public.ServeHTTP(w, sent)
		Expect(w.Code).To(Equal(204))
		var leads struct{ Leads []struct{ ID string } }
		o.read("/v1/leads", &leads)
		var journey struct{ Events []object }
		o.read("/v1/leads/"+leads.Leads[0].ID+"/journey", &journey)
		Expect(journey.Events).To(ConsistOf(And(
			HaveKeyWithValue("campaign", object{}), HaveKeyWithValue("props", object{}),
			HaveKeyWithValue("submission_id", BeNil()), HaveKeyWithValue("ownership", "attributed"))))
		var submissions struct{ Submissions []object }
		o.read("/v1/leads/"+leads.Leads[0].ID+"/submissions", &submissions)
		Expect(submissions.Submissions).To(ConsistOf(HaveKeyWithValue("fields", object{})))
		var device struct{ Anchor object }
		o.read("/v1/anchors/"+journey.Events[0]["anchor_id"].(string), &device)
		Expect(device.Anchor).To(And(HaveLen(8), HaveKeyWithValue("lead_id", leads.Leads[0].ID),
			HaveKeyWithValue("link_provenance", "key"), HaveKeyWithValue("shared_flag", false), HaveKeyWithValue("status", "saved")))
	})

	It("page through their leads", func(ctx SpecContext) {
		o := ownerOf(ctx, opened(ctx), everything...)
		for _, name := range []string{"ana", "ben", "eva"} {
			Expect(o.ask(http.MethodPost, "/v1/submissions", `{"id":"s","identity":{"email":"`+name+`@example.org"}}`).Code).To(Equal(204))
		}
		var seen []string
		for next := "/v1/leads?limit=2"; next != ""; {
			var page struct {
				Leads []struct{ Email string }
				Next  string
			}
			o.read(next, &page)
			for _, lead := range page.Leads {
				seen = append(seen, lead.Email)
			}
			if next = page.Next; next != "" {
				next = "/v1/leads?limit=2&after=" + next
			}
		}
		Expect(seen).To(Equal([]string{"eva@example.org", "ben@example.org", "ana@example.org"}))
	})

	It("need a token, with the scope of what they ask", func(ctx SpecContext) {
		a := opened(ctx)
		nobody, reader := owner{app: a}, ownerOf(ctx, a, access.LeadsRead)
		w := nobody.ask(http.MethodGet, "/v1/leads", "")
		Expect(w.Code).To(Equal(401))
		Expect(w.Header().Get("WWW-Authenticate")).To(Equal("Bearer"))
		Expect(owner{app: a, secret: "ctk_guess"}.ask(http.MethodGet, "/v1/leads", "").Code).To(Equal(401))
		Expect(reader.ask(http.MethodGet, "/v1/leads", "").Code).To(Equal(200))
		for _, asked := range [][2]string{
			{http.MethodPatch, "/v1/leads/1"}, {http.MethodPost, "/v1/submissions"}, {http.MethodPost, "/v1/anchors/1/resolve"},
		} {
			Expect(reader.ask(asked[0], asked[1], "{}").Code).To(Equal(403), asked[1])
		}
		for _, open := range []string{"/healthz", "/readyz"} {
			Expect(nobody.ask(http.MethodGet, open, "").Code).To(Equal(200))
		}
	})

	It("are told what is wrong with a question", func(ctx SpecContext) {
		o := ownerOf(ctx, opened(ctx), everything...)
		for _, asked := range []struct {
			method, path, body string
			status             int
		}{
			{http.MethodGet, "/v1/leads/999", "", 404},
			{http.MethodGet, "/v1/leads/x", "", 404},
			{http.MethodGet, "/v1/leads/01", "", 404},
			{http.MethodGet, "/v1/leads/-1/journey", "", 404},
			{http.MethodGet, "/v1/leads/99999999999999999999/submissions", "", 404},
			{http.MethodGet, "/v1/leads/%00", "", 404},
			{http.MethodGet, "/v1/anchors/x", "", 404},
			{http.MethodPost, "/v1/anchors/999/resolve", `{"keep_shared":true}`, 404},
			{http.MethodPost, "/v1/anchors/999/resolve", `{}`, 400},
			{http.MethodPost, "/v1/anchors/999/resolve", `{"keep_shared":true,"lead_id":"x"}`, 400},
			{http.MethodPost, "/v1/anchors/999/resolve", `{"keep_shared":"yes"}`, 400},
			{http.MethodPost, "/v1/anchors/999/resolve", `{"lead_id":7}`, 400},
			{http.MethodPost, "/v1/anchors/999/resolve", `{"lead_id":"x"}`, 404},
			{http.MethodGet, "/v1/leads?limit=0", "", 400},
			{http.MethodGet, "/v1/leads?limit=1001", "", 400},
			{http.MethodGet, "/v1/leads?limit=x", "", 400},
			{http.MethodGet, "/v1/leads?after=x", "", 400},
			{http.MethodPost, "/v1/leads/find", `{}`, 400},
			{http.MethodPost, "/v1/leads/find", `{"email":7}`, 400},
			{http.MethodPost, "/v1/leads/find", `{"email":"nobody"}`, 422},
			{http.MethodPost, "/v1/leads/find", `{"email":"nobody@example.org"}`, 404},
			{http.MethodPatch, "/v1/leads/1", `{}`, 400},
			{http.MethodPatch, "/v1/leads/1", `{"lead_status":null}`, 400},
			{http.MethodPatch, "/v1/leads/1", `{"lead_status":"won"}`, 404},
			{http.MethodPost, "/v1/submissions", `{"id":"s","visitor_key":"x","identity":{"email":"ana@example.org"}}`, 400},
			{http.MethodPost, "/v1/submissions", `{"id":"s","identity":{}}`, 422},
			{http.MethodPost, "/v1/leads", `{}`, 405},
			{http.MethodGet, "/v1/nothing", "", 404},
		} {
			w := o.ask(asked.method, asked.path, asked.body)
			Expect(w.Code).To(Equal(asked.status), asked.method+" "+asked.path+" "+asked.body)
			Expect(w.Body.String()).To(HavePrefix(`{"error":{"code":`))
			Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
		}
	})
})
