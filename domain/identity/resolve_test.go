package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/identity"
)

var _ = Describe("A person who looks at a shared device", func() {
	var s *story
	BeforeEach(func() {
		s = newStory()
		s.submit(ana, "f1", "s1", pages("s1", "/1")...)
		s.submit(ben, "f2", "s2", pages("s1", "/2")...)
		s.submit(cyd, "f3", "s3")
	})

	states := func() (all []identity.CandidateState) {
		for _, c := range s.candidates {
			all = append(all, c.State)
		}
		return all
	}

	Describe("and points it at one lead", func() {
		BeforeEach(func() {
			_, err := s.resolve(identity.Resolve{Lead: s.lead(ben), By: "crm"})
			Expect(err).NotTo(HaveOccurred())
		})

		It("clears the flag and closes all its candidates", func() {
			Expect(s.device.Shared).To(BeFalse())
			Expect(s.device.Lead).To(Equal(s.lead(ben)))
			Expect(s.device.FirstLead).To(Equal(s.lead(ana)), "the past stays")
			Expect(s.device.Provenance).To(Equal(identity.ByPerson))
			Expect(states()).To(Equal([]identity.CandidateState{identity.Resolved, identity.Resolved}))
			Expect(s.candidates[0].ResolvedBy).To(Equal("crm"))
		})

		It("lets future browsing follow, and no past", func() {
			s.visit(pages("s4", "/2", "/4")...)
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/4"), s.of(ben)))
		})

		It("is asked again when the other person submits again", func() {
			s.submit(ana, "f4", "s4", pages("s4", "/4")...)
			Expect(s.device.Shared).To(BeTrue())
			Expect(s.device.Lead).To(Equal(s.lead(ben)))
			Expect(states()).To(Equal([]identity.CandidateState{identity.Resolved, identity.Resolved, identity.Open}))
			Expect(s.candidates[2].First).To(Equal(s.lead(ben)))
			Expect(s.candidates[2].Second).To(Equal(s.lead(ana)))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/4"), s.in(ana, "f4")))
		})

		It("is asked again even if a third person made it shared before", func() {
			s.submit(cyd, "f4", "s4")
			s.submit(ana, "f5", "s5")
			Expect(states()[2:]).To(Equal([]identity.CandidateState{identity.Open, identity.Open}))
			Expect(s.candidates[3].First).To(Equal(s.lead(ben)))
			Expect(s.candidates[3].Second).To(Equal(s.lead(ana)))
		})

		It("is asked about the same pair again, where it was pointed back", func() {
			_, err := s.resolve(identity.Resolve{Lead: s.lead(ana)})
			Expect(err).NotTo(HaveOccurred())
			s.submit(cyd, "f4", "s4")
			s.submit(ben, "f5", "s5")
			s.submit(ben, "f6", "s5")
			Expect(states()[2:]).To(Equal([]identity.CandidateState{identity.Open, identity.Open}))
			Expect(s.candidates[3].Second).To(Equal(s.lead(ben)))
		})

		It("is not asked again by a submission sent twice", func() {
			s.submit(ana, "f1", "s4", pages("s4", "/4")...)
			Expect(s.device.Shared).To(BeFalse())
			Expect(s.candidates).To(HaveLen(2))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/4"), s.of(ben)))
		})

		It("leaves what was closed as it was closed", func() {
			s.submit(ana, "f4", "s4")
			_, err := s.resolve(identity.Resolve{KeepShared: true, By: "other"})
			Expect(err).NotTo(HaveOccurred())
			Expect(states()).To(Equal([]identity.CandidateState{identity.Resolved, identity.Resolved, identity.KeptShared}))
			Expect(s.candidates[0].ResolvedBy).To(Equal("crm"))
			Expect(s.candidates[2].ResolvedBy).To(Equal("other"))
		})
	})

	Describe("and leaves it shared", func() {
		BeforeEach(func() {
			_, err := s.resolve(identity.Resolve{KeepShared: true, By: "crm"})
			Expect(err).NotTo(HaveOccurred())
		})

		It("closes all its candidates as kept shared", func() {
			Expect(s.device.Shared).To(BeTrue())
			Expect(s.device.Lead).To(Equal(s.lead(ana)))
			Expect(s.device.Provenance).To(Equal(identity.ByKey))
			Expect(states()).To(Equal([]identity.CandidateState{identity.KeptShared, identity.KeptShared}))
			Expect(s.candidates[1].ResolvedBy).To(Equal("crm"))
		})

		It("is not asked about the same pair again, whoever submits", func() {
			s.submit(ben, "f4", "s4")
			s.submit(ana, "f5", "s5")
			s.submit(cyd, "f3", "s3")
			Expect(s.candidates).To(HaveLen(2))
		})

		It("is asked about the pair again, once the device was pointed at one of them after all", func() {
			_, err := s.resolve(identity.Resolve{Lead: s.lead(ana)})
			Expect(err).NotTo(HaveOccurred())
			s.submit(ben, "f4", "s4")
			Expect(states()).To(Equal([]identity.CandidateState{identity.KeptShared, identity.KeptShared, identity.Open}))
			Expect(s.device.Shared).To(BeTrue())
		})

		It("is asked about one of the pair and whom the device was pointed at since", func() {
			_, err := s.resolve(identity.Resolve{Lead: s.lead(ben)})
			Expect(err).NotTo(HaveOccurred())
			s.submit(ana, "f4", "s4")
			s.submit(cyd, "f5", "s5")
			Expect(states()[2:]).To(Equal([]identity.CandidateState{identity.Open, identity.Open}))
			Expect(s.candidates[3].First).To(Equal(s.lead(ben)))
			Expect(s.candidates[3].Second).To(Equal(s.lead(cyd)))
		})

		It("is asked about somebody who is new there", func() {
			s.submit("dan@example.org", "f4", "s4")
			Expect(states()).To(Equal([]identity.CandidateState{identity.KeptShared, identity.KeptShared, identity.Open}))
		})
	})

	It("cannot point it at a lead that never was on it", func() {
		before := s.device
		change, err := s.resolve(identity.Resolve{Lead: s.lead(cyd) + 1000})
		Expect(fault.CodeOf(err)).To(Equal(fault.Unlisted))
		Expect(err).To(MatchError(ContainSubstring("lead_id")))
		Expect(change).To(Equal(identity.Change{}))
		Expect(s.device).To(Equal(before))
		_, err = s.resolve(identity.Resolve{})
		Expect(fault.CodeOf(err)).To(Equal(fault.Unlisted), "nobody is no lead")
	})

	It("cannot decide about a device that is not there", func() {
		_, err := identity.Met{}.Resolve(identity.Resolve{KeepShared: true})
		Expect(fault.CodeOf(err)).To(Equal(fault.NotFound))
	})
})
