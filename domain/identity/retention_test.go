package identity_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"

	"continuity/domain/identity"
)

var _ = Describe("Retention", func() {
	const day = 24 * time.Hour

	It("forgets nothing early, and at most one grain late", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			period := time.Duration(rapid.Int64Range(1, int64(10*365*day/time.Millisecond)).Draw(t, "ms")) * time.Millisecond
			now := time.UnixMilli(rapid.Int64Range(0, 1<<42).Draw(t, "now")).UTC()
			anchor := identity.Mint(1, keyOf(1), identity.Saved, identity.Moment{Now: now, Keep: identity.Retention{Period: period}})
			grain := max(period/730, time.Millisecond)
			g.Expect(anchor.ExpiresAt).To(BeTemporally(">=", now.Add(period)))
			g.Expect(anchor.ExpiresAt).To(BeTemporally("<", now.Add(period+grain)))
		})
	})

	It("writes a device that returns within a grain once, and with it its person", func() {
		s := newStory()
		s.submit(ana, "f1", "s1")
		Expect(s.visit(pages("s1", "/1")...).Anchors).To(BeEmpty())
		s.moment.Now = morning.Now.Add(day)
		change := s.visit(pages("s2", "/2")...)
		Expect(change.Anchors).To(HaveLen(1))
		Expect(s.device.LastSeenAt).To(Equal(s.moment.Now))
		Expect(s.device.ExpiresAt).To(BeTemporally(">=", s.moment.Now.Add(keeping.Period)))
		Expect(change.Seen).To(Equal([]identity.LeadSeen{{Lead: s.lead(ana), At: s.moment.Now, ExpiresAt: s.device.ExpiresAt}}))
		s.moment.Now = s.moment.Now.Add(time.Minute)
		Expect(s.visit(pages("s2", "/3")...).Anchors).To(BeEmpty())
	})

	It("never moves back", func() {
		s := newStory()
		s.submit(ana, "f1", "s1")
		s.moment.Now = morning.Now.Add(-10 * day)
		Expect(s.visit(pages("s1", "/1")...).Anchors).To(BeEmpty())
	})

	It("of a shared device tells nothing about the person it points at", func() {
		s := newStory()
		s.submit(ana, "f1", "s1")
		s.submit(ben, "f2", "s1")
		s.moment.Now = morning.Now.Add(10 * day)
		change := s.visit(pages("s1", "/1")...)
		Expect(change.Anchors).To(HaveLen(1))
		Expect(change.Seen).To(BeEmpty())
	})

	It("keeps a device that nothing has saved for as long as it is held", func() {
		held := identity.Mint(1, keyOf(1), identity.Held, morning)
		Expect(held.ExpiresAt).To(BeTemporally("~", morning.Now.Add(keeping.HeldFor), 6*time.Minute))
		s := newStory()
		s.device = held
		s.moment.Now = morning.Now.Add(day)
		s.visit(pages("s1", "/1")...)
		Expect(s.device.ExpiresAt).To(BeTemporally("~", s.moment.Now.Add(keeping.HeldFor), 6*time.Minute), "an append saves nothing")
		s.submit(ana, "f1", "s1")
		Expect(s.device.ExpiresAt).To(BeTemporally(">=", s.moment.Now.Add(keeping.Period)))
	})

	It("may be for ever", func() {
		s := newStory()
		s.moment.Keep = identity.Retention{}
		s.submit(ana, "f1", "s1")
		Expect(s.device.ExpiresAt).To(BeZero())
		Expect(s.leads[ana].ExpiresAt).To(BeZero())
		s.moment.Keep = keeping
		s.visit(pages("s1", "/1")...)
		Expect(s.device.ExpiresAt).To(BeZero(), "what is kept for ever is not shortened by an append")
		s.moment.Keep = identity.Retention{}
		s.device.ExpiresAt = morning.Now
		s.visit(pages("s1", "/1")...)
		Expect(s.device.ExpiresAt).To(BeZero(), "and what had an end loses it")
	})

	It("of a person lasts at least as long as the device that was pointed at them", func() {
		s := newStory()
		s.submit(ben, "f1", "s1")
		s.moment.Now = morning.Now.Add(500 * day)
		s.submit(ana, "f2", "s2")
		s.moment.Now = morning.Now.Add(700 * day)
		s.visit(pages("s3", "/3")...)
		change, err := s.resolve(identity.Resolve{Lead: s.lead(ben)})
		Expect(err).NotTo(HaveOccurred())
		Expect(change.Seen).To(Equal([]identity.LeadSeen{{Lead: s.lead(ben), At: s.device.LastSeenAt, ExpiresAt: s.device.ExpiresAt}}))
	})
})
