package identity_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

var _ = Describe("What went wrong elsewhere", func() {
	// steps are ID-01: each page arrives with what comes after it, its own session given.
	steps := func(s *story, s1, s2, s3, s4 journey.Session) {
		s.submit(ana, "f1", s1, pages(s1, "/1")...)
		s.submit(ben, "f2", s2, pages(s2, "/2")...)
		s.submit(ana, "f3", s3, pages(s3, "/3")...)
		s.visit(pages(s4, "/4")...)
	}
	guarded := func(s *story) {
		GinkgoHelper()
		Expect(s.leads).To(HaveLen(2))
		Expect(s.device.Shared).To(BeTrue())
		Expect(s.device.Lead).To(Equal(s.lead(ana)))
		Expect(s.candidates).To(HaveLen(1))
		Expect(s.candidates[0].State).To(Equal(identity.Open))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/4"), nobody))
	}

	It("ID-01, in one session: the second person on a browser takes over nothing, nor does the first", func() {
		s := newStory()
		steps(s, "s1", "s1", "s1", "s1")
		guarded(s)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
	})

	It("ID-01, in several sessions: each submission keeps what its own session brought", func() {
		s := newStory()
		steps(s, "s1", "s2", "s3", "s4")
		guarded(s)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.in(ben, "f2")))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), s.in(ana, "f3")))
	})

	It("ID-03: a known person on a fresh browser stays who they are", func() {
		laptop := newStory()
		laptop.submit(ana, "f1", "s1")
		before := laptop.leads[ana]
		phone := newStory()
		phone.leads, phone.next = map[identity.Email]identity.Lead{ana: before}, 500
		phone.moment.Now = morning.Now.Add(30 * 24 * time.Hour)
		Expect(phone.visit(pages("s2", "/2")...)).To(Equal(identity.Change{}))
		phone.submit(ana, "f2", "s2")
		Expect(phone.leads).To(HaveLen(1))
		Expect(phone.leads[ana].ID).To(Equal(before.ID))
		Expect(phone.leads[ana].FirstSeen).To(Equal(before.FirstSeen))
		Expect(phone.device.Lead).To(Equal(before.ID))
	})

	It("ID-04: one address on two devices is one person with both", func() {
		laptop := newStory()
		laptop.submit(ana, "f1", "s1", pages("s1", "/x")...)
		phone := newStory()
		phone.leads, phone.next = laptop.leads, 500
		phone.submit(ana, "f2", "s2", pages("s2", "/y")...)
		Expect(phone.device.ID).NotTo(Equal(laptop.device.ID))
		Expect(phone.owners).To(HaveKeyWithValue(BeEquivalentTo("/y"), laptop.of(ana)))
		laptop.visit(pages("s3", "/x2")...)
		phone.visit(pages("s3", "/y2")...)
		Expect(laptop.owners).To(HaveKeyWithValue(BeEquivalentTo("/x2"), laptop.of(ana)))
		Expect(phone.owners).To(HaveKeyWithValue(BeEquivalentTo("/y2"), laptop.of(ana)))
	})

	It("ID-07: a form backend links no device, until a request carries both", func() {
		s := newStory()
		s.device = identity.Mint(5, keyOf(4), identity.Saved, morning)
		command := s.form(ana, "f1", "s1")
		command.FreshKey = identity.KeyHash{}
		state := s.about(ana, "f1", "s1")
		state.Devices = nil
		s.apply(state.Submit(command))
		Expect(s.device.Linked()).To(BeFalse())
		Expect(s.prior[submitted{ana, "f1"}].Anchor).To(BeZero())
		s.submit(ana, "f1", "s1")
		Expect(s.device.Lead).To(Equal(s.lead(ana)))
	})
})
