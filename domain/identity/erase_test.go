package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

var _ = Describe("Forgetting a person (R10)", func() {
	const ana, ben = identity.LeadID(1), identity.LeadID(2)
	key := identity.KeyHash{7}
	forget := func(t identity.Traces) identity.Forgetting { return identity.Forget(ana, []identity.Traces{t}) }

	It("removes a device on which only they ever left anything", func() {
		hers := identity.Anchor{ID: 9, Key: key, Lead: ana, FirstLead: ana, Provenance: identity.ByKey}
		Expect(forget(identity.Traces{Anchor: hers, Sessions: []journey.Session{"s"}, Events: 3})).
			To(Equal(identity.Forgetting{Remove: []identity.AnchorID{9}}))
	})

	It("leaves a shared device its flag and its key, and takes the link away", func() {
		shared := identity.Anchor{ID: 9, Key: key, Lead: ana, FirstLead: ana, Provenance: identity.ByKey, Shared: true}
		Expect(forget(identity.Traces{Anchor: shared, Sessions: []journey.Session{"s1", "s2"}})).To(Equal(identity.Forgetting{
			Strip:    []identity.Anchor{{ID: 9, Key: key, Shared: true}},
			Doubtful: []identity.SessionOn{{Anchor: 9, Session: "s1"}, {Anchor: 9, Session: "s2"}},
		}))
	})

	DescribeTable("retires the key of a device that others used too and that is not shared",
		func(before, after identity.Anchor, others bool) {
			before.ID, before.Key, after.ID = 9, key, 9
			Expect(forget(identity.Traces{Anchor: before, Others: others}).Strip).To(Equal([]identity.Anchor{after}))
		},
		Entry("pointed at them by hand",
			identity.Anchor{Lead: ana, FirstLead: ben, Provenance: identity.ByPerson}, identity.Anchor{FirstLead: ben}, false),
		Entry("pointed at another by hand, which stays",
			identity.Anchor{Lead: ben, FirstLead: ana, Provenance: identity.ByPerson},
			identity.Anchor{Lead: ben, Provenance: identity.ByPerson}, false),
		Entry("with something on it that is another's or nobody's",
			identity.Anchor{Lead: ana, FirstLead: ana, Provenance: identity.ByKey}, identity.Anchor{}, true),
	)

	It("keeps the link of a shared device that points at another", func() {
		bens := identity.Anchor{ID: 9, Key: key, Lead: ben, FirstLead: ben, Provenance: identity.ByEmail, Shared: true}
		Expect(forget(identity.Traces{Anchor: bens, Others: true}).Strip).To(Equal([]identity.Anchor{bens}))
	})
})
