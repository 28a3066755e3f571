package identity_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

const (
	portal = handoff.Destination("portal.example.net")
	shop   = handoff.Destination("shop.example.net")
)

// way is one handoff under way: a device, what was minted on it, and who meets.
type way struct {
	identity.State
	at identity.Moment
}

func newWay() *way {
	w := &way{at: identity.Moment{
		Now:  time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC),
		Keep: identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour},
	}}
	w.State.Fresh = identity.Fresh{Anchor: 1, Lead: 2, Submission: 3, Candidate: 4, Handoff: 5}
	return w
}

// device is known from now on, and its browser sends its key.
func (w *way) device(a identity.Anchor) {
	a.ID, a.Key, a.Status = 10, identity.KeyHash{10}, identity.Saved
	w.Devices = []identity.Anchor{a}
	w.Carrier = &a
}

func (w *way) later(by time.Duration) { w.at.Now = w.at.Now.Add(by) }

func seen(session journey.Session, ids ...string) []journey.Event {
	events := make([]journey.Event, len(ids))
	for i, id := range ids {
		events[i] = journey.Event{ID: journey.EventID(id), Session: session}
	}
	return events
}

func (w *way) mint(session journey.Session, events ...journey.Event) identity.Change {
	change := w.MintHandoff(identity.MintHandoff{
		Moment: w.at, TTL: 15 * time.Minute, Token: handoff.TokenHash{1}, Destination: portal,
		Session: session, Events: events, FreshKey: identity.KeyHash{99},
	})
	w.remember(change)
	return change
}

// remember makes the state as a store would load it for whoever names the token.
func (w *way) remember(change identity.Change) {
	for _, h := range change.Handoffs {
		w.Handoff = &h
	}
	for _, a := range change.Anchors {
		w.Carrier = &a
	}
}

func (w *way) claim(id string, session journey.Session, events ...journey.Event) identity.Change {
	change := w.ClaimHandoff(identity.ClaimHandoff{
		Moment: w.at, Claim: handoff.ClaimID(id), Destination: portal, Session: session, Events: events,
	})
	w.remember(change)
	return change
}

func (w *way) confirm(claim, id string) identity.Change {
	w.Devices = nil // a server sends no key
	change := w.ConfirmHandoff(identity.ConfirmHandoff{
		Submit: identity.Submit{Moment: w.at, Client: identity.ClientID(id), Person: identity.Person{Email: "ben@example.org"}},
		Claim:  handoff.ClaimID(claim), Destination: portal,
	})
	w.remember(change)
	return change
}

func ownersOf(change identity.Change) []identity.Owner {
	owners := make([]identity.Owner, len(change.Events))
	for i, e := range change.Events {
		owners[i] = e.Owner
	}
	return owners
}

var (
	nobodys  = identity.Owner{Ownership: identity.Nobodys}
	unlinked = identity.Owner{Ownership: identity.Attributed}
)

func snapshotOf(id identity.SubmissionID) identity.Owner {
	return identity.Owner{Ownership: identity.InSnapshot, Submission: id}
}

