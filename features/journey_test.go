package features_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

const month = 30 * 24 * time.Hour

var _ = Describe("A visitor who converts and comes back", func() {
	world.EachWay(func(open func() *world.World) {
		It("has months of browsing in their journey, from before and from after", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			for _, page := range []string{"/first", "/second", "/third"} {
				phone.Visit(page)
				Expect(phone.Beacon()).To(Equal(world.Reply{}), "an unknown device gets nothing and loses nothing")
				phone.Return(month)
			}
			phone.Visit("/contact")
			phone.Submit(ana)
			for _, page := range []string{"/back", "/again"} {
				phone.Return(month)
				phone.Visit(page)
				key := phone.Key
				Expect(phone.Beacon()).To(Equal(world.Reply{Stored: true, Key: key}), "the same key is issued again")
			}
			steps := w.JourneyOf(ana)
			Expect(world.URLs(steps)).To(Equal([]string{"/first", "/second", "/third", "/contact", "/back", "/again"}))
			for _, step := range steps {
				Expect(step.Ownership).To(Equal("attributed"))
			}
			Expect(steps[5].OccurredAt.Sub(steps[0].OccurredAt)).To(BeNumerically(">=", 5*month))
		})

		It("is the same lead, first seen when it was, however often they submit", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Submit(ana)
			first := w.LeadOf(ana)
			form := phone.Form("  " + ana + "\r\n")
			form.Name = "Ana"
			phone.Send(form)
			again := w.LeadOf(ana)
			Expect(again.ID).To(Equal(first.ID))
			Expect(again.FirstSeen).To(Equal(first.FirstSeen))
			Expect(again.Name).To(Equal("Ana"))
			Expect(again.Submissions).To(Equal(2))
			Expect(again.Anchors).To(Equal(1))
			phone.Submit(ana)
			Expect(w.LeadOf(ana).Name).To(Equal("Ana"), "an empty name takes nothing away")
		})

		It("keeps everything that a year of visits held back until the form was sent", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			for range 12 {
				phone.Visit("/monthly")
				phone.Beacon()
				phone.Return(month)
			}
			phone.Submit(ana)
			Expect(w.JourneyOf(ana)).To(HaveLen(12))
		})
	})
})

var _ = Describe("Two devices, one person", func() {
	world.EachWay(func(open func() *world.World) {
		It("have one lead, and one journey in order of time", func() {
			w := open()
			ana, phone, laptop := w.Person("ana"), w.Device(), w.Device()
			phone.Visit("/x")
			laptop.Visit("/y")
			laptop.Submit(ana)
			phone.Submit(ana)
			phone.Visit("/z")
			phone.Beacon()
			lead := w.LeadOf(ana)
			Expect(lead.Anchors).To(Equal(2))
			Expect(world.URLs(w.Journey(lead.ID))).To(Equal([]string{"/x", "/y", "/z"}))
			submissions := w.Submissions(lead.ID)
			Expect(submissions).To(HaveLen(2))
			Expect(submissions[0].Provenance).To(Equal("key"))
			Expect(submissions[1].Provenance).To(Equal("email_hmac"))
			Expect(w.Anchor(submissions[0].Anchor).Provenance).To(Equal("key"))
			Expect(w.Anchor(submissions[1].Anchor).Provenance).To(Equal("email_hmac"))
		})

		It("are told apart when only one of them submits, whatever else they have in common", func() {
			w := open()
			ana, one, other := w.Person("ana"), w.Device(), w.Device()
			one.Visit("/one")
			one.Submit(ana)
			other.Visit("/other")
			Expect(other.Beacon()).To(Equal(world.Reply{}))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/one"}))
		})
	})
})

var _ = Describe("Cookies cleared", func() {
	world.EachWay(func(open func() *world.World) {
		It("are the end of the device, until its visitor submits again", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Visit("/before")
			phone.Submit(ana)
			first := phone.Key
			phone.Key = ""
			phone.Visit("/between")
			Expect(phone.Beacon()).To(Equal(world.Reply{}))
			phone.Submit(ana)
			Expect(phone.Key).NotTo(Or(BeEmpty(), Equal(first)))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/before", "/between"}))
			Expect(w.LeadOf(ana).Anchors).To(Equal(2))
		})

		It("leave a key that nobody issued with nothing, and let it go", func() {
			w := open()
			phone := w.Device()
			phone.Key = world.NewID()
			phone.Visit("/x")
			Expect(phone.Beacon()).To(Equal(world.Reply{Expired: true}))
		})
	})
})

var _ = Describe("Somebody else after a reset", func() {
	world.EachWay(func(open func() *world.World) {
		It("never shows in the first visitor's journey", func() {
			w := open()
			ana, ben, kiosk := w.Person("ana"), w.Person("ben"), w.Device()
			kiosk.Visit("/ana")
			kiosk.Submit(ana)
			Expect(kiosk.Reset()).To(Equal(world.Reply{Stored: true, Expired: true}))
			kiosk.Visit("/ben")
			kiosk.Beacon()
			kiosk.Submit(ben)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/ana"}))
			Expect(world.URLs(w.JourneyOf(ben))).To(Equal([]string{"/ben"}))
			device := w.Submissions(w.LeadOf(ana).ID)[0].Anchor
			Expect(w.Anchor(device).Shared).To(BeFalse())
			Expect(w.Anchor(device).Lead).To(Equal(w.LeadOf(ana).ID), "link and past stay")
		})

		It("is not undone by a late answer to an older request", func() {
			w := open()
			ana, kiosk := w.Person("ana"), w.Device()
			kiosk.Submit(ana)
			late := w.Append(kiosk.Keys(), world.Beacon{})
			kiosk.Reset()
			kiosk.Learn(late)
			kiosk.Visit("/ben")
			Expect(kiosk.Beacon()).To(Equal(world.Reply{Expired: true}), "the key came back and is dead")
			Expect(w.JourneyOf(ana)).To(BeEmpty())
		})
	})
})
