package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A reset", func() {
	It("retires every key that was sent, and keeps link and past", func() {
		linked := identity.Anchor{ID: 7, Key: keyOf(1), Lead: 3, FirstLead: 3, Provenance: identity.ByKey, Status: identity.Saved}
		shared := identity.Anchor{ID: 8, Key: keyOf(2), Lead: 4, FirstLead: 5, Provenance: identity.ByPerson, Shared: true, Status: identity.Saved}
		change := identity.State{Devices: []identity.Anchor{linked, shared}}.Reset()
		linked.Key, shared.Key = identity.KeyHash{}, identity.KeyHash{}
		Expect(change).To(Equal(identity.Change{Anchors: []identity.Anchor{linked, shared}}), "and no key is issued")
	})

	It("of a key that nobody knows changes nothing", func() {
		Expect(identity.State{}.Reset()).To(Equal(identity.Change{}))
	})

	It("makes the next visitor somebody else", func() {
		s := newStory()
		s.submit(ana, "f1", "s1", pages("s1", "/1")...)
		before := s.device
		s.apply(s.state().Reset())
		Expect(s.visit(pages("s1", "/2")...)).To(Equal(identity.Change{}))
		s.submit(ben, "f2", "s1", pages("s1", "/2")...)
		Expect(s.device.ID).NotTo(Equal(before.ID))
		Expect(s.device.Shared).To(BeFalse())
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.of(ben)))
	})
})