var _ = Describe("A mint", func() {
	var w *way
	BeforeEach(func() { w = newWay() })

	It("gives an unknown device a key, and an anchor that is held", func() {
		change := w.mint("s", seen("s", "e")...)
		Expect(change.Stamp).To(Equal(identity.KeyHash{99}))
		Expect(change.Anchors).To(HaveLen(1))
		Expect(change.Anchors[0].Status).To(Equal(identity.Held))
		Expect(change.Anchors[0].ExpiresAt).To(BeTemporally("~", w.at.Now.Add(72*time.Hour), 6*time.Minute))
		Expect(ownersOf(change)).To(Equal([]identity.Owner{unlinked}))
		Expect(change.Events[0].Handoff).To(Equal(identity.HandoffID(5)))
		Expect(change.Handoffs).To(HaveLen(1))
		Expect(change.Handoffs[0].ExpiresAt).To(Equal(w.at.Now.Add(15 * time.Minute)))
	})

	It("appends to a known device as its browsing, and stamps its key again", func() {
		w.device(identity.Anchor{Lead: 7, FirstLead: 7})
		change := w.mint("s", seen("s", "e")...)
		Expect(change.Stamp).To(Equal(identity.KeyHash{10}))
		Expect(ownersOf(change)).To(Equal([]identity.Owner{{Ownership: identity.Attributed, Lead: 7}}))
	})

	It("takes the place of an unbound token of the device for the destination, with its snapshot in one session", func() {
		w.device(identity.Anchor{Shared: true, Lead: 7, FirstLead: 7})
		old := func(id int64, h identity.Handoff) identity.Handoff {
			h.ID, h.Anchor, h.ExpiresAt = identity.HandoffID(id), 10, w.at.Now.Add(time.Hour)
			return h
		}
		w.Handoffs = []identity.Handoff{
			old(51, identity.Handoff{Destination: portal, Session: "s", Submission: 61}),
			old(52, identity.Handoff{Destination: shop, Session: "s", Submission: 62}),
			old(53, identity.Handoff{Destination: portal, Session: "s", Submission: 63, Claim: "c"}),
		}
		change := w.mint("s")
		Expect(change.Forgotten).To(Equal([]identity.HandoffID{51}))
		Expect(change.Handoffs[0].Submission).To(Equal(identity.SubmissionID(61)))
		w.Handoff = nil
		change = w.mint("another")
		Expect(change.Forgotten).To(Equal([]identity.HandoffID{51}))
		Expect(change.Handoffs[0].Submission).To(Equal(identity.SubmissionID(3)), "another session may be another person's")
	})

	It("beside a planted key carries what is nobody's", func() {
		w.device(identity.Anchor{Lead: 7, FirstLead: 7})
		w.Devices = append(w.Devices, identity.Anchor{ID: 11, Key: identity.KeyHash{11}})
		change := w.mint("s", seen("s", "e")...)
		Expect(change.Events[0].Anchor).To(Equal(identity.AnchorID(10)))
		Expect(ownersOf(change)).To(Equal([]identity.Owner{nobodys}))
		Expect(ownersOf(w.claim("c", "p", seen("p", "e")...))).To(Equal([]identity.Owner{nobodys}))
		confirmed := w.confirm("c", "f")
		Expect(confirmed.Anchors).To(BeEmpty())
		Expect(confirmed.Submissions[0].Anchor).To(BeZero())
		Expect(confirmed.Doubtful).To(Equal([]identity.SessionOn{{Anchor: 10, Session: "s"}}))
	})

	It("that is repeated after a commit whose answer was lost is the same handoff", func() {
		first := w.mint("s")
		w.Devices = first.Anchors
		w.State.Fresh.Handoff = 77
		Expect(w.mint("s").Handoffs).To(Equal(first.Handoffs))
	})
})

