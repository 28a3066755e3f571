package features_test

import (
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("Somebody who stands at a tree", func() {
	world.EachWay(func(open func() *world.World) {
		var (
			w   *world.World
			oak string
		)
		BeforeEach(func() {
			w = open()
			oak = w.Plant()
		})
		counts := func(tree string) []int {
			GinkgoHelper()
			c := w.Count(tree)
			return []int{c.Total, c.Unique, c.Repeated}
		}

		It("is new without a cookie, and gets one", func() {
			phone := &world.Phone{}
			told := w.Scan(oak, phone)
			Expect(told.Status).To(Equal("new visitor"))
			id, err := uuid.Parse(told.Issued)
			Expect(err).NotTo(HaveOccurred())
			Expect(id.Version()).To(Equal(uuid.Version(4)))
			Expect(id.Variant()).To(Equal(uuid.RFC4122))
			Expect(counts(oak)).To(Equal([]int{1, 1, 0}))
		})

		It("is known again, and keeps the cookie", func() {
			phone := &world.Phone{}
			first := w.Scan(oak, phone).Issued
			again := w.Scan(oak, phone)
			Expect(again.Status).To(Equal("returning visitor"))
			Expect(again.Issued).To(Equal(first), "issued again, the same")
			Expect(counts(oak)).To(Equal([]int{2, 1, 1}))
		})

		It("keeps a cookie that a cleared database has forgotten, as one visitor even when it comes twice at once", func() {
			phone := world.Phone{Visitors: []string{uuid.NewString()}}
			const many = 8
			told := make([]world.Scanned, many)
			var all sync.WaitGroup
			for i := range many {
				all.Go(func() {
					defer GinkgoRecover()
					copied := phone
					told[i] = w.Scan(oak, &copied)
				})
			}
			all.Wait()
			news := 0
			for _, one := range told {
				Expect(one.Issued).To(Equal(phone.Visitors[0]))
				if one.Status == "new visitor" {
					news++
				}
			}
			Expect(news).To(Equal(1))
			Expect(counts(oak)).To(Equal([]int{many, 1, many - 1}))
		})

		It("is new at each tree for the first time", func() {
			elm, phone := w.Plant(), &world.Phone{}
			Expect(w.Scan(oak, phone).Status).To(Equal("new visitor"))
			Expect(w.Scan(elm, phone).Status).To(Equal("new visitor"))
			Expect(w.Scan(oak, phone).Status).To(Equal("returning visitor"))
			a, b := w.Count(oak), w.Count(elm)
			Expect([]int{a.Total, a.Unique, a.New, a.Returning}).To(Equal([]int{2, 1, 1, 1}))
			Expect([]int{b.Total, b.Unique, b.New, b.Returning}).To(Equal([]int{1, 1, 1, 0}))
		})

		It("is somebody new every time with cookies blocked", func() {
			phone := &world.Phone{Blocked: true}
			for range 3 {
				Expect(w.Scan(oak, phone).Status).To(Equal("new visitor"))
			}
			Expect(counts(oak)).To(Equal([]int{3, 3, 0}))
		})

		It("is one of thirty in a class on one network, all alike", func() {
			var all sync.WaitGroup
			for range 30 {
				all.Go(func() {
					defer GinkgoRecover()
					w.Scan(oak, &world.Phone{})
				})
			}
			all.Wait()
			Expect(counts(oak)).To(Equal([]int{30, 30, 0}))
		})

		It("is new with a cookie that was never ours", func() {
			for _, value := range []string{
				"", "1", "../../etc", "00000000-0000-0000-0000-000000000000", strings.Repeat("a", 5000),
				"c232ab00-9414-11ec-b3c8-9f6bdeced846", // a UUID of version 1
			} {
				told := w.Scan(oak, &world.Phone{Visitors: []string{value}})
				Expect(told.Status).To(Equal("new visitor"))
				Expect(told.Issued).NotTo(Equal(value))
			}
			Expect(counts(oak)).To(Equal([]int{6, 6, 0}))
		})

		It("stays the same visitor beside a planted cookie", func() {
			phone := &world.Phone{}
			mine := w.Scan(oak, phone).Issued
			for range 4 {
				both := &world.Phone{Visitors: []string{uuid.NewString(), mine}}
				Expect(w.Scan(oak, both).Issued).To(Equal(mine))
			}
			Expect(counts(oak)).To(Equal([]int{5, 1, 4}))
		})

		It("is not counted for what a program does", func() {
			agents := []string{
				"", "curl/8.5", "WhatsApp/2.23.20.0 A", "TelegramBot (like TwitterBot)",
				"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
				"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
				world.IPhone + " facebookexternalhit/1.1 Facebot Twitterbot/1.0",
				"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
				"Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
			}
			for _, agent := range agents {
				phone := &world.Phone{Agent: agent}
				if agent == "" {
					phone.Agent = " "
				}
				told := w.Scan(oak, phone)
				Expect(told).To(Equal(world.Scanned{}), "the page without a greeting or a cookie, to %q", agent)
			}
			c := w.Count(oak)
			Expect([]int{c.Total, c.Unique, c.Repeated, c.AllRows}).To(Equal([]int{0, 0, 0, len(agents)}))
			Expect(c.Excluded).To(Equal(map[string]int{"bot": len(agents), "prefetch": 0, "flood": 0}))
		})

		It("is counted on a phone whose name only sounds like a program's", func() {
			for _, agent := range []string{
				"Mozilla/5.0 (Linux; Android 8.0.0; CUBOT_P20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/72.0.3626.121 Mobile Safari/537.36",
				"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 " +
					"[FBAN/FBIOS;FBAV/440.0.0.32.108;FBBV/537000000;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.0;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]",
				"Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 " +
					"Chrome/131.0.6778.39 Mobile Safari/537.36",
			} {
				Expect(w.Scan(oak, &world.Phone{Agent: agent}).Status).To(Equal("new visitor"))
			}
			Expect(counts(oak)).To(Equal([]int{3, 3, 0}))
		})

		It("is counted once they look, not when their browser looks ahead", func() {
			phone := &world.Phone{Ahead: "prefetch;prerender"}
			for range 4 {
				Expect(w.Scan(oak, phone)).To(Equal(world.Scanned{NotShown: true}))
			}
			phone.Ahead = ""
			Expect(w.Scan(oak, phone).Status).To(Equal("new visitor"))
			Expect(counts(oak)).To(Equal([]int{1, 1, 0}))
			Expect(w.Count(oak).Excluded["prefetch"]).To(Equal(4))
		})

		It("counts nowhere at a tree that is not there", func() {
			Expect(w.Scan(world.NewID(), &world.Phone{})).To(Equal(world.Scanned{Missing: true}))
		})

		It("is returning on a later day", func() {
			phone := &world.Phone{}
			w.Scan(oak, phone)
			from := w.Now()
			w.Later(24 * time.Hour)
			Expect(w.Scan(oak, phone).Status).To(Equal("returning visitor"))
			c := w.Forest().Count(oak, url.Values{"from": {from.Format(time.RFC3339Nano)}})
			Expect([]int{c.Total, c.Unique, c.New, c.Returning}).To(Equal([]int{1, 1, 0, 1}))
			Expect(counts(oak)).To(Equal([]int{2, 1, 1}))
		})

		It("reloads the page, which a report may fold", func() {
			phone := &world.Phone{}
			w.Scan(oak, phone)
			for _, after := range []time.Duration{time.Second, time.Second, 59 * time.Second} {
				w.Later(after)
				w.Scan(oak, phone)
			}
			Expect(counts(oak)).To(Equal([]int{4, 1, 3}))
			folded := w.Forest().Count(oak, url.Values{"fold": {"10s"}})
			Expect([]int{folded.Total, folded.Unique, folded.Repeated, folded.AllRows}).To(Equal([]int{2, 1, 1, 4}))
		})

		It("finds the scan in their journey if the device is known", func() {
			ana, device := w.Person("ana"), w.Device()
			device.Submit(ana)
			key := device.Key
			phone := &world.Phone{Device: device}
			Expect(w.Scan(oak, phone).Status).To(Equal("new visitor"))
			Expect(device.Key).To(Equal(key))
			journey := w.JourneyOf(ana)
			Expect(journey).To(HaveLen(1))
			Expect(journey[0].Kind).To(Equal("scan"))
			Expect(journey[0].Source).To(Equal("scan"))

			By("but not when a program, a browser looking ahead or an unknown device loads it")
			w.Scan(oak, &world.Phone{Device: device, Agent: "curl/8.5"})
			w.Scan(oak, &world.Phone{Device: device, Ahead: "prefetch"})
			stranger := w.Device()
			stranger.Key = world.NewID()
			w.Scan(oak, &world.Phone{Device: stranger})
			Expect(w.JourneyOf(ana)).To(HaveLen(1))
		})

		It("is never one person for having one device's other cookie", func() {
			device := w.Device()
			device.Submit(w.Person("ana"))
			first := w.Scan(oak, &world.Phone{Device: device})
			second := w.Scan(oak, &world.Phone{Device: device})
			Expect(second.Status).To(Equal("new visitor"))
			Expect(second.Issued).NotTo(Equal(first.Issued))
		})
	})
})
