package features_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var (
	stored = world.Reply{Stored: true}
	gone   = world.Reply{Refused: "gone"}
)

// redeemed are the pages that a destination's server is told, in order.
func redeemed(guest *world.Guest) []string {
	GinkgoHelper()
	steps, refused := guest.Redeem()
	Expect(refused).To(BeEmpty())
	return world.URLs(steps)
}

const there = "https://" + world.Portal

var _ = Describe("A visitor who follows a link to another domain", func() {
	world.EachWay(func(open func() *world.World) {
		var (
			w          *world.World
			ana, ben   string
			phone      *world.Device
			deviceOf   func(email string) world.Anchor
			noDeviceOf func(email string)
		)
		BeforeEach(func() {
			w = open()
			ana, ben, phone = w.Person("ana"), w.Person("ben"), w.Device()
			deviceOf = func(email string) world.Anchor {
				GinkgoHelper()
				submissions := w.Submissions(w.LeadOf(email).ID)
				return w.Anchor(submissions[len(submissions)-1].Anchor)
			}
			noDeviceOf = func(email string) {
				GinkgoHelper()
				for _, submission := range w.Submissions(w.LeadOf(email).ID) {
					Expect(submission.Anchor).To(BeEmpty())
				}
			}
		})

		It("arrives with the whole journey, and is recognised at home ever after", func() {
			phone.Visit("/first", "/apply")
			guest := phone.Follow(world.Portal)
			Expect(phone.Key).NotTo(BeEmpty())
			guest.Visit("/form")
			Expect(guest.Arrive()).To(Equal(stored))
			Expect(redeemed(guest)).To(Equal([]string{"/first", "/apply", there + "/form"}))
			form := guest.Apply(ana)
			Expect(redeemed(guest)).To(Equal([]string{"/first", "/apply", there + "/form"}))
			phone.Mirror = nil
			phone.Visit("/later")
			phone.Beacon()
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/first", "/apply", there + "/form", "/later"}))
			submission := w.Submissions(w.LeadOf(ana).ID)[0]
			Expect(submission.ID).To(Equal(form.ID))
			Expect(submission.Provenance).To(Equal("key"))
			device := deviceOf(ana)
			Expect(device.Status).To(Equal("saved"))
			Expect(device.Lead).To(Equal(w.LeadOf(ana).ID))
			Expect(redeemed(guest)).To(HaveLen(3), "what came after the confirm is not the destination's")
		})

		It("has every event once, and says by which way each came", func() {
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			phone.Follow(world.Portal)
			guest = phone.Follow(world.Portal)
			guest.Visit("/form")
			guest.Arrive()
			guest.Arrive()
			guest.Apply(ana)
			steps := w.JourneyOf(ana)
			Expect(steps).To(HaveLen(2))
			Expect([]string{steps[0].Source, steps[1].Source}).To(Equal([]string{"mint", "claim"}))
		})

		It("keeps the key that the device had", func() {
			phone.Submit(ana)
			key := phone.Key
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			Expect(phone.Key).To(Equal(key))
			guest.Apply(ana)
			Expect(w.LeadOf(ana).Anchors).To(Equal(1))
			Expect(w.LeadOf(ana).Submissions).To(Equal(2))
			Expect(w.Submissions(w.LeadOf(ana).ID)[1].Provenance).To(Equal("email_hmac"))
		})

		It("shares nothing with a friend who was passed the link", func() {
			phone.Visit("/private")
			guest := phone.Follow(world.Portal)
			guest.Arrive()
			friend := guest.Friend()
			friend.Visit("/friend")
			Expect(friend.Arrive()).To(Equal(gone))
			_, refused := friend.Redeem()
			Expect(refused).To(Equal("gone"))
			friend.Apply(ben)
			noDeviceOf(ben)
			Expect(w.JourneyOf(ben)).To(BeEmpty())
			guest.Apply(ana)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/private"}))
			Expect(deviceOf(ana).Shared).To(BeFalse())
		})

		It("may click twice: the newest token is the good one", func() {
			first := phone.Follow(world.Portal)
			second := phone.Follow(world.Portal)
			Expect(first.Arrive()).To(Equal(gone))
			Expect(second.Arrive()).To(Equal(stored))
			third := phone.Follow(world.Portal)
			Expect(third.Arrive()).To(Equal(stored))
			Expect(second.Arrive()).To(Equal(stored), "a claimed one is nobody else's to replace")
		})

		It("may go to two destinations at once", func() {
			portal, shop := phone.Follow(world.Portal), phone.Follow(world.Shop)
			Expect(portal.Arrive()).To(Equal(stored))
			Expect(shop.Arrive()).To(Equal(stored))
		})

		It("loses nothing when an answer is lost and the page tries again", func() {
			guest := phone.Follow(world.Portal)
			guest.Visit("/1")
			guest.Arrive()
			guest.Visit("/2")
			Expect(guest.Arrive()).To(Equal(stored))
			guest.Apply(ana)
			guest.Visit("/3")
			Expect(guest.Arrive()).To(Equal(stored))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{there + "/1", there + "/2", there + "/3"}))
		})

		It("comes too late for a token that nobody claimed in time", func() {
			guest := phone.Follow(world.Portal)
			w.Later(16 * time.Minute)
			Expect(guest.Arrive()).To(Equal(gone))
			guest.Apply(ana)
			noDeviceOf(ana)
		})

		It("has days to fill in the form, once the token is claimed", func() {
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			guest.Arrive()
			w.Later(71 * time.Hour)
			Expect(redeemed(guest)).To(Equal([]string{"/1"}))
			guest.Apply(ana)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1"}))
			w.Later(2 * time.Hour)
			_, refused := guest.Redeem()
			Expect(refused).To(Equal("gone"))
			Expect(guest.Arrive()).To(Equal(gone))
		})

		It("is told alike of every token that is not theirs", func() {
			guest := phone.Follow(world.Portal)
			for _, token := range []string{"x", world.NewID(), guest.Token[:23] + "_", "AAAAAAAAAAAAAAAAAAAAAAAA"} {
				stranger := *guest
				stranger.Token = token
				Expect(stranger.Arrive()).To(Equal(gone))
			}
			elsewhere := *guest
			elsewhere.At = world.Shop
			Expect(elsewhere.Arrive()).To(Equal(gone))
			elsewhere.Apply(ben)
			noDeviceOf(ben)
			Expect(guest.Arrive()).To(Equal(stored), "none of it used the token up")
			_, refused := elsewhere.Redeem()
			Expect(refused).To(Equal("gone"))
		})

		It("cannot be redeemed before a browser has claimed", func() {
			guest := phone.Follow(world.Portal)
			_, refused := guest.Redeem()
			Expect(refused).To(Equal("gone"))
			Expect(guest.Friend().Arrive()).To(Equal(stored), "and the asking bound nothing")
		})

		DescribeTable("has the same events in whatever order they arrive", func(order ...string) {
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			guest.Visit("/2")
			phone.Visit("/3")
			for _, what := range order {
				switch what {
				case "claim":
					Expect(guest.Arrive()).To(Equal(stored))
				case "confirm":
					Expect(guest.Confirm(world.Form{ID: "f-" + guest.Claim, Email: ana})).To(Equal(stored))
				case "beacon":
					Expect(phone.Beacon().Stored).To(BeTrue())
				}
			}
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1", there + "/2", "/3"}))
			Expect(w.LeadOf(ana).Submissions).To(Equal(1))
			Expect(deviceOf(ana).Shared).To(BeFalse())
		},
			Entry(nil, "claim", "confirm", "beacon"),
			Entry(nil, "claim", "beacon", "confirm"),
			Entry(nil, "confirm", "claim", "beacon", "confirm"),
			Entry(nil, "confirm", "beacon", "claim", "claim"),
			Entry(nil, "beacon", "confirm", "claim"),
			Entry(nil, "beacon", "claim", "confirm", "beacon"),
		)

		It("is refused an address that is none, and may try again", func() {
			guest := phone.Follow(world.Portal)
			Expect(guest.Confirm(world.Form{ID: "f-" + guest.Claim, Email: "ana@"})).To(Equal(world.Reply{Refused: "identity_rejected"}))
			Expect(guest.Friend().Arrive()).To(Equal(stored), "and it bound nothing")
		})

		It("follows no link to a host that is not listed to the letter", func() {
			for _, host := range []string{
				world.Portal + ".evil.example", "sub." + world.Portal, "https://" + world.Portal, world.Portal + "/", "",
				world.Portal + ".", "PORTAL.example.net", world.Portal + ":8443", "portal.example.net@evil.example",
			} {
				reply, token := w.Mint(nil, host, world.Beacon{Session: "s"})
				Expect(token).To(BeEmpty())
				Expect(reply.Refused).To(BeElementOf("unlisted", "invalid"), host)
				Expect(reply.Key).To(BeEmpty())
			}
		})

		It("may be a checking tool, whose tokens nobody can claim", func() {
			guest := phone.Follow("verify.invalid")
			guest.At = world.Portal
			Expect(guest.Arrive()).To(Equal(gone))
			guest.Apply(ana)
			noDeviceOf(ana)
		})

		It("is recognised when another person is at home on the device, and changes nothing of theirs", func() {
			phone.Visit("/ana")
			phone.Submit(ana)
			phone.Return(0)
			phone.Visit("/ben")
			guest := phone.Follow(world.Portal)
			guest.Arrive()
			guest.Apply(ben)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/ana", "/ben"}), "it was written before anybody said otherwise")
			Expect(w.JourneyOf(ben)).To(BeEmpty())
			Expect(redeemed(guest)).To(BeEmpty(), "it is not Ben's")
			device := deviceOf(ben)
			Expect(device.Shared).To(BeTrue())
			Expect(device.Lead).To(Equal(w.LeadOf(ana).ID))
			Expect(w.Candidates(device.ID)).To(HaveLen(1))
		})

		Context("on a shared device", func() {
			BeforeEach(func() {
				phone.Submit(ana)
				phone.Submit(w.Person("cleo"))
				phone.Return(0)
			})

			It("carries the snapshot of their own session", func() {
				phone.Visit("/older")
				phone.Return(0)
				phone.Visit("/ben")
				phone.Follow(world.Portal)
				guest := phone.Follow(world.Portal)
				guest.Visit("/form")
				guest.Arrive()
				form := guest.Apply(ben)
				guest.Visit("/sent")
				guest.Arrive()
				steps := w.JourneyOf(ben)
				Expect(world.URLs(steps)).To(Equal([]string{"/ben", there + "/form", there + "/sent"}))
				for _, step := range steps {
					Expect(step.Ownership).To(Equal("snapshot"))
					Expect(step.Submission).To(Equal(form.ID))
				}
				Expect(redeemed(guest)).To(Equal([]string{"/ben", there + "/form"}))
				Expect(w.JourneyOf(ana)).To(BeEmpty())
			})

			It("carries nothing for somebody who was not alone in the session", func() {
				phone.Visit("/ben")
				guest := phone.Follow(world.Portal)
				phone.Submit(ana)
				guest.Apply(ben)
				guest.Visit("/form")
				guest.Arrive()
				Expect(w.JourneyOf(ben)).To(BeEmpty())
				Expect(w.JourneyOf(ana)).To(BeEmpty())
				Expect(w.LeadOf(ben).Submissions).To(Equal(1), "just the submission itself")
			})

			It("keeps the snapshot when somebody else is identified in the session later", func() {
				phone.Visit("/ben")
				guest := phone.Follow(world.Portal)
				guest.Apply(ben)
				phone.Submit(ana)
				Expect(world.URLs(w.JourneyOf(ben))).To(Equal([]string{"/ben"}))
				Expect(w.JourneyOf(ana)).To(BeEmpty())
			})

			It("gives nobody what is claimed after a second person was confirmed for one browser", func() {
				guest := phone.Follow(world.Portal)
				guest.Apply(ben)
				guest.Apply(ana)
				guest.Visit("/whose")
				guest.Arrive()
				Expect(w.JourneyOf(ana)).To(BeEmpty())
				Expect(w.JourneyOf(ben)).To(BeEmpty())
			})

			It("gives two people at one destination, in one session there, no page of each other", func() {
				first := phone.Follow(world.Portal)
				first.Arrive()
				first.Apply(ben)
				phone.Return(0)
				second := phone.Follow(world.Portal)
				second.Session = first.Session
				second.Visit("/whose")
				second.Arrive()
				second.Apply(ana)
				Expect(w.JourneyOf(ana)).To(BeEmpty())
				Expect(w.JourneyOf(ben)).To(BeEmpty())
			})
		})

		It("is one submission, however often the server confirms", func() {
			guest := phone.Follow(world.Portal)
			form := guest.Apply(ana)
			Expect(guest.Confirm(form)).To(Equal(stored))
			w.Later(80 * time.Hour)
			Expect(guest.Confirm(form)).To(Equal(stored))
			lead := w.LeadOf(ana)
			Expect(lead.Submissions).To(Equal(1))
			Expect(lead.Anchors).To(Equal(1))
		})

		It("brings the device to a submission that came without one", func() {
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			friend := guest.Friend()
			guest.Arrive()
			form := friend.Apply(ana)
			noDeviceOf(ana)
			Expect(guest.Confirm(form)).To(Equal(stored))
			Expect(w.LeadOf(ana).Submissions).To(Equal(1))
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"/1"}))
		})

		It("is not followed by whoever plants a key", func() {
			planter := w.Device()
			phone.Submit(ana)
			planter.Submit(w.Person("mallory"))
			phone.Planted = planter.Key
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			Expect(guest.Arrive()).To(Equal(stored))
			guest.Apply(ben)
			noDeviceOf(ben)
			for _, person := range []string{ana, ben, w.Person("mallory")} {
				Expect(w.JourneyOf(person)).To(BeEmpty())
			}
		})

		It("leaves unclaimed tokens dead behind a reset, and claimed ones alive", func() {
			unclaimed, claimed := phone.Follow(world.Portal), phone.Follow(world.Shop)
			claimed.Arrive()
			phone.Reset()
			Expect(unclaimed.Arrive()).To(Equal(gone))
			unclaimed.Apply(ben)
			noDeviceOf(ben)
			claimed.Visit("/cart")
			Expect(claimed.Arrive()).To(Equal(stored))
			claimed.Apply(ana)
			Expect(world.URLs(w.JourneyOf(ana))).To(Equal([]string{"https://" + world.Shop + "/cart"}))
		})

		It("is forgotten when nobody saves them, and with them the claimed token", func() {
			phone.Visit("/1")
			guest := phone.Follow(world.Portal)
			key := phone.Key
			w.Later(73 * time.Hour)
			Expect(phone.Beacon()).To(Equal(world.Reply{Expired: true}))
			guest.Apply(ana)
			noDeviceOf(ana)
			Expect(w.JourneyOf(ana)).To(BeEmpty())
			phone.Key = ""
			phone.Follow(world.Portal)
			Expect(phone.Key).NotTo(Equal(key), "a new device")
		})

		It("whose device was erased in between is kept without one, and shown nothing of it", func() {
			phone.Submit(ana)
			phone.Visit("/ana")
			guest := phone.Follow(world.Portal)
			guest.Arrive()
			w.Erase(ana, false)
			_, refused := guest.Redeem()
			Expect(refused).To(Equal("gone"))
			Expect(guest.Arrive()).To(Equal(gone))
			guest.Apply(ben)
			noDeviceOf(ben)
			Expect(w.JourneyOf(ben)).To(BeEmpty())
		})

		It("is shown nothing by a token whose person was erased after the confirm", func() {
			phone.Visit("/ana")
			guest := phone.Follow(world.Portal)
			guest.Arrive()
			guest.Apply(ana)
			w.Erase(ana, false)
			_, refused := guest.Redeem()
			Expect(refused).To(Equal("gone"))
			Expect(guest.Arrive()).To(Equal(gone))
		})

		It("is saved by a confirm for as long as anybody", func() {
			guest := phone.Follow(world.Portal)
			guest.Apply(ana)
			w.Later(200 * 24 * time.Hour)
			phone.Visit("/1")
			phone.Follow(world.Portal)
			w.Later(200 * 24 * time.Hour)
			phone.Visit("/2")
			Expect(phone.Beacon().Stored).To(BeTrue())
			Expect(deviceOf(ana).Status).To(Equal("saved"), "it never falls back")
		})
	})
})
