package features_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/limit"
	"continuity/cmd/app"
	"continuity/features/world"
)

// hourly is a limit that no spec outlasts.
func hourly(count int) limit.Rate { return limit.Rate{Count: count, Per: time.Hour} }

// empty is the body of a beacon with nothing in it.
func empty(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2 }

var _ = Describe("A flood", func() {
	var (
		config app.Config
		way    *world.HTTP
	)
	BeforeEach(func() {
		config = world.Config("SQLite")
		// Every request comes from this machine, which stands for the one proxy.
		config.TrustedProxies, config.ClientIPHeader = []string{"127.0.0.1", "::1"}, "X-Forwarded-For"
	})
	JustBeforeEach(func() { way = world.Listen(world.Open(config, nil)) })

	client := func(address string) shape { return header("X-Forwarded-For", "192.0.2.200, "+address) }
	send := func(key string, shapes ...shape) *http.Response {
		GinkgoHelper()
		return ask(http.MethodPost, way.Public+"/v1/append", append(shapes, empty, header("Cookie", "bwlai_vk="+key), header("Origin", way.Public))...)
	}
	newKey := func() string {
		GinkgoHelper()
		reply := way.Submit(nil, world.Form{ID: world.NewID(), Email: "ana-" + strings.ToLower(world.NewID()) + "@example.org"})
		Expect(reply.Key).NotTo(BeEmpty())
		return reply.Key
	}

	Context("from one device", func() {
		BeforeEach(func() { config.RatePerKey, config.RatePerIP = hourly(10), hourly(50) })

		It("is told to come back later, and leaves its school alone", func() {
			floods, reads := newKey(), newKey()
			answers := map[int]int{}
			for range 100 {
				response := send(floods, client("203.0.113.7"))
				answers[response.StatusCode]++
				if response.StatusCode == http.StatusTooManyRequests {
					Expect(strconv.Atoi(response.Header.Get("Retry-After"))).To(BeNumerically(">", 0))
					Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
					Expect(response.Header.Get("Cache-Control")).To(Equal("private, no-store"))
				}
			}
			Expect(answers).To(Equal(map[int]int{204: 10, 429: 90}))
			for range 10 {
				Expect(send(reads, client("203.0.113.7")).StatusCode).To(Equal(204))
			}
		})

		It("does not become another client's by what it writes into headers", func() {
			answers := map[int]int{}
			for i := range 60 {
				answers[send(world.NewID(), header("X-Real-IP", fmt.Sprintf("198.51.100.%d", i)),
					header("X-Forwarded-For", fmt.Sprintf("198.51.100.%d, 203.0.113.8", i))).StatusCode]++
			}
			Expect(answers).To(Equal(map[int]int{200: 50, 429: 10}))
			Expect(send(world.NewID(), client("203.0.113.9")).StatusCode).To(Equal(200))
		})
	})

	Context("at a tree", func() {
		BeforeEach(func() { config.RateNewPerIP, config.RatePerIP = hourly(3), hourly(10) })

		It("is shown the tree every time, and only stops being counted as people", func() {
			oak := world.NewID()
			way.Plant(oak)
			scan := func(shapes ...shape) *http.Response {
				GinkgoHelper()
				response := ask(http.MethodGet, way.Public+"/t/"+oak, shapes...)
				Expect(response.StatusCode).To(Equal(200))
				Expect(response.Header).NotTo(HaveKey("Retry-After"))
				return response
			}
			returning := visitorOf(scan(client("203.0.113.7")))
			for range 4 {
				scan(client("203.0.113.7"), header("Cookie", "visitor_id=6ba7b810-9dad-41d1-80b4-"+fmt.Sprintf("%012x", time.Now().UnixNano()&0xffffffffffff)))
			}
			Expect(way.Count(oak, nil).Total).To(Equal(3), "an invented id is a new visitor's")
			Expect(visitorOf(scan(client("203.0.113.7")))).To(BeNil())
			same := visitorOf(scan(client("203.0.113.7"), header("Cookie", "visitor_id="+returning.Value)))
			Expect(same.Value).To(Equal(returning.Value), "who was there before is a person still")
			scan(client("203.0.113.8"))
			for range 10 {
				scan(client("203.0.113.7"), header("Cookie", "visitor_id="+returning.Value))
			}
			counted := way.Count(oak, nil)
			Expect(counted.Unique).To(Equal(4))
			Expect(counted.Total).To(Equal(3+1+1+3), "ten of one client are counted, of any kind")
			Expect(counted.Excluded).To(HaveKeyWithValue("flood", 3+7))
			Expect(counted.AllRows).To(Equal(18))
		})
	})

	Context("of events on one device", func() {
		BeforeEach(func() { config.MaxEventsPerAnchor = 5 })

		It("is stored as far as the day allows, whole batch by whole batch", func() {
			email := "ben-" + strings.ToLower(world.NewID()) + "@example.org"
			reply := way.Submit(nil, world.Form{ID: world.NewID(), Email: email})
			batch := func(n int) world.Beacon {
				b := world.Beacon{Session: world.NewID()}
				for range n {
					b.Events = append(b.Events, world.Event{ID: world.NewID(), Kind: "page_view"})
				}
				return b
			}
			Expect(way.Append([]string{reply.Key}, batch(3)).Stored).To(BeTrue())
			Expect(way.Append([]string{reply.Key}, batch(3)).Refused).To(Equal("rate_limited"))
			Expect(way.Append([]string{reply.Key}, batch(2)).Stored).To(BeTrue())
			Expect(way.Append([]string{reply.Key}, batch(1)).Refused).To(Equal("rate_limited"))
			lead, ok := way.Find(email)
			Expect(ok).To(BeTrue())
			Expect(way.Journey(lead.ID)).To(HaveLen(5))
		})
	})
})
