package bunstore_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/identity"
)

var _ = Describe("A changed retention", func() {
	const day = 24 * time.Hour
	ctx, now := context.Background(), time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	keep := func(d time.Duration) identity.Retention { return identity.Retention{Period: d, HeldFor: time.Hour} }

	onEach(databases, func(url func() string) {
		It("applies to what is stored already, by when it was last active", func() {
			db := open(bunstore.Config{URL: url()})
			Expect(db.KeepFor(ctx, keep(time.Hour))).To(Succeed())
			ana := written{"zephyrine@example.org", identity.KeyHash{9}}
			Expect(ana.submit(db, now)).To(Succeed()) // which keeps for an hour
			alive := func(at time.Duration) bool {
				_, err := db.LeadOf(ctx, now.Add(at), secret.Keys(ana.email))
				return err == nil
			}
			Expect([]bool{alive(59 * time.Minute), alive(61 * time.Minute)}).To(Equal([]bool{true, false}))
			Expect(db.KeepFor(ctx, keep(10*day))).To(Succeed())
			Expect([]bool{alive(10*day - time.Minute), alive(10*day + time.Hour)}).To(Equal([]bool{true, false}))
			Expect(db.KeepFor(ctx, keep(10*day))).To(Succeed(), "the same again changes nothing")
			Expect(db.KeepFor(ctx, keep(0))).To(Succeed())
			Expect(alive(10000 * day)).To(BeTrue())
			Expect(db.KeepFor(ctx, keep(2*day))).To(Succeed())
			Expect([]bool{alive(2*day - time.Minute), alive(2*day + time.Hour)}).To(Equal([]bool{true, false}))
			write, _ := db.Pools()
			var lead, anchor int64
			Expect(write.NewRaw("SELECT (SELECT expires_at FROM leads), (SELECT expires_at FROM anchors)").Scan(ctx, &lead, &anchor)).To(Succeed())
			Expect(anchor).To(Equal(lead))
		})
	})
})
