package limit

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// taker is what every limit is.
type taker interface {
	Take(ctx context.Context, name string, n int) (time.Duration, bool)
}

// atOnce has many callers take one each, at once, from limits by turns, and counts
// who got through.
func atOnce(ctx context.Context, callers int, name string, limits ...taker) int {
	var through atomic.Int64
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			if _, ok := limits[i%len(limits)].Take(ctx, name, 1); ok {
				through.Add(1)
			}
		})
	}
	all.Wait()
	return int(through.Load())
}

var _ = Describe("A limit in memory", func() {
	It("lets exactly as many through as it says, and tells when the next may come", func(ctx SpecContext) {
		m, err := NewMemory(Rate{60, time.Hour})
		Expect(err).NotTo(HaveOccurred())
		Expect(atOnce(ctx, 500, "a", m)).To(Equal(60))
		wait, ok := m.Take(ctx, "a", 1)
		Expect(ok).To(BeFalse())
		Expect(wait).To(BeNumerically("~", time.Minute, 10*time.Second))
		_, ok = m.Take(ctx, "b", 1)
		Expect(ok).To(BeTrue(), "another name has a limit of its own")
	})

	It("counts several at once wholly or not at all", func(ctx SpecContext) {
		m, err := NewMemory(Rate{10, time.Hour})
		Expect(err).NotTo(HaveOccurred())
		_, ok := m.Take(ctx, "a", 8)
		Expect(ok).To(BeTrue())
		_, ok = m.Take(ctx, "a", 3)
		Expect(ok).To(BeFalse())
		_, ok = m.Take(ctx, "a", 2)
		Expect(ok).To(BeTrue(), "who was refused was not counted")
		wait, ok := m.Take(ctx, "c", 11)
		Expect(ok).To(BeFalse())
		Expect(wait).To(BeZero())
	})

	It("remembers no more names than it has room for, the newest", func(ctx SpecContext) {
		m, err := newMemory(Rate{1, time.Hour}, 100)
		Expect(err).NotTo(HaveOccurred())
		for i := range 101 {
			_, ok := m.Take(ctx, fmt.Sprint(i), 1)
			Expect(ok).To(BeTrue())
		}
		_, ok := m.Take(ctx, "100", 1)
		Expect(ok).To(BeFalse())
		_, ok = m.Take(ctx, "0", 1)
		Expect(ok).To(BeTrue(), "the oldest was forgotten")
	})
})
