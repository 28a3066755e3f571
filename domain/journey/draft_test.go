package journey_test

import (
	"encoding/json"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var envelope = journey.Envelope{Session: "s-1", ReceivedAt: received, Source: journey.FromAppend}

func stored(d journey.Draft) journey.Event {
	GinkgoHelper()
	if d.ID == "" {
		d.ID = "e1"
	}
	event, ok := d.Event(envelope)
	Expect(ok).To(BeTrue())
	return event
}

var _ = Describe("An event, as a client told it", func() {
	It("becomes an event of a journey", func() {
		in := envelope
		in.SentAt = ms(received.Add(time.Hour))
		event, ok := journey.Draft{
			ID: "e1", At: ms(received.Add(time.Hour - time.Minute)), Kind: "click", URL: "/p?utm_source=X",
			Title: "Page", Referrer: "https://example.org", Props: map[string]any{"n": json.Number("1")},
		}.Event(in)
		Expect(ok).To(BeTrue())
		Expect(event).To(Equal(journey.Event{
			ID: "e1", Session: "s-1",
			OccurredAt: received.Add(-time.Minute).Truncate(time.Millisecond),
			ReceivedAt: received.Truncate(time.Millisecond),
			Source:     journey.FromAppend, Kind: "click", URL: "/p?utm_source=X", Title: "Page", Referrer: "https://example.org/",
			Campaign: `{"utm_source":"x","utm_source_raw":"X"}`, Props: `{"n":1}`,
		}))
	})

	It("is unusable only without a usable id", func() {
		for _, id := range []string{"", " ", "a\x00", "\xff", strings.Repeat("a", 129)} {
			event, ok := journey.Draft{ID: id, Title: "x"}.Event(envelope)
			Expect(ok).To(BeFalse())
			Expect(event).To(BeZero())
		}
	})

	It("is a page view, received when it came, when it says nothing else", func() {
		Expect(stored(journey.Draft{})).To(Equal(journey.Event{
			ID: "e1", Session: "s-1", OccurredAt: received.Truncate(time.Millisecond), ReceivedAt: received.Truncate(time.Millisecond),
			Clamped: true, Source: journey.FromAppend, Kind: "page_view",
		}))
	})

	It("is in the session it names, else in its request's", func() {
		Expect(stored(journey.Draft{Session: "s-2", HasSession: true}).Session).To(Equal(journey.Session("s-2")))
		Expect(stored(journey.Draft{}).Session).To(Equal(journey.Session("s-1")))
	})

	It("is in no session when the one it names is unusable", func() {
		for _, session := range []string{"", " s-1", "s\x001", "s\ufffd", strings.Repeat("s", 129)} {
			Expect(stored(journey.Draft{Session: session, HasSession: true}).Session).To(BeEmpty())
		}
	})

	It("loses its URL, not itself, when that is no page", func() {
		event := stored(journey.Draft{URL: "javascript:alert(1)", Referrer: "data:text/html,x", Title: "kept"})
		Expect(event.URL).To(BeEmpty())
		Expect(event.Referrer).To(BeEmpty())
		Expect(event.Title).To(Equal("kept"))
	})

	It("takes no campaign from its referrer", func() {
		Expect(stored(journey.Draft{URL: "/", Referrer: "https://example.org/?utm_source=x"}).Campaign).To(BeEmpty())
	})

	It("keeps its other texts when one is broken", func() {
		Expect(stored(journey.Draft{Title: "x\x00y"}).Title).To(Equal("xy"))
		Expect(stored(journey.Draft{Title: "hi \ufffd"}).Title).To(Equal("hi \ufffd"))
		Expect(stored(journey.Draft{Title: "hi \xed\xa0\xbd"}).Title).To(Equal("hi \ufffd"))
		Expect(stored(journey.Draft{Kind: "\x00 \x00"}).Kind).To(Equal("page_view"))
		Expect(stored(journey.Draft{Kind: " cl\x00ick "}).Kind).To(Equal("click"))
	})

	It("has a bounded kind and title, cut between characters and before a mark", func() {
		event := stored(journey.Draft{Kind: strings.Repeat("é", 40), Title: strings.Repeat("😀", 200)})
		Expect(event.Kind).To(Equal(strings.Repeat("é", 32)))
		Expect(event.Title).To(Equal(strings.Repeat("😀", 128)))
		for left := range 12 {
			title := stored(journey.Draft{Title: strings.Repeat("a", 512-1-left) + " ana@example.org b"}).Title
			Expect(len(title)).To(BeNumerically("<=", 512))
			Expect(strings.TrimSpace(strings.Trim(title, "a"))).To(Or(BeEmpty(), Equal("[redacted]")))
		}
	})
})
