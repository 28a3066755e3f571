package bunstore_test

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/uptrace/bun"

	"continuity/adapters/bunstore"
	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

const (
	devicesEach = 50
	rounds      = 40
)

// submitOnMany submits one address on many new devices at once.
func submitOnMany(_ context.Context, db *bunstore.DB) error {
	c := call(db)
	return errors.Join(crowd(devicesEach, func(int) error {
		key := newKey()
		return c.submit("ana@example.org", fmt.Sprintf("%x", key[:8]), key)
	})()...)
}

// crossing submits two people on two devices, this way round or the other, at once.
func crossing(turned bool) func(context.Context, *bunstore.DB) error {
	return func(_ context.Context, db *bunstore.DB) error {
		c := call(db)
		pairs := [][2]int{{0, 0}, {1, 1}, {0, 1}, {1, 0}}
		for round := range rounds {
			err := errors.Join(crowd(len(pairs), func(i int) error {
				if turned {
					i = len(pairs) - 1 - i
				}
				pair := pairs[i]
				client := fmt.Sprint("r", round, "-", pair, turned)
				return c.submit([]identity.Email{"ana@example.org", "ben@example.org"}[pair[0]], client, knownKey(pair[1]))
			})()...)
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func lock(tx bun.Tx, key identity.KeyHash) error {
	_, err := tx.Exec("SELECT 1 FROM anchors WHERE visitor_key_hash = ? FOR UPDATE", key[:])
	return err
}

// knownKey is the key of a device that several processes know.
func knownKey(n int) (key identity.KeyHash) {
	key[0] = byte(n + 1)
	return key
}

var _ = Describe("Two processes on one database", func() {
	onEach(databases, func(url func() string) {
		It("make one lead of one new address on many devices", func() {
			address := url()
			db := open(bunstore.Config{URL: address})
			for _, p := range startMany(2, "submit on many devices", address) {
				p.succeeds()
			}
			c := call(db)
			lead := c.lead("ana@example.org")
			Expect(lead.Anchors).To(Equal(2 * devicesEach))
			Expect(lead.Submissions).To(Equal(2 * devicesEach))
			Expect(c.journey("ana@example.org")).To(HaveLen(2 * devicesEach))
			all, err := c.Leads(c.ctx, moment.Now, reporting.Page{Limit: 9})
			Expect(err).NotTo(HaveOccurred())
			Expect(all.Items).To(HaveLen(1))
		})

		It("may take two people on two devices in opposite orders", func() {
			address := url()
			c := call(open(bunstore.Config{URL: address}))
			Expect(c.submit("ana@example.org", "f", knownKey(0))).To(Succeed())
			Expect(c.submit("ben@example.org", "f", knownKey(1))).To(Succeed())
			one, two := start("cross", address), start("cross the other way", address)
			one.goOn()
			two.goOn()
			one.succeeds()
			two.succeeds()
			for _, email := range []identity.Email{"ana@example.org", "ben@example.org"} {
				Expect(c.lead(email).Submissions).To(Equal(1 + 2*2*rounds))
			}
			pairs, err := c.Candidates(c.ctx, moment.Now, reporting.Page{Limit: 9})
			Expect(err).NotTo(HaveOccurred())
			Expect(pairs.Items).To(HaveLen(2), "each device saw the other one's person, once")
		})
	})
})

var _ = Describe("A Postgres server", func() {
	var c caller
	var address string
	one, two := knownKey(0), knownKey(1)
	BeforeEach(func() {
		address = databases["Postgres"]()
		c = call(open(bunstore.Config{URL: address}))
		Expect(c.submit("ana@example.org", "f", one)).To(Succeed())
		Expect(c.submit("ben@example.org", "f", two)).To(Succeed())
	})

	// taken is a transaction of somebody else's that has locked a device.
	taken := func(key identity.KeyHash) bun.Tx {
		GinkgoHelper()
		other, _ := openBare(address, true).Pools()
		tx, err := other.Begin()
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() { _ = tx.Rollback() })    // unless it was committed or lost
		run(tx, "SET LOCAL deadlock_timeout = '60s'") // so that we are the ones who find it
		Expect(lock(tx, key)).To(Succeed())
		return tx
	}
	// waiting is the server's process that waits for what was taken.
	waiting := func() int {
		GinkgoHelper()
		other, _ := openBare(address, true).Pools()
		var pids []int
		Eventually(func() ([]int, error) {
			pids = nil
			err := other.NewRaw("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").
				Scan(c.ctx, &pids)
			return pids, err
		}, "20s").Should(HaveLen(1))
		return pids[0]
	}

	It("that breaks a deadlock at our expense is asked again", func() {
		tx := taken(two)
		errs := crowd(1, func(int) error { return c.append("both", one, two) })
		waiting()
		Expect(lock(tx, one)).To(Succeed(), "the writer held it, and was made to give it up")
		Expect(tx.Commit()).To(Succeed())
		Expect(errs()).To(HaveEach(BeNil()))
	})

	DescribeTable("that is lost while it is asked has taken nothing, and answers again later",
		func(lose func(pid int)) {
			taken(one)
			errs := crowd(1, func(int) error { return c.append("e", one) })
			lose(waiting())
			Expect(errs()).To(HaveEach(haveCode(fault.Unavailable)))
			Eventually(func() error { return c.append("later", one) }, "30s").Should(Succeed())
			Expect(c.journey("ana@example.org")).To(ConsistOf("of-f", "later"))
		},
		Entry("because it crashed", func(int) {
			Expect(postgres.Cluster().Crash()).To(Succeed())
			Expect(postgres.Cluster().Restart()).To(Succeed())
		}),
		Entry("because its process was killed without a word", func(pid int) {
			Expect(syscall.Kill(pid, syscall.SIGKILL)).To(Succeed())
		}),
	)

	// terminate ends the connection that is in the middle of a transaction.
	terminate := func() {
		GinkgoHelper()
		other, _ := openBare(address, true).Pools()
		var ended []bool
		Expect(other.NewRaw(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'idle in transaction'`).Scan(c.ctx, &ended)).To(Succeed())
		Expect(ended).To(Equal([]bool{true}))
	}

	DescribeTable("that is lost in the middle of a batch has taken none of it, and the next call works",
		func(lose func()) {
			const many = 20
			release, held := c.hold(one)
			ask := func(i int) error { return c.submit("carl@example.org", fmt.Sprint("g", i), one) }
			errs := crowd(many, ask)
			Eventually(c.Queued, "20s").Should(Equal(many))
			lose()
			release()
			Eventually(held, "20s").Should(Receive(haveCode(fault.Unavailable)))
			for i, err := range errs() {
				if err != nil {
					Expect(err).To(haveCode(fault.Unavailable))
					Expect(ask(i)).To(Succeed(), "repeating it cures it")
				}
			}
			Expect(c.lead("carl@example.org").Submissions).To(Equal(many))
			Expect(c.journey("ana@example.org")).To(ConsistOf("of-f"))
		},
		Entry("because an operator ended the connection", terminate),
		Entry("because it crashed", func() {
			Expect(postgres.Cluster().Crash()).To(Succeed())
			Expect(postgres.Cluster().Restart()).To(Succeed())
		}),
	)

	It("that is away is an answer that the same request may be sent again", func() {
		cluster := postgres.Cluster()
		Expect(cluster.Crash()).To(Succeed())
		DeferCleanup(cluster.Restart)
		began := time.Now()
		Expect(c.append("e", one)).To(haveCode(fault.Unavailable))
		Expect(c.submit("ana@example.org", "g", one)).To(haveCode(fault.Unavailable))
		_, err := c.LeadOf(c.ctx, moment.Now, peppers.Keys("ana@example.org"))
		Expect(err).To(haveCode(fault.Unavailable))
		Expect(time.Since(began)).To(BeNumerically("<", 10*time.Second))
		Expect(cluster.Restart()).To(Succeed())
		Expect(c.append("e", one)).To(Succeed())
		Expect(c.journey("ana@example.org")).To(ConsistOf("of-f", "e"))
	})
})
