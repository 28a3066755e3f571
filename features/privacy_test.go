package features_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("A person who is erased", func() {
	world.EachWay(func(open func() *world.World) {
		var (
			w        *world.World
			ana, ben string
		)
		BeforeEach(func() {
			w = open()
			ana, ben = w.Person("ana"), w.Person("ben")
		})

		It("is gone with everything, and their device is a stranger when it comes back", func() {
			d := w.Device()
			d.Visit("/1", "/2")
			old := append([]world.Event(nil), d.Mirror...)
			d.Submit(ana)
			d.Visit("/3")
			d.Beacon()
			Expect(w.EraseAll(ana)).To(HaveField("Events", 3))
			_, ok := w.Find(ana)
			Expect(ok).To(BeFalse())
			d.Mirror = old
			d.Visit("/4")
			reply := d.Beacon()
			Expect(reply.Stored).To(BeFalse())
			Expect(reply.Expired).To(BeTrue())
			Expect(w.Export(ana)).To(Equal(world.Record{}))
		})

		It("may come again, as somebody new", func() {
			d := w.Device()
			d.Visit("/1")
			d.Submit(ana)
			before := w.LeadOf(ana)
			w.EraseAll(ana)
			other := w.Device()
			other.Visit("/new")
			other.Submit(ana)
			after := w.LeadOf(ana)
			Expect(after.ID).NotTo(Equal(before.ID))
			Expect(after.FirstSeen).To(BeTemporally(">", before.LastSeen))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/new"}))
		})

		It("leaves whom they shared a device with exactly theirs", func() {
			tablet, phone := w.Device(), w.Device()
			phone.Visit("/phone")
			phone.Submit(ben)
			tablet.Visit("/ana")
			tablet.Submit(ana)
			tablet.Return(0)
			tablet.Visit("/ben")
			tablet.Submit(ben)
			journey, submissions := w.JourneyOf(ben), w.Submissions(w.LeadOf(ben).ID)
			anchor := submissions[1].Anchor
			w.EraseAll(ana)
			Expect(w.JourneyOf(ben)).To(Equal(journey))
			Expect(w.Submissions(w.LeadOf(ben).ID)).To(Equal(submissions))
			Expect(w.Candidates(anchor)).To(BeEmpty())
			Expect(w.Anchor(anchor)).To(Equal(world.Anchor{ID: anchor, Status: "saved", Shared: true}))
			tablet.Return(0)
			tablet.Visit("/whose")
			Expect(tablet.Beacon().Stored).To(BeTrue())
			Expect(w.JourneyOf(ben)).To(Equal(journey))
		})

		It("leaves no event that a clock set in the future wrote", func() {
			d := w.Device()
			d.Visit("/1")
			d.Mirror[0].At = w.Now().Add(5 * 365 * 24 * time.Hour)
			d.Submit(ana)
			Expect(w.EraseAll(ana).Events).To(Equal(1))
		})

		It("is nobody to an erasure that comes again, which succeeds", func() {
			w.Device().Submit(ana)
			w.EraseAll(ana)
			Expect(w.EraseAll(ana)).To(HaveField("Leads", 0))
		})

		It("is a stranger to a handoff that was under way, and their confirm is of somebody new", func() {
			phone, laptop := w.Device(), w.Device()
			for _, d := range []*world.Device{phone, laptop} {
				d.Visit("/past")
				d.Submit(ana)
			}
			_, unclaimed := w.Mint(phone.Keys(), world.Portal, world.Beacon{Session: phone.Session})
			_, claimed := w.Mint(laptop.Keys(), world.Portal, world.Beacon{Session: laptop.Session})
			Expect(w.Claim(world.Portal, claimed, "c1", world.Beacon{Session: "there"}).Stored).To(BeTrue())
			w.EraseAll(ana)
			Expect(w.Claim(world.Portal, unclaimed, "c2", world.Beacon{Session: "there"}).Refused).To(Equal("gone"))
			_, refused := w.Redeem(world.Portal, claimed, "c1")
			Expect(refused).To(Equal("gone"))
			Expect(w.Confirm(world.Portal, claimed, "c1", world.Form{ID: world.NewID(), Email: ana}).Refused).To(BeEmpty())
			Expect(w.LeadOf(ana).Anchors).To(BeZero())
			Expect(w.JourneyOf(ana)).To(BeEmpty())
		})
	})
})