var _ = Describe("A claim", func() {
	var w *way
	BeforeEach(func() {
		w = newWay()
		w.device(identity.Anchor{})
		w.mint("s")
	})

	It("binds the token to the first browser, for longer than an unclaimed one lives", func() {
		h := w.claim("c1", "p").Handoffs[0]
		Expect(h.Claim).To(Equal(handoff.ClaimID("c1")))
		Expect(h.ExpiresAt).To(Equal(w.at.Now.Add(72 * time.Hour)))
	})

	It("may be repeated, brings more events then, and does not live longer for it", func() {
		first := w.claim("c1", "p", seen("p", "e1")...).Handoffs[0]
		w.later(time.Hour)
		again := w.claim("c1", "p", seen("p", "e2")...)
		Expect(again.Handoffs[0].ExpiresAt).To(Equal(first.ExpiresAt))
		Expect(again.Events).To(HaveLen(1))
		Expect(again.Stamp).To(BeZero(), "no cookie")
	})

	It("of another browser changes nothing", func() {
		w.claim("c1", "p")
		Expect(w.claim("c2", "p", seen("p", "e")...)).To(Equal(identity.Change{}))
	})

	DescribeTable("changes nothing when the token is dead", func(kill func()) {
		kill()
		Expect(w.claim("c1", "p", seen("p", "e")...)).To(Equal(identity.Change{}))
	},
		Entry("it was never there", func() { w.Handoff = nil }),
		Entry("it is past its time", func() { w.later(15 * time.Minute) }),
		Entry("it is past its time, though bound", func() { w.claim("c1", "p"); w.later(72 * time.Hour) }),
		Entry("its device is gone", func() { w.Carrier = nil }),
		Entry("its device's key is retired", func() { w.Carrier.Key = identity.KeyHash{} }),
		Entry("it is for another destination", func() { w.Handoff.Destination = shop }),
		Entry("whoever confirmed it is erased", func() { w.Handoff.ConfirmedAt = w.at.Now }),
	)

	It("finds nothing that was minted to verify", func() {
		w.Handoff.Destination = handoff.Verify
		Expect(w.ClaimHandoff(identity.ClaimHandoff{Moment: w.at, Claim: "c", Destination: handoff.Verify})).To(Equal(identity.Change{}))
	})

	It("of a bound token outlives the reset of its device", func() {
		w.claim("c1", "p")
		w.Carrier.Key = identity.KeyHash{}
		Expect(w.claim("c1", "p").Handoffs).To(HaveLen(1))
	})
})

