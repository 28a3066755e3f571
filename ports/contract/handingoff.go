package contract

import (
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

const portal = handoff.Destination("portal.example.net")

func newToken() (token handoff.Token) {
	_, err := rand.Read(token[:])
	Expect(err).NotTo(HaveOccurred())
	return token
}

func (b *bench) mint(key identity.KeyHash, token handoff.Token, session journey.Session, events ...journey.Event) identity.Change {
	GinkgoHelper()
	change, err := b.Record(b.ctx, identity.Ask{
		Now: b.moment.Now, Keys: []identity.KeyHash{key}, Session: session,
		Handoff: token.Hash(), Handoffs: true, Creates: true,
	}, func(s identity.State) identity.Change {
		return s.MintHandoff(identity.MintHandoff{
			Moment: b.moment, TTL: 15 * time.Minute, Token: token.Hash(), Destination: portal,
			Session: session, Events: events, FreshKey: key,
		})
	})
	Expect(err).NotTo(HaveOccurred())
	return change
}

func (b *bench) claim(token handoff.Token, claim handoff.ClaimID, session journey.Session, events ...journey.Event) bool {
	GinkgoHelper()
	change, err := b.Record(b.ctx, identity.Ask{
		Now: b.moment.Now, Session: session, Handoff: token.Hash(),
	}, func(s identity.State) identity.Change {
		return s.ClaimHandoff(identity.ClaimHandoff{
			Moment: b.moment, Claim: claim, Destination: portal, Session: session, Events: events,
		})
	})
	Expect(err).NotTo(HaveOccurred())
	return len(change.Handoffs) > 0
}

func (b *bench) confirm(token handoff.Token, claim handoff.ClaimID, email identity.Email) {
	GinkgoHelper()
	_, err := b.Record(b.ctx, identity.Ask{
		Now: b.moment.Now, Person: b.peppers.Keys(email), Client: "f", Handoff: token.Hash(), Creates: true,
	}, func(s identity.State) identity.Change {
		return s.ConfirmHandoff(identity.ConfirmHandoff{
			Submit: identity.Submit{Moment: b.moment, Client: "f", Person: identity.Person{Email: email}},
			Claim:  claim, Destination: portal,
		})
	})
	Expect(err).NotTo(HaveOccurred())
}

func (b *bench) carried(token handoff.Token) []string {
	GinkgoHelper()
	h, err := b.Handoff(b.ctx, b.moment.Now, token.Hash())
	Expect(err).NotTo(HaveOccurred())
	events, err := b.Carried(b.ctx, h)
	Expect(err).NotTo(HaveOccurred())
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = string(e.ID)
	}
	return ids
}

