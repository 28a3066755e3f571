package world

import (
	"encoding/json"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/handingoff"
)

// The destinations that every service of these stories is configured with.
const (
	Portal = "portal.example.net"
	Shop   = "shop.example.net"
)

// HandingOff is the part of a way that carries journeys to a destination.
type HandingOff interface {
	// Mint gives a token, empty if there is none.
	Mint(keys []string, destination string, b Beacon) (Reply, string)
	// Claim is a page of a destination that has a token.
	Claim(at, token, claim string, b Beacon) Reply
	// Redeem and Confirm are the destination's server, on behalf of a claim.
	Redeem(at, token, claim string) (steps []Step, refused string)
	Confirm(at, token, claim string, f Form) Reply
}

// Guest is a browser at a destination, with the token that brought it there.
type Guest struct {
	w                         *World
	At, Token, Claim, Session string
	Mirror                    []Event
}

// Follow presses a link to a destination: the token is minted with the whole
// mirror, and the browser arrives with it.
func (d *Device) Follow(destination string) *Guest {
	GinkgoHelper()
	reply, token := d.w.Mint(d.Keys(), destination, d.carried())
	Expect(reply.Refused).To(BeEmpty())
	Expect(token).NotTo(BeEmpty())
	d.Learn(reply)
	return &Guest{w: d.w, At: destination, Token: token, Claim: NewID(), Session: NewID()}
}

// Friend is another browser to which the link was passed on.
func (g *Guest) Friend() *Guest {
	return &Guest{w: g.w, At: g.At, Token: g.Token, Claim: NewID(), Session: NewID()}
}

// Visit reads pages of the destination; nothing is sent.
func (g *Guest) Visit(paths ...string) {
	for _, path := range paths {
		g.Mirror = append(g.Mirror, Event{
			ID: NewID(), Session: g.Session, Kind: "page_view", URL: "https://" + g.At + path, Title: "Page " + path, At: g.w.Now(),
		})
	}
}

// Arrive claims the token, with what was read.
func (g *Guest) Arrive() Reply {
	GinkgoHelper()
	return g.w.Claim(g.At, g.Token, g.Claim, Beacon{Session: g.Session, SentAt: g.w.Now(), Events: g.Mirror})
}

// Apply is the destination's server, which confirms who its visitor is.
func (g *Guest) Apply(email string) Form {
	GinkgoHelper()
	form := Form{ID: NewID(), Form: "apply", Email: email}
	Expect(g.Confirm(form)).To(Equal(Reply{Stored: true}))
	return form
}

// Confirm is Apply with a form of one's own.
func (g *Guest) Confirm(form Form) Reply {
	GinkgoHelper()
	return g.w.Confirm(g.At, g.Token, g.Claim, form)
}

// Redeem is the destination's server, which asks what was carried.
func (g *Guest) Redeem() ([]Step, string) {
	GinkgoHelper()
	return g.w.Redeem(g.At, g.Token, g.Claim)
}

func (i inProcess) Mint(keys []string, destination string, b Beacon) (Reply, string) {
	minted, err := i.app.Handoffs.Mint(ctx, handingoff.Visit(visit(keys)), destination, handingoff.Beacon(beacon(b)))
	if err != nil {
		return Reply{Refused: string(fault.CodeOf(err))}, ""
	}
	r := Reply{Expired: minted.Expire}
	if minted.Issue != nil {
		r.Key = minted.Issue.String()
	}
	if minted.Token == nil {
		return r, ""
	}
	r.Stored = true
	return r, minted.Token.String()
}

func (i inProcess) Claim(at, token, claim string, b Beacon) Reply {
	claimed, err := i.app.Handoffs.Claim(ctx, handingoff.Visit{}, handoff.Destination(at), token,
		handoff.ClaimID(claim), handingoff.Beacon(beacon(b)))
	if err != nil {
		return Reply{Refused: string(fault.CodeOf(err))}
	}
	return Reply{Stored: claimed.Stored}
}

