package bunstore_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
	"github.com/uptrace/bun"

	"continuity/adapters/bunstore"
	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

func haveCode(code fault.Code) OmegaMatcher { return WithTransform(fault.CodeOf, Equal(code)) }

// commits counts the transactions that a pool commits.
type commits struct{ atomic.Int64 }

func (c *commits) BeforeQuery(ctx context.Context, _ *bun.QueryEvent) context.Context { return ctx }

func (c *commits) AfterQuery(_ context.Context, event *bun.QueryEvent) {
	if event.Query == "COMMIT" {
		c.Add(1)
	}
}

// crowd are callers who wait together; errs has one answer for each, in no order.
func crowd(n int, do func(i int) error) (errs func() []error) {
	all := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { all[i] = do(i) })
	}
	return func() []error {
		wg.Wait()
		return all
	}
}

var _ = Describe("The writer", func() {
	onEach(databases, func(url func() string) {
		var c caller
		var key identity.KeyHash
		BeforeEach(func() {
			c, key = call(open(bunstore.Config{URL: url()})), newKey()
			Expect(c.submit("ana@example.org", "f", key)).To(Succeed())
		})

		queued := func(n int) {
			GinkgoHelper()
			Eventually(c.Queued, "20s").Should(Equal(n))
		}

		It("commits at once what queued up during a commit", func() {
			const many = 40
			release, held := c.hold(key)
			errs := crowd(many, func(i int) error { return c.append(fmt.Sprint("e", i), key) })
			queued(many)
			var count commits
			write, _ := c.Pools()
			write.AddQueryHook(&count)
			release()
			Expect(errs()).To(HaveEach(BeNil()))
			Expect(held).To(Receive(BeNil()))
			Expect(count.Load()).To(BeEquivalentTo(2), "the one that was held, and one for all others")
			Expect(c.journey("ana@example.org")).To(HaveLen(many + 2))
		})

		It("decides in order of arrival", func() {
			shared := newKey()
			release, _ := c.hold(key)
			people := []identity.Email{"one@example.org", "two@example.org", "three@example.org", "four@example.org"}
			var all []func() []error
			for i, email := range people {
				all = append(all, crowd(1, func(int) error { return c.submit(email, fmt.Sprint("g", i), shared) }))
				queued(i + 1)
			}
			release()
			for _, errs := range all {
				Expect(errs()).To(HaveEach(BeNil()))
			}
			pairs, err := c.Candidates(c.ctx, moment.Now, reporting.Page{Limit: 9})
			Expect(err).NotTo(HaveOccurred())
			Expect(pairs.Items).To(HaveLen(3))
			for _, pair := range pairs.Items {
				Expect(pair.First).To(Equal(c.lead("one@example.org").ID), "the device is the first one's")
			}
			Expect(c.journey("one@example.org")).To(Equal([]string{"of-g0"}))
		})

		It("turns away who finds too many waiting, and writes nothing of theirs", func() {
			release, _ := c.hold(key)
			errs := crowd(bunstore.MostQueued, func(int) error { return c.append("waiting", key) })
			queued(bunstore.MostQueued)
			Expect(c.append("too-late", key)).To(haveCode(fault.Unavailable))
			release()
			Expect(errs()).To(HaveEach(BeNil()))
			Expect(c.append("later", key)).To(Succeed())
			Expect(c.journey("ana@example.org")).To(ConsistOf("of-f", "held", "waiting", "later"))
		})

		It("turns away who would make too much wait in memory, and has room again later", func() {
			const parts = 4
			large := func(id string, bytes int) error {
				return c.record(capture.Ask{Keys: []identity.KeyHash{key}, Bytes: bytes}, func(s identity.State) identity.Change {
					return s.Append(identity.Append{Moment: moment, Events: []journey.Event{visit(id)}})
				})
			}
			for round := range 2 {
				release, held := c.hold(key)
				errs := crowd(parts-1, func(i int) error {
					return large(fmt.Sprint("large-", round, i), bunstore.MostBytes/parts)
				})
				queued(parts - 1)
				Expect(large("too-large", bunstore.MostBytes/parts)).To(haveCode(fault.Unavailable), "the held one has its share")
				Expect(large(fmt.Sprint("never", round), bunstore.MostBytes)).To(haveCode(fault.Unavailable))
				release()
				Expect(errs()).To(HaveEach(BeNil()))
				Expect(held).To(Receive(BeNil()))
			}
			Expect(c.journey("ana@example.org")).To(HaveLen(2 + 2*(parts-1)))
		})

		It("spends nothing on who gave up while waiting, and keeps their room for others", func() {
			release, held := c.hold(key)
			gone, giveUp := context.WithCancel(c.ctx)
			var decided atomic.Int64
			errs := crowd(30, func(i int) error {
				_, err := c.Record(gone, capture.Ask{Now: moment.Now, Keys: []identity.KeyHash{key}, Bytes: bunstore.MostBytes / 40},
					func(s identity.State) identity.Change {
						decided.Add(1)
						return s.Append(identity.Append{Moment: moment, Events: []journey.Event{visit(fmt.Sprint("gone", i))}})
					})
				return err
			})
			queued(30)
			giveUp()
			Expect(errs()).To(HaveEach(MatchError(context.Canceled)))
			release()
			Eventually(held, "20s").Should(Receive(BeNil()))
			err := c.record(capture.Ask{Keys: []identity.KeyHash{key}, Bytes: bunstore.MostBytes}, identity.State.Reset)
			Expect(err).NotTo(HaveOccurred(), "all room is there again")
			Expect(decided.Load()).To(BeZero())
			Expect(c.journey("ana@example.org")).To(ConsistOf("of-f", "held"))
		})

		It("answers whom it accepted before it closes, and nobody after", func() {
			release, held := c.hold(key)
			errs := crowd(20, func(i int) error { return c.append(fmt.Sprint("e", i), key) })
			queued(20)
			closed := make(chan error)
			go func() { closed <- c.Close() }()
			Eventually(func() error {
				impatient, giveUp := context.WithCancel(c.ctx)
				time.AfterFunc(50*time.Millisecond, giveUp) // it was accepted, when Close had not begun
				return caller{c.DB, impatient}.append("late", key)
			}, "10s").Should(haveCode(fault.Unavailable))
			Expect(closed).NotTo(Receive())
			release()
			Expect(errs()).To(HaveEach(BeNil()))
			Expect(held).To(Receive(BeNil()))
			Eventually(closed, "10s").Should(Receive(BeNil()))
			Expect(c.append("later", key)).To(haveCode(fault.Unavailable))
			Expect(c.Close()).To(Succeed(), "closing again does nothing")
		})
	})
})

var _ = Describe("A store that is closed", func() {
	onEach(databases, func(url func() string) {
		for _, direct := range []bool{true, false} {
			It(fmt.Sprintf("leaves nobody running and refuses everybody (a transaction each: %t)", direct), func() {
				address := url()
				before := gleak.Goroutines()
				db, err := bunstore.Open(context.Background(), bunstore.Config{URL: address, Direct: direct})
				Expect(err).NotTo(HaveOccurred())
				Expect(db.Migrate(context.Background())).To(Succeed())
				c, key := call(db), newKey()
				errs := crowd(20, func(i int) error { return c.submit("ana@example.org", fmt.Sprint(i), newKey()) })
				Expect(errs()).To(HaveEach(BeNil()))
				Expect(db.Close()).To(Succeed())
				Eventually(gleak.Goroutines, "10s").ShouldNot(gleak.HaveLeaked(before))
				for range 600 { // more than a block of ids
					Expect(c.submit("ben@example.org", "f", key)).To(haveCode(fault.Unavailable))
				}
				_, err = c.LeadOf(c.ctx, moment.Now, peppers.Keys("ana@example.org"))
				Expect(err).To(haveCode(fault.Unavailable))
			})
		}
	})
})
