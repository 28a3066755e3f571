package contract

import (
	"context"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/ports/capture"
)

// Capture is the suite of capture.Store. open gives an empty store to each spec.
func Capture(open func() Stores) {
	Describe("what is recorded", func() { recorded(open) })
	Describe("people who arrive at once", func() { atOnce(open) })
	Describe("a request that cannot be recorded", func() { alone(open) })
}

func recorded(open func() Stores) {
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("keeps an event to the letter, and as it was first written", func() {
		key := newKey()
		first := b.visits("s1", "one")[0]
		b.submit(form{key: key, email: "ana@example.org", id: "f1", session: "s1"})
		b.append(key, first)
		again := first
		again.Title, again.URL, again.Session = "Another title", "https://www.example.org/else", "s2"
		b.append(key, again)
		entries := b.journey("ana@example.org")
		Expect(entries).To(HaveLen(1))
		Expect(entries[0].Event).To(Equal(first))
		Expect(entries[0].Ownership).To(Equal(identity.Attributed))
	})

	It("gives every row of a bulk its own content when the first of them is there already", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		b.append(key, b.visits("s1", "a")...)
		others := b.visits("s1", "b", "c", "d")
		b.append(key, append(b.visits("s9", "a"), others...)...)
		entries := b.journey("ana@example.org")
		Expect(idsOf(entries)).To(Equal([]string{"a", "b", "c", "d"}), "in the order in which they were sent")
		for _, e := range entries {
			Expect(e.Event).To(Equal(b.visits("s1", string(e.ID))[0]))
		}
	})

	It("keeps one of two events with one id that arrive in one request", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		twice := b.visits("s1", "e1", "e1", "e2")
		twice[1].Title = "The second of that id"
		b.append(key, twice...)
		entries := b.journey("ana@example.org")
		Expect(idsOf(entries)).To(Equal([]string{"e1", "e2"}))
		Expect(entries[0].Title).To(Equal("Title of e1"))
	})

	DescribeTable("tells ids apart, whatever their form", func(id string) {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1", events: b.visits("s", id)})
		b.append(key, b.visits("s", id)...)
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal([]string{id}))
	},
		Entry("as the client makes them", "AAECAwQFBgcICQoLDA0ODw"),
		Entry("UUIDs", "0191b6f2-7c1e-7d3a-9a55-0f2f7f6f1c11"),
		Entry("UUIDs in capitals", "0191B6F2-7C1E-7D3A-9A55-0F2F7F6F1C11"),
		Entry("22 characters that are no 16 bytes", "AAECAwQFBgcICQoLDA0OD_"),
		Entry("36 digits that are no UUID", "0191b6f27c1e7d3a9a550f2f7f6f1c110000"),
		Entry("a UUID with its dashes elsewhere", "0191b6f27c1e-7d3a-9a55-0f2f7f6f1c-11"),
		Entry("anything else", "ünder ::u"),
		Entry("one letter that stands for something here", "u"),
	)

	It("knows no retired key", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		_, err := b.Record(b.ctx, capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}}, identity.State.Reset)
		Expect(err).NotTo(HaveOccurred())
		Expect(b.append(key, b.visits("s", "late")...)).To(Equal(identity.Change{}))
		Expect(b.journey("ana@example.org")).To(BeEmpty())
	})

	It("knows no device whose person has expired, and every device of one who has not", func() {
		phone, laptop := newKey(), newKey()
		b.submit(form{key: phone, email: "ana@example.org", id: "f1"})
		b.submit(form{key: laptop, email: "ana@example.org", id: "f2"})
		b.later(700 * 24 * time.Hour)
		b.append(laptop, b.visits("s", "x")...)
		b.later(700 * 24 * time.Hour)
		Expect(b.append(phone, b.visits("s", "y")...).Stamp).To(Equal(phone), "the laptop kept the person, and so the phone")
		b.later(732 * 24 * time.Hour)
		Expect(b.append(phone, b.visits("s", "z")...)).To(Equal(identity.Change{}))
	})

	It("refuses what cannot be kept to its own caller, and goes on", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		_, err := b.Record(b.ctx, capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}},
			func(s identity.State) identity.Change {
				odd := identity.OwnedEvent{Anchor: s.Devices[0].ID, Event: b.visits("s", "odd")[0]}
				odd.Ownership = "in no rule's words"
				return identity.Change{Events: []identity.OwnedEvent{odd}}
			})
		Expect(err).To(HaveOccurred())
		b.append(key, b.visits("s", "e")...)
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal([]string{"e"}))
	})

	It("answers a caller who gave up, and records nothing for one who gave up before", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		gone, cancel := context.WithCancel(b.ctx)
		cancel()
		_, err := b.Record(gone, capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}},
			func(s identity.State) identity.Change {
				return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "never")})
			})
		Expect(err).To(MatchError(context.Canceled))
		Expect(b.journey("ana@example.org")).To(BeEmpty())
	})
}

