package httpapi

import (
	"bytes"
	"encoding/json"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/privacy"
)

var _ = Describe("The record of a person", func() {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	write := func(page bool, tell func(*Dossier)) string {
		GinkgoHelper()
		var out bytes.Buffer
		dossier := NewDossier(&out, page)
		tell(dossier)
		Expect(dossier.Close()).To(Succeed())
		return out.String()
	}
	tellAll := func(d *Dossier) {
		Expect(d.Lead(identity.Lead{ID: 1, Person: identity.Person{Email: "ana@example.org", Name: "<Ana>"}, FirstSeen: at})).To(Succeed())
		Expect(d.Device(privacy.Device{Removed: true, Anchor: identity.Anchor{ID: 2, Key: identity.KeyHash{1}, Lead: 1, CreatedAt: at}})).To(Succeed())
		Expect(d.Submission(identity.Submission{Client: "f1", Anchor: 2, Fields: `{"q":"<b>"}`, At: at})).To(Succeed())
		Expect(d.Candidate(identity.Candidate{ID: 4, Anchor: 2, First: 1, State: identity.Open, At: at})).To(Succeed())
		for _, id := range []journey.EventID{"e1", "e2"} {
			Expect(d.Event(privacy.Entry{Anchor: 2, Ownership: identity.Attributed, Event: journey.Event{ID: id, OccurredAt: at}})).To(Succeed())
		}
	}

	It("is one JSON document with a list for each kind", func() {
		var body map[string]json.RawMessage
		Expect(json.Unmarshal([]byte(write(false, tellAll)), &body)).To(Succeed())
		Expect(body).To(And(HaveLen(6), HaveKey("lead"), HaveKey("anchors"), HaveKey("submissions"), HaveKey("candidates")))
		Expect(string(body["lead"])).To(ContainSubstring(`"email":"ana@example.org","name":"<Ana>"`))
		Expect(string(body["stripped_anchors"])).To(Equal("[]"))
		Expect(string(body["candidates"])).To(Equal(`[{"id":"4","anchor_id":"2","state":"open","at":"2026-05-01T12:00:00.000Z"}]`))
		var events []struct {
			ID string `json:"event_id"`
		}
		Expect(json.Unmarshal(body["events"], &events)).To(Succeed())
		Expect(events).To(HaveLen(2))
	})

	It("is a document too when nothing is kept", func() {
		Expect(write(false, func(*Dossier) {})).To(MatchJSON(
			`{"lead":null,"anchors":[],"stripped_anchors":[],"submissions":[],"candidates":[],"events":[]}`))
		Expect(write(true, func(*Dossier) {})).To(ContainSubstring("Nothing is kept"))
	})

	It("is a page that shows what was typed and runs none of it", func() {
		page := write(true, tellAll)
		Expect(page).To(And(ContainSubstring("<dt>email<dd>ana@example.org"), ContainSubstring("&lt;Ana&gt;"), ContainSubstring("<h2>Events</h2>")))
		Expect(page).NotTo(Or(ContainSubstring("<Ana>"), ContainSubstring("<b>")))
	})

	It("never has a key's hash", func() {
		Expect(write(false, tellAll)).NotTo(ContainSubstring("hash"))
	})

	It("refuses to be told out of order, which would make another document of it", func() {
		d := NewDossier(&bytes.Buffer{}, false)
		tellAll(d)
		Expect(d.Submission(identity.Submission{})).NotTo(Succeed())
	})
})
