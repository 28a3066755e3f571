package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A submission that is sent again", func() {
	var s *story
	BeforeEach(func() {
		s = newStory()
		s.submit(ana, "f1", "s1", pages("s1", "/1")...)
	})

	It("adds no submission and no identity", func() {
		command := s.form(ana, "f1", "s1")
		command.Person.Name = "Another name"
		change := s.about(ana, "f1", "s1").Submit(command)
		Expect(change.Submissions).To(BeEmpty())
		Expect(change.Leads).To(BeEmpty())
		Expect(change.Candidates).To(BeEmpty())
		Expect(change.Anchors).To(BeEmpty(), "of the same moment there is nothing to slide")
		Expect(change.Stamp).To(Equal(s.device.Key))
	})

	It("appends the events it carries", func() {
		s.submit(ana, "f1", "s1", pages("s1", "/1", "/2")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.of(ana)))
	})

	It("takes no snapshot on a shared device", func() {
		s.submit(ben, "f2", "s2", pages("s2", "/2")...)
		s.submit(ben, "f2", "s2", pages("s2", "/2", "/3")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.in(ben, "f2")))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
	})

	It("on somebody else's device makes nobody meet", func() {
		laptop := newStory()
		laptop.leads, laptop.next = s.leads, 500
		laptop.submit(ben, "f9", "s9")
		laptop.prior[submitted{ana, "f1"}] = s.prior[submitted{ana, "f1"}]
		laptop.submit(ana, "f1", "s9", pages("s9", "/9")...)
		Expect(laptop.device.Shared).To(BeFalse())
		Expect(laptop.candidates).To(BeEmpty())
		Expect(laptop.owners).To(HaveKeyWithValue(BeEquivalentTo("/9"), laptop.of(ben)))
	})

	Describe("by a browser that never got its key", func() {
		lost := func() identity.Change {
			state := s.about(ana, "f1", "s1")
			state.Devices = nil
			return s.apply(state.Submit(s.form(ana, "f1", "s1", pages("s1", "/1", "/2")...)))
		}

		It("loses no event: they go to the device it was given", func() {
			home := s.device.ID
			change := lost()
			Expect(change.Events).To(HaveLen(2))
			Expect(change.Events[1].Anchor).To(Equal(home))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.of(ana)))
		})

		It("gets no key, and no second device", func() {
			change := lost()
			Expect(change.Stamp).To(BeZero())
			Expect(change.Anchors).To(BeEmpty())
			Expect(change.Submissions).To(BeEmpty())
		})

		It("browses for nobody where that device is shared by now", func() {
			s.submit(ben, "f2", "s2")
			lost()
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
		})
	})

	It("by a form backend stores no events, since it speaks of no device", func() {
		command := s.form(ana, "f1", "s1", pages("s1", "/2")...)
		command.FreshKey = identity.KeyHash{}
		state := s.about(ana, "f1", "s1")
		state.Devices = nil
		Expect(state.Submit(command)).To(Equal(identity.Change{}))
	})

	Describe("after it came without a device", func() {
		BeforeEach(func() {
			s = newStory()
			command := s.form(ana, "f1", "s1")
			command.FreshKey = identity.KeyHash{}
			s.apply(s.state().Submit(command))
		})

		It("brings the first device, links it and stores its events", func() {
			before := s.prior[submitted{ana, "f1"}]
			s.submit(ana, "f1", "s1", pages("s1", "/1")...)
			Expect(s.device.Lead).To(Equal(s.lead(ana)))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
			after := s.prior[submitted{ana, "f1"}]
			Expect(after.Anchor).To(Equal(s.device.ID))
			Expect(after.Session).To(BeEquivalentTo("s1"))
			after.Anchor, after.Session = before.Anchor, before.Session
			Expect(after).To(Equal(before), "all else is as it was first sent")
		})

		It("guards a device that is somebody else's", func() {
			s.submit(ben, "f2", "s2")
			s.submit(ana, "f1", "s1", pages("s1", "/1")...)
			Expect(s.device.Shared).To(BeTrue())
			Expect(s.candidates).To(HaveLen(1))
			Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.in(ana, "f1")))
		})

		It("changes no name when it comes again", func() {
			command := s.form(ana, "f1", "s1")
			command.Person.Name = "Another name"
			change := s.apply(s.about(ana, "f1", "s1").Submit(command))
			Expect(change.Leads).To(BeEmpty())
		})
	})
})