// HandingOff is the suite of handingoff.Store.
func HandingOff(open func() Stores) {
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("keeps a handoff to the letter", func() {
		token := newToken()
		minted := b.mint(newKey(), token, "s").Handoffs[0]
		Expect(b.Handoff(b.ctx, b.moment.Now, token.Hash())).To(Equal(minted))
		b.claim(token, "c", "p")
		b.confirm(token, "c", "ana@example.org")
		h, err := b.Handoff(b.ctx, b.moment.Now, token.Hash())
		Expect(err).NotTo(HaveOccurred())
		want := minted
		want.Claim, want.ClaimSession, want.ConfirmedAt = "c", "p", b.moment.Now
		want.ExpiresAt, want.Lead = b.moment.Now.Add(72*time.Hour), b.lead("ana@example.org").ID
		Expect(h).To(Equal(want))
	})

	It("tells of what was carried as it is stored, whoever brought it first, and not of the rest", func() {
		key, token := newKey(), newToken()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		b.append(key, b.visits("s", "before", "again")...)
		b.later(time.Second)
		again := b.visits("s", "again")[0]
		again.Title = "Another title"
		b.mint(key, token, "s", again)
		b.claim(token, "c", "p", b.visits("p", "there")...)
		Expect(b.carried(token)).To(Equal([]string{"again", "there"}))
		h, err := b.Handoff(b.ctx, b.moment.Now, token.Hash())
		Expect(err).NotTo(HaveOccurred())
		events, err := b.Carried(b.ctx, h)
		Expect(err).NotTo(HaveOccurred())
		Expect(events[0].Title).To(Equal("Title of again"))
	})

	It("tells of a confirmed handoff what its lead owns, as far as it had arrived", func() {
		key, token := newKey(), newToken()
		b.submit(form{key: key, email: "ana@example.org", id: "f1"})
		b.mint(key, token, "s", b.visits("s", "anas")...)
		b.confirm(token, "c", "ben@example.org")
		Expect(b.carried(token)).To(BeEmpty())
		b.later(time.Second)
		b.claim(token, "c", "p", b.visits("p", "bens")...)
		Expect(b.carried(token)).To(BeEmpty())
		Expect(idsOf(b.journey("ben@example.org"))).To(Equal([]string{"bens"}))
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal([]string{"anas"}))
	})

	It("forgets a handoff whose place another takes, and keeps its events", func() {
		key, first, second := newKey(), newToken(), newToken()
		b.mint(key, first, "s", b.visits("s", "e")...)
		b.mint(key, second, "s")
		_, err := b.Handoff(b.ctx, b.moment.Now, first.Hash())
		Expect(err).To(haveCode(fault.NotFound))
		Expect(b.claim(first, "c", "p")).To(BeFalse())
		b.confirm(second, "c", "ana@example.org")
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal([]string{"e"}))
	})

	It("records a mint once whose commit went through unheard", func() {
		key, token := newKey(), newToken()
		first := b.mint(key, token, "s", b.visits("s", "e")...)
		again := b.mint(key, token, "s", b.visits("s", "e")...)
		Expect(again.Handoffs).To(Equal(first.Handoffs))
		Expect(b.carried(token)).To(Equal([]string{"e"}))
	})

	It("knows no handoff of a device that has expired, and in time deletes both", func() {
		key, token := newKey(), newToken()
		device := b.mint(key, token, "s", b.visits("s", "e")...).Anchors[0].ID
		b.claim(token, "c", "p")
		b.later(80 * time.Hour)
		_, err := b.Handoff(b.ctx, b.moment.Now, token.Hash())
		Expect(err).To(haveCode(fault.NotFound))
		b.mint(newKey(), newToken(), "s")
		b.moment.Now = b.moment.Now.Add(-80 * time.Hour)
		_, err = b.Anchor(b.ctx, b.moment.Now, device)
		Expect(err).To(haveCode(fault.NotFound), "it is gone, not hidden")
		_, err = b.Handoff(b.ctx, b.moment.Now, token.Hash())
		Expect(err).To(haveCode(fault.NotFound))
	})

	It("deletes no device that somebody has saved", func() {
		key, token := newKey(), newToken()
		device := b.mint(key, token, "s").Anchors[0].ID
		b.confirm(token, "c", "ana@example.org")
		b.later(80 * time.Hour)
		b.mint(newKey(), newToken(), "s")
		_, err := b.Anchor(b.ctx, b.moment.Now, device)
		Expect(err).NotTo(HaveOccurred())
	})

	It("binds a token once when many claim at once, beside mints and resets of its device", func() {
		const many = 40
		key, token := newKey(), newToken()
		b.mint(key, token, "s")
		var wg sync.WaitGroup
		won := make(chan int, many)
		for i := range many {
			wg.Go(func() {
				defer GinkgoRecover()
				if i%4 == 3 {
					b.mint(key, newToken(), "s")
				} else if b.claim(token, handoff.ClaimID(fmt.Sprint("c", i)), "p", b.visits("p", fmt.Sprint("e", i))...) {
					won <- i
				}
			})
		}
		wg.Wait()
		close(won)
		var winners []int
		for i := range won {
			winners = append(winners, i)
		}
		Expect(len(winners)).To(BeNumerically("<=", 1))
		if len(winners) == 1 {
			Expect(b.carried(token)).To(Equal([]string{fmt.Sprint("e", winners[0])}))
		}
	})
}
