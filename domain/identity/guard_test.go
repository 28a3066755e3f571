package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A device on which a second person submits", func() {
	var s *story
	BeforeEach(func() {
		s = newStory()
		s.submit(ana, "f1", "s1", pages("s1", "/1")...)
		s.submit(ben, "f2", "s2", pages("s1", "/2")...)
	})

	It("is shared from then on, and stays with the first", func() {
		Expect(s.device.Shared).To(BeTrue())
		Expect(s.device.Lead).To(Equal(s.lead(ana)))
		Expect(s.device.FirstLead).To(Equal(s.lead(ana)))
		Expect(s.device.Provenance).To(Equal(identity.ByKey))
	})

	It("refuses nobody: the second person and the submission are kept", func() {
		Expect(s.lead(ben)).NotTo(BeZero())
		Expect(s.lead(ben)).NotTo(Equal(s.lead(ana)))
		Expect(s.prior[submitted{ben, "f2"}].Anchor).To(Equal(s.device.ID))
	})

	It("gives what arrived with the second submission to nobody, not to the first", func() {
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
	})

	It("browses for nobody, whoever submits again", func() {
		s.visit(pages("s3", "/3")...)
		s.submit(ana, "f3", "s3", pages("s1", "/4")...)
		s.visit(pages("s3", "/5")...)
		Expect(s.device.Shared).To(BeTrue(), "only a person clears it")
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/4"), nobody))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/5"), nobody))
	})

	It("shows the pair once, however often the two submit", func() {
		s.submit(ben, "f3", "s3")
		s.submit(ana, "f4", "s4")
		s.submit(ben, "f5", "s5")
		Expect(s.candidates).To(HaveLen(1))
		pair := s.candidates[0]
		Expect(pair.Anchor).To(Equal(s.device.ID))
		Expect(pair.First).To(Equal(s.lead(ana)))
		Expect(pair.Second).To(Equal(s.lead(ben)))
		Expect(pair.Submission).To(Equal(s.prior[submitted{ben, "f2"}].ID))
		Expect(pair.State).To(Equal(identity.Open))
		Expect(pair.At).To(Equal(morning.Now))
	})

	It("shows a pair for each further person", func() {
		s.submit(cyd, "f3", "s3")
		Expect(s.candidates).To(HaveLen(2))
		Expect(s.candidates[1].First).To(Equal(s.lead(ana)))
		Expect(s.candidates[1].Second).To(Equal(s.lead(cyd)))
	})

	It("is not touched by the second person's other devices", func() {
		phone := newStory()
		phone.leads, phone.next = s.leads, 500
		phone.submit(ben, "f9", "s9", pages("s9", "/9")...)
		Expect(phone.device.Shared).To(BeFalse())
		Expect(phone.device.Lead).To(Equal(s.lead(ben)))
		Expect(phone.owners).To(HaveKeyWithValue(BeEquivalentTo("/9"), s.of(ben)))
	})

	Describe("and which lost its people since", func() {
		It("links nobody while it is shared", func() {
			s.device.Lead, s.device.FirstLead = 0, 0
			s.submit(cyd, "f3", "s3", pages("s4", "/3")...)
			Expect(s.device.Lead).To(BeZero())
			Expect(s.device.Shared).To(BeTrue())
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
		})

		It("links nobody while it had a first lead", func() {
			s.device.Lead, s.device.Shared = 0, false
			s.submit(cyd, "f3", "s3", pages("s4", "/3")...)
			Expect(s.device.Lead).To(BeZero())
			Expect(s.device.FirstLead).To(Equal(s.lead(ana)))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
		})
	})
})
