package features_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("A family's tablet", func() {
	world.EachWay(func(open func() *world.World) {
		var (
			w        *world.World
			ana, ben string
			tablet   *world.Device
		)
		BeforeEach(func() {
			w = open()
			ana, ben, tablet = w.Person("ana"), w.Person("ben"), w.Device()
		})
		device := func() world.Anchor { return w.Anchor(w.Submissions(w.LeadOf(ana).ID)[0].Anchor) }

		It("keeps two people of one session apart, and gives what is in doubt to nobody", func() {
			tablet.Visit("/1")
			tablet.Submit(ana)
			tablet.Visit("/2")
			tablet.Submit(ben)
			tablet.Visit("/3")
			tablet.Beacon()
			tablet.Submit(ana)
			tablet.Visit("/4")
			tablet.Beacon()
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1"}))
			Expect(w.JourneyOf(ben)).To(BeEmpty())
			Expect(device().Shared).To(BeTrue())
			Expect(device().Lead).To(Equal(w.LeadOf(ana).ID))
			pairs := w.Candidates(device().ID)
			Expect(pairs).To(HaveLen(1))
			Expect(pairs[0].Leads).To(Equal([2]string{w.LeadOf(ana).ID, w.LeadOf(ben).ID}))
			Expect(pairs[0].State).To(Equal("open"))
		})

		It("gives each submission the session that was its person's alone", func() {
			tablet.Visit("/ana/1")
			tablet.Submit(ana)
			tablet.Return(0)
			tablet.Visit("/ben/1", "/ben/2")
			form := tablet.Submit(ben)
			tablet.Return(0)
			tablet.Visit("/ana/2")
			tablet.Submit(ana)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/ana/1", "/ana/2"}))
			bens := w.JourneyOf(ben)
			Expect(world.URLs(bens)).To(Equal([]string{"/ben/1", "/ben/2"}))
			for _, step := range bens {
				Expect(step.Ownership).To(Equal("snapshot"))
				Expect(step.Submission).To(Equal(form.ID))
			}
		})

		It("gives nobody what the first session left undelivered when the second person submits", func() {
			tablet.Submit(ana)
			tablet.Visit("/ana/late")
			tablet.Return(0)
			tablet.Visit("/ben")
			tablet.Submit(ben)
			Expect(w.JourneyOf(ana)).To(BeEmpty())
			Expect(world.URLs(w.JourneyOf(ben))).To(Equal([]string{"/ben"}))
		})

		It("takes no snapshot without a session", func() {
			tablet.Submit(ana)
			tablet.Session = ""
			tablet.Visit("/ben")
			tablet.Submit(ben)
			Expect(w.JourneyOf(ben)).To(BeEmpty())
			Expect(w.LeadOf(ben).Submissions).To(Equal(1))
		})

		It("attributes its browsing to nobody from then on", func() {
			tablet.Submit(ana)
			tablet.Return(0)
			tablet.Submit(ben)
			tablet.Return(0)
			tablet.Visit("/whose")
			Expect(tablet.Beacon().Stored).To(BeTrue())
			Expect(w.JourneyOf(ana)).To(BeEmpty())
			Expect(w.JourneyOf(ben)).To(BeEmpty())
		})

		It("follows a person's verdict from then on, and the first person's past stays", func() {
			tablet.Visit("/ana")
			tablet.Submit(ana)
			tablet.Return(0)
			tablet.Submit(ben)
			id := device().ID
			Expect(w.Resolve(id, w.LeadOf(ben).ID).Refused).To(BeEmpty())
			tablet.Return(0)
			tablet.Visit("/after")
			tablet.Beacon()
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/ana"}))
			Expect(world.URLs(w.JourneyOf(ben))).To(Equal([]string{"/after"}))
			Expect(device()).To(Equal(world.Anchor{
				ID: id, Lead: w.LeadOf(ben).ID, Provenance: "manual", Status: "saved",
			}))
			Expect(w.Candidates(id)[0].State).To(Equal("resolved"))
		})

		It("may be left shared, which closes the question", func() {
			tablet.Submit(ana)
			tablet.Submit(ben)
			Expect(w.Resolve(device().ID, "").Refused).To(BeEmpty())
			Expect(device().Shared).To(BeTrue())
			Expect(w.Candidates(device().ID)[0].State).To(Equal("kept shared"))
			tablet.Submit(ben)
			Expect(w.Candidates(device().ID)).To(HaveLen(1), "the same two people raise it once")
		})

		It("is never pointed at somebody who was not there", func() {
			tablet.Submit(ana)
			tablet.Submit(ben)
			stranger := w.Device()
			stranger.Submit(w.Person("cleo"))
			Expect(w.Resolve(device().ID, w.LeadOf(w.Person("cleo")).ID).Refused).NotTo(BeEmpty())
			Expect(device().Shared).To(BeTrue())
		})
	})
})