var _ = Describe("A confirm", func() {
	var w *way
	BeforeEach(func() { w = newWay() })

	It("turns a held device into a saved one, linked to the person", func() {
		w.mint("s", seen("s", "e")...)
		w.claim("c", "p")
		change := w.confirm("c", "f")
		Expect(change.Anchors).To(HaveLen(1))
		Expect(change.Anchors[0].Status).To(Equal(identity.Saved))
		Expect(change.Anchors[0].Lead).To(Equal(identity.LeadID(2)))
		Expect(change.Anchors[0].Provenance).To(Equal(identity.ByKey))
		Expect(change.Submissions[0].Session).To(Equal(journey.Session("s")))
		Expect(change.Stamp).To(BeZero(), "no cookie")
	})

	It("may come before the claim, and binds the token", func() {
		w.device(identity.Anchor{})
		w.mint("s")
		w.confirm("c", "f")
		Expect(w.Handoff.Claim).To(Equal(handoff.ClaimID("c")))
		Expect(w.claim("other", "p")).To(Equal(identity.Change{}))
		Expect(w.claim("c", "p", seen("p", "e")...).Events).To(HaveLen(1))
	})

	It("of another browser keeps the person without the device", func() {
		w.device(identity.Anchor{})
		w.mint("s")
		w.claim("c", "p")
		change := w.confirm("friend", "f")
		Expect(change.Leads).To(HaveLen(1))
		Expect(change.Submissions[0].Anchor).To(BeZero())
		Expect(change.Anchors).To(BeEmpty())
		Expect(change.Handoffs).To(BeEmpty())
	})

	It("with another person's address shares the device, and what was written before stays the first person's", func() {
		w.device(identity.Anchor{Lead: 7, FirstLead: 7})
		Expect(ownersOf(w.mint("s", seen("s", "e")...))).To(Equal([]identity.Owner{{Ownership: identity.Attributed, Lead: 7}}))
		change := w.confirm("c", "f")
		Expect(change.Anchors[0].Shared).To(BeTrue())
		Expect(change.Anchors[0].Lead).To(Equal(identity.LeadID(7)))
		Expect(change.Candidates).To(HaveLen(1))
	})

	Context("on a shared device", func() {
		BeforeEach(func() {
			w.device(identity.Anchor{Shared: true, Lead: 7, FirstLead: 7})
		})

		It("takes for its snapshot what mint and claims carried of their own sessions, and nothing else", func() {
			minted := w.mint("s", append(seen("s", "e1"), seen("older", "e2")...)...)
			Expect(ownersOf(minted)).To(Equal([]identity.Owner{snapshotOf(3), nobodys}))
			claimed := w.claim("c", "p", append(seen("p", "e3"), seen("", "e4")...)...)
			Expect(ownersOf(claimed)).To(Equal([]identity.Owner{snapshotOf(3), nobodys}))
			w.State.Fresh.Submission = 33
			Expect(w.confirm("c", "f").Submissions[0].ID).To(Equal(identity.SubmissionID(3)))
			Expect(ownersOf(w.claim("c", "p", seen("p", "e5")...))).To(Equal([]identity.Owner{snapshotOf(3)}))
			Expect(ownersOf(w.claim("c", "next day", seen("next day", "e6")...))).To(Equal([]identity.Owner{nobodys}))
		})

		It("takes nothing when somebody else was identified in a session of it", func() {
			w.mint("s", seen("s", "e")...)
			w.claim("c", "p")
			w.InSession = []identity.LeadID{8}
			w.State.Fresh.Submission = 33
			Expect(w.confirm("c", "f").Submissions[0].ID).To(Equal(identity.SubmissionID(33)))
			Expect(ownersOf(w.claim("c", "p", seen("p", "e")...))).To(Equal([]identity.Owner{nobodys}))
		})

		It("takes nothing that is of no session", func() {
			Expect(ownersOf(w.mint("", seen("", "e")...))).To(Equal([]identity.Owner{nobodys}))
			Expect(ownersOf(w.claim("c", "p", seen("p", "e")...))).To(Equal([]identity.Owner{nobodys}), "the confirm has no session either")
		})

		It("takes nothing of a doubtful session", func() {
			w.Doubtful = true
			Expect(ownersOf(w.mint("s", seen("s", "e")...))).To(Equal([]identity.Owner{nobodys}))
		})

		It("keeps its own id when it repeats a submission that came without a device", func() {
			w.mint("s", seen("s", "e")...)
			w.Lead = &identity.Lead{ID: 8}
			w.Prior = &identity.Submission{ID: 44, Lead: 8, Client: "f"}
			change := w.confirm("c", "f")
			Expect(change.Submissions[0].ID).To(Equal(identity.SubmissionID(44)))
			Expect(change.Submissions[0].Anchor).To(Equal(identity.AnchorID(10)))
			Expect(w.Handoff.Submission).To(Equal(identity.SubmissionID(44)))
		})
	})

	It("by a second person shares the device, and the handoff stays the first one's", func() {
		w.device(identity.Anchor{})
		w.mint("s")
		w.confirm("c", "f")
		first := *w.Handoff
		w.Lead, w.State.Fresh.Submission = &identity.Lead{ID: 9}, 33
		change := w.confirm("c", "g")
		Expect(change.Anchors[0].Shared).To(BeTrue())
		Expect(change.Submissions[0].ID).To(Equal(identity.SubmissionID(33)))
		Expect(*w.Handoff).To(Equal(first))
	})
})

var _ = Describe("A redeem", func() {
	h := identity.Handoff{Destination: portal, Claim: "c", ExpiresAt: time.Unix(1000, 0)}

	It("is for the browser that claimed, at its destination, in time", func() {
		Expect(h.Answers("c", portal, time.Unix(999, 0))).To(BeTrue())
		Expect(h.Answers("c", portal, time.Unix(1000, 0))).To(BeFalse())
		Expect(h.Answers("d", portal, time.Unix(999, 0))).To(BeFalse())
		Expect(h.Answers("c", shop, time.Unix(999, 0))).To(BeFalse())
	})

	It("of an unbound token has nobody to speak for", func() {
		unbound := h
		unbound.Claim = ""
		Expect(unbound.Answers("", portal, time.Unix(999, 0))).To(BeFalse())
	})
})

var _ = Describe("A reset with handoffs", func() {
	It("kills those that nobody has claimed", func() {
		w := newWay()
		w.device(identity.Anchor{})
		w.Handoffs = []identity.Handoff{{ID: 51, Anchor: 10}, {ID: 52, Anchor: 10, Claim: "c"}}
		Expect(w.Reset().Forgotten).To(Equal([]identity.HandoffID{51}))
	})
})
