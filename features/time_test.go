package features_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("A visitor's clock", func() {
	world.EachWay(func(open func() *world.World) {
		It("may be wrong by more than a year, and the journey is right", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			wrong := w.Now().Add(400 * 24 * time.Hour)
			phone.Visit("/1")
			phone.Mirror[0].At = wrong.Add(-5 * time.Second)
			form := phone.Form(ana)
			form.SentAt = wrong
			phone.Send(form)
			step := w.JourneyOf(ana)[0]
			Expect(step.Clamped).To(BeFalse())
			Expect(step.OccurredAt).To(BeTemporally("~", step.ReceivedAt.Add(-5*time.Second), 50*time.Millisecond))
		})

		It("is not believed when it says that something is still to come", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Visit("/now", "/future")
			phone.Mirror[1].At = time.Date(2096, 1, 1, 0, 0, 0, 0, time.UTC)
			form := phone.Form(ana)
			form.SentAt = time.Time{}
			phone.Send(form)
			steps := w.JourneyOf(ana)
			Expect(world.URLs(steps)).To(Equal([]string{"/now", "/future"}))
			Expect(steps[1].Clamped).To(BeTrue())
			Expect(steps[1].OccurredAt).To(Equal(steps[1].ReceivedAt))
		})
	})
})