func atOnce(open func() Stores) {
	const many = 50
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	// together runs do many times at once and fails on the first error.
	together := func(do func(i int) error) {
		GinkgoHelper()
		var wg sync.WaitGroup
		errs := make(chan error, many)
		for i := range many {
			wg.Go(func() { errs <- do(i) })
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			Expect(err).NotTo(HaveOccurred())
		}
	}

	It("makes one lead of one new address on many devices", func() {
		together(func(i int) error {
			_, err := b.trySubmit(form{key: newKey(), email: "ana@example.org", id: fmt.Sprint("f", i)})
			return err
		})
		lead := b.lead("ana@example.org")
		Expect(lead.Anchors).To(Equal(many))
		Expect(lead.Submissions).To(Equal(many))
		all, err := b.Leads(b.ctx, b.moment.Now, pageOf(many))
		Expect(err).NotTo(HaveOccurred())
		Expect(all.Items).To(HaveLen(1))
	})

	It("links a device once when many people submit on it", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f"})
		together(func(i int) error {
			_, err := b.trySubmit(form{key: key, email: identity.Email(fmt.Sprintf("p%d@example.org", i)), id: "f"})
			return err
		})
		Expect(b.lead("ana@example.org").Anchors).To(Equal(1), "it points at her still")
		pairs, err := b.Candidates(b.ctx, b.moment.Now, pageOf(2*many))
		Expect(err).NotTo(HaveOccurred())
		Expect(pairs.Items).To(HaveLen(many))
		for _, pair := range pairs.Items {
			Expect(pair.First).To(Equal(b.lead("ana@example.org").ID))
		}
	})

	It("links a device that was nobody's to one of many people who submit on it", func() {
		key := newKey()
		ask := capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}, Creates: true}
		_, err := b.Record(b.ctx, ask, func(s identity.State) identity.Change {
			return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "before"), FreshKey: key})
		})
		Expect(err).NotTo(HaveOccurred())
		together(func(i int) error {
			_, err := b.trySubmit(form{key: key, email: identity.Email(fmt.Sprintf("p%d@example.org", i)), id: "f"})
			return err
		})
		pairs, err := b.Candidates(b.ctx, b.moment.Now, pageOf(2*many))
		Expect(err).NotTo(HaveOccurred())
		Expect(pairs.Items).To(HaveLen(many - 1))
		owners := 0
		for i := range many {
			owners += len(b.journey(identity.Email(fmt.Sprintf("p%d@example.org", i))))
		}
		Expect(owners).To(Equal(1), "what came before is the first one's, and nobody else's")
	})

	It("keeps one submission of one id that is sent many times", func() {
		key := newKey()
		together(func(int) error {
			_, err := b.trySubmit(form{key: key, email: "ana@example.org", id: "f", session: "s", events: b.visits("s", "e")})
			return err
		})
		Expect(b.lead("ana@example.org").Submissions).To(Equal(1))
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal([]string{"e"}))
	})

	It("never gives one event to two people, whatever else happens on the device", func() {
		key := newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f"})
		together(func(i int) error {
			if i%2 == 0 {
				b.append(key, b.visits("s", fmt.Sprint("e", i))...)
				return nil
			}
			email := identity.Email(fmt.Sprintf("p%d@example.org", i))
			_, err := b.trySubmit(form{key: key, email: email, id: "f", session: "s", events: b.visits("s", fmt.Sprint("e", i-1))})
			return err
		})
		owners := map[string]int{}
		for _, email := range append([]string{"ana@example.org"}, numberedPeople(many)...) {
			for _, id := range idsOf(b.journey(identity.Email(email))) {
				owners[id]++
			}
		}
		for id, n := range owners {
			Expect(n).To(Equal(1), id)
		}
	})
}