func (i inProcess) Redeem(at, token, claim string) (steps []Step, refused string) {
	events, err := i.app.Handoffs.Redeem(ctx, handoff.Destination(at), token, handoff.ClaimID(claim))
	if err != nil {
		return nil, string(fault.CodeOf(err))
	}
	for _, e := range events {
		steps = append(steps, stepOf(e))
	}
	return steps, ""
}

func stepOf(e journey.Event) Step {
	return Step{
		Event:  Event{ID: string(e.ID), Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer},
		Source: string(e.Source), OccurredAt: e.OccurredAt, ReceivedAt: e.ReceivedAt,
	}
}

func (i inProcess) Confirm(at, token, claim string, f Form) Reply {
	fields, err := json.Marshal(f.Fields)
	Expect(err).NotTo(HaveOccurred())
	err = i.app.Handoffs.Confirm(ctx, handoff.Destination(at), token, handoff.ClaimID(claim), handingoff.Form{
		ID: identity.ClientID(f.ID), Form: f.Form, Email: f.Email, Name: f.Name, Phone: f.Phone, Fields: string(fields),
	})
	if err != nil {
		return Reply{Refused: string(fault.CodeOf(err))}
	}
	return Reply{Stored: true}
}

func (h *HTTP) Mint(keys []string, destination string, b Beacon) (Reply, string) {
	body := wire(b)
	body["destination"] = destination
	response, raw := h.Post("/v1/handoffs", keys, body)
	r := h.reply(response, raw)
	if response.StatusCode != http.StatusCreated {
		return r, ""
	}
	var told map[string]string
	Expect(json.Unmarshal(raw, &told)).To(Succeed())
	Expect(told).To(HaveLen(2), "a token, its time, and nothing else")
	_, err := time.Parse("2006-01-02T15:04:05.000Z", told["expires_at"])
	Expect(err).NotTo(HaveOccurred())
	r.Stored = true
	return r, told["token"]
}

func (h *HTTP) Claim(at, token, claim string, b Beacon) Reply {
	body := wire(b)
	body["token"], body["claim"] = token, claim
	response, raw := h.PostFrom("https://"+at, "/v1/handoffs/claim", nil, body)
	Expect(response.Header.Get("Access-Control-Allow-Origin")).To(Equal("https://" + at))
	Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
	if response.StatusCode < http.StatusBadRequest {
		Expect(raw).To(BeEmpty())
	}
	return h.reply(response, raw)
}

// at is the same way as the server of a destination goes it.
func (h *HTTP) at(destination string) *HTTP {
	there := *h
	there.Token = h.Destinations[destination]
	if there.Token == "" {
		Skip("this deployment gave no token of the scope handoffs for " + destination)
	}
	return &there
}

func (h *HTTP) Redeem(at, token, claim string) (steps []Step, refused string) {
	var raw json.RawMessage
	status := h.at(at).Ask(http.MethodPost, "/v1/handoffs/redeem", map[string]string{"token": token, "claim": claim}, &raw)
	if refused := refusal(status, raw); refused != "" {
		return nil, refused
	}
	var body struct {
		Events []map[string]any
	}
	Expect(json.Unmarshal(raw, &body)).To(Succeed())
	for _, e := range body.Events {
		for _, told := range []string{"anchor_id", "ownership", "submission_id", "lead_id", "shared_flag"} {
			Expect(e).NotTo(HaveKey(told))
		}
		text := func(name string) string { return e[name].(string) }
		steps = append(steps, Step{
			Event: Event{
				ID: text("event_id"), Kind: text("kind"), URL: text("url"), Title: text("title"), Referrer: text("referrer"),
			},
			Source: text("source"),
		})
	}
	return steps, ""
}

func (h *HTTP) Confirm(at, token, claim string, f Form) Reply {
	body := wireForm(f)
	body["token"], body["claim"] = token, claim
	delete(body, "events")
	var answer json.RawMessage
	status := h.at(at).Ask(http.MethodPost, "/v1/handoffs/confirm", body, &answer)
	return Reply{Stored: status == http.StatusNoContent, Refused: refusal(status, answer)}
}
