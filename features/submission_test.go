package features_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("The same submission sent twice", func() {
	world.EachWay(func(open func() *world.World) {
		It("is one submission, one device and each event once", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Visit("/1", "/2")
			form := phone.Form(ana)
			phone.Send(form)
			Expect(w.Submit(phone.Keys(), form).Key).To(Equal(phone.Key))
			Expect(w.Submit(nil, form)).To(Equal(world.Reply{Stored: true}), "no key for one who sends it without")
			lead := w.LeadOf(ana)
			Expect(lead.Submissions).To(Equal(1))
			Expect(lead.Anchors).To(Equal(1))
			Expect(world.URLs(w.Journey(lead.ID))).To(Equal([]string{"/1", "/2"}))
		})

		It("loses nothing that only its second copy carried", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Visit("/1")
			form := phone.Form(ana)
			w.Submit(nil, form) // the answer is lost, and with it the key
			phone.Visit("/2")
			again := phone.Form(ana)
			again.ID = form.ID
			phone.Send(again)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1", "/2"}))
			Expect(w.LeadOf(ana).Anchors).To(Equal(1))
		})

		It("is told apart from another person's under the same id", func() {
			w := open()
			ana, ben := w.Device(), w.Device()
			form := ana.Form(w.Person("ana"))
			ana.Send(form)
			other := ben.Form(w.Person("ben"))
			other.ID = form.ID
			ben.Send(other)
			Expect(w.LeadOf(w.Person("ben")).Submissions).To(Equal(1))
		})
	})
})

var _ = Describe("A form backend", func() {
	world.EachWay(func(open func() *world.World) {
		It("submits a person without inventing a device", func() {
			w := open()
			ana := w.Person("ana")
			Expect(w.Backend("", world.Form{ID: "f1", Form: "quote", Email: ana}).Refused).To(BeEmpty())
			lead := w.LeadOf(ana)
			Expect(lead.Anchors).To(Equal(0))
			Expect(w.Submissions(lead.ID)[0].Anchor).To(BeEmpty())
		})

		It("links the device whose key it was given", func() {
			w := open()
			ana, ben, phone := w.Person("ana"), w.Person("ben"), w.Device()
			phone.Submit(ana)
			Expect(w.Backend(phone.Key, world.Form{ID: "f1", Email: ben}).Refused).To(BeEmpty())
			Expect(w.Anchor(w.Submissions(w.LeadOf(ben).ID)[0].Anchor).Shared).To(BeTrue(), "the guard holds here too")
		})

		It("is completed by the browser that sends the same submission with its device", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Visit("/1")
			form := phone.Form(ana)
			Expect(w.Backend("", form).Refused).To(BeEmpty())
			Expect(w.JourneyOf(ana)).To(BeEmpty())
			phone.Send(form)
			lead := w.LeadOf(ana)
			Expect(lead.Submissions).To(Equal(1))
			Expect(lead.Anchors).To(Equal(1))
			Expect(world.URLs(w.Journey(lead.ID))).To(Equal([]string{"/1"}))
		})
	})
})

var _ = Describe("Two known keys in one request", func() {
	world.EachWay(func(open func() *world.World) {
		It("store what arrives for nobody, and keep a submission without a device", func() {
			w := open()
			ana, ben, phone, planter := w.Person("ana"), w.Person("ben"), w.Device(), w.Device()
			phone.Submit(ana)
			planter.Submit(ben)
			phone.Planted = planter.Key
			phone.Visit("/1")
			for range 10 {
				reply := phone.Beacon()
				Expect(reply.Stored).To(BeTrue())
				Expect(reply.Key).To(Equal(phone.Key), "the first of them is used, every time")
			}
			cleo := w.Person("cleo")
			phone.Visit("/2")
			phone.Submit(cleo)
			Expect(w.Submissions(w.LeadOf(cleo).ID)[0].Anchor).To(BeEmpty())
			for _, person := range []string{ana, ben, cleo} {
				Expect(w.JourneyOf(person)).To(BeEmpty())
			}
			Expect(w.Anchor(w.Submissions(w.LeadOf(ana).ID)[0].Anchor).Shared).To(BeFalse())
		})

		It("are no two when one of them is dead, or they are the same", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Submit(ana)
			key := phone.Key
			phone.Visit("/1")
			reply := w.Append([]string{world.NewID(), key, key}, world.Beacon{Session: phone.Session, Events: phone.Mirror})
			Expect(reply.Key).To(Equal(key))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1"}))
		})
	})
})

var _ = Describe("One unusable event in a batch", func() {
	world.EachWay(func(open func() *world.World) {
		It("is left out, and the others are kept", func() {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Submit(ana)
			phone.Visit("/1", "/2", "/3")
			phone.Mirror[1].ID = ""
			Expect(phone.Beacon().Stored).To(BeTrue())
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1", "/3"}))
		})
	})
})

var _ = Describe("An address that is none", func() {
	world.EachWay(func(open func() *world.World) {
		DescribeTable("is refused, and changes nothing", func(email string) {
			w := open()
			ana, phone := w.Person("ana"), w.Device()
			phone.Submit(ana)
			phone.Visit("/1")
			reply := w.Submit(phone.Keys(), phone.Form(email))
			Expect(reply).To(Equal(world.Reply{Refused: "identity_rejected"}))
			Expect(w.JourneyOf(ana)).To(BeEmpty())
		},
			Entry("nothing", ""),
			Entry("white space", "   "),
			Entry("two addresses", "ana@example.org, ben@example.org"),
			Entry("two separated otherwise", "ana@example.org;ben@example.org"),
			Entry("two at signs", "a@b@example.org"),
			Entry("a name beside it", "Ana <ana@example.org>"),
			Entry("no ASCII at sign", "ana\uff20example.org"),
		)
	})
})
