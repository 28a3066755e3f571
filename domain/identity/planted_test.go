package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A request with two keys that are known, of which one was planted", func() {
	first := identity.Anchor{ID: 7, Key: keyOf(1), Lead: 3, FirstLead: 3, Status: identity.Saved}
	second := identity.Anchor{ID: 8, Key: keyOf(2), Lead: 4, FirstLead: 4, Status: identity.Saved}
	state := identity.State{
		Devices: []identity.Anchor{first, second},
		Fresh:   identity.Fresh{Anchor: 101, Lead: 102, Submission: 103, Candidate: 104},
	}
	command := identity.Submit{
		Moment: morning, Client: "f1", Person: identity.Person{Email: ana}, Session: "s1",
		Events: pages("s1", "/1"), FreshKey: keyOf(3),
	}

	It("appends to the first device, for nobody", func() {
		change := state.Append(identity.Append{Moment: morning, Events: pages("s1", "/1")})
		Expect(change.Stamp).To(Equal(first.Key))
		Expect(change.Events).To(HaveLen(1))
		Expect(change.Events[0].Anchor).To(Equal(first.ID))
		Expect(change.Events[0].Owner).To(Equal(nobody))
	})

	It("submits without a device: nobody is linked, nobody meets", func() {
		change := state.Submit(command)
		Expect(change.Submissions).To(HaveLen(1))
		Expect(change.Submissions[0].Anchor).To(BeZero())
		Expect(change.Leads).To(HaveLen(1))
		Expect(change.Candidates).To(BeEmpty())
		for _, anchor := range change.Anchors {
			Expect(anchor.Shared).To(BeFalse())
			Expect(anchor.Lead).To(Equal(first.Lead))
		}
		Expect(change.Stamp).To(Equal(first.Key))
		Expect(change.Events[0].Anchor).To(Equal(first.ID))
		Expect(change.Events[0].Owner).To(Equal(nobody))
	})

	It("leaves the session in doubt on both devices", func() {
		Expect(state.Submit(command).Doubtful).To(ConsistOf(
			identity.SessionOn{Anchor: first.ID, Session: "s1"}, identity.SessionOn{Anchor: second.ID, Session: "s1"}))
	})

	It("leaves nothing in doubt when it named no session", func() {
		unnamed := command
		unnamed.Session = ""
		Expect(state.Submit(unnamed).Doubtful).To(BeEmpty())
	})

	It("repeats a submission as an append for nobody", func() {
		again := state
		again.Lead = &identity.Lead{ID: 3, Person: identity.Person{Email: ana}}
		again.Prior = &identity.Submission{ID: 5, Lead: 3, Client: "f1", Anchor: first.ID}
		change := again.Submit(command)
		Expect(change.Submissions).To(BeEmpty())
		Expect(change.Events[0].Owner).To(Equal(nobody))
	})

	It("is the device's after all when one of the keys is dead", func() {
		alone := state
		alone.Devices = alone.Devices[1:]
		change := alone.Submit(command)
		Expect(change.Submissions[0].Anchor).To(Equal(second.ID))
	})
})
