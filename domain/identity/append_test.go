package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A return visit", func() {
	known := identity.Anchor{ID: 7, Key: keyOf(1), Lead: 3, FirstLead: 3, Status: identity.Saved}

	It("gives its events to the person its device points at, and issues the same key again", func() {
		change := identity.State{Devices: []identity.Anchor{known}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1", "/2")})
		Expect(change.Stamp).To(Equal(known.Key))
		Expect(change.Events).To(HaveLen(2))
		for i, event := range change.Events {
			Expect(event.Anchor).To(Equal(known.ID))
			Expect(event.Owner).To(Equal(identity.Owner{Ownership: identity.Attributed, Lead: 3}))
			Expect(event.Position).To(Equal(i), "where in the request it stood")
		}
	})

	It("decides nothing about people", func() {
		change := identity.State{Devices: []identity.Anchor{known}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1")})
		Expect(change.Leads).To(BeEmpty())
		Expect(change.Submissions).To(BeEmpty())
		Expect(change.Candidates).To(BeEmpty())
		for _, anchor := range change.Anchors {
			Expect(anchor.Lead).To(Equal(known.Lead))
			Expect(anchor.Shared).To(BeFalse())
			Expect(anchor.Key).To(Equal(known.Key))
		}
	})

	It("without a key that is known changes nothing and gets no key", func() {
		change := identity.State{Fresh: identity.Fresh{Anchor: 9}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1")})
		Expect(change).To(Equal(identity.Change{}))
	})

	It("of a device nobody identified on waits for its first lead", func() {
		anchor := identity.Mint(7, keyOf(1), identity.Saved, morning)
		change := identity.State{Devices: []identity.Anchor{anchor}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1")})
		Expect(change.Events[0].Owner).To(Equal(identity.Owner{Ownership: identity.Attributed}))
	})

	It("of a device that is shared is nobody's", func() {
		shared := known
		shared.Shared = true
		change := identity.State{Devices: []identity.Anchor{shared}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1")})
		Expect(change.Stamp).To(Equal(shared.Key))
		Expect(change.Events[0].Owner).To(Equal(nobody))
	})

	It("of a device that pointed at somebody once, and at nobody now, is nobody's", func() {
		unlinked := known
		unlinked.Lead = 0
		change := identity.State{Devices: []identity.Anchor{unlinked}}.Append(identity.Append{Moment: morning, Events: pages("s", "/1")})
		Expect(change.Events[0].Owner).To(Equal(nobody))
	})

	Describe("where anonymous anchors are allowed", func() {
		command := identity.Append{Moment: morning, Events: pages("s", "/1"), FreshKey: keyOf(2)}

		It("gives an unknown device an anchor and its key", func() {
			change := identity.State{Fresh: identity.Fresh{Anchor: 9}}.Append(command)
			Expect(change.Anchors).To(Equal([]identity.Anchor{identity.Mint(9, keyOf(2), identity.Saved, morning)}))
			Expect(change.Stamp).To(Equal(keyOf(2)))
			Expect(change.Events).To(HaveLen(1))
			Expect(change.Events[0].Anchor).To(Equal(identity.AnchorID(9)))
			Expect(change.Events[0].Owner).To(Equal(identity.Owner{Ownership: identity.Attributed}))
		})

		It("keeps to the key of a device that is known", func() {
			change := identity.State{Devices: []identity.Anchor{known}, Fresh: identity.Fresh{Anchor: 9}}.Append(command)
			Expect(change.Stamp).To(Equal(known.Key))
			Expect(change.Events[0].Anchor).To(Equal(known.ID))
		})
	})
})
