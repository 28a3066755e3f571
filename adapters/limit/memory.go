package limit

import (
	"context"
	"fmt"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
)

const (
	// mostNames bounds what is remembered of each limit.
	mostNames = 1 << 16
	// mostTries is how often a count may lose a race for one name.
	mostTries = 1000
)

// Memory is a limit of this process.
type Memory struct{ counts *throttled.GCRARateLimiterCtx }

// NewMemory is a limit of a rate that is not unlimited.
func NewMemory(rate Rate) (*Memory, error) {
	return newMemory(rate, mostNames)
}

func newMemory(rate Rate, names int) (*Memory, error) {
	store, err := memstore.NewCtx(names)
	if err != nil {
		return nil, fmt.Errorf("make room for counts: %w", err)
	}
	counts, err := throttled.NewGCRARateLimiterCtx(store, throttled.RateQuota{
		MaxRate: throttled.PerDuration(rate.Count, rate.Per), MaxBurst: rate.Count - 1,
	})
	if err != nil {
		return nil, fmt.Errorf("limit to %v: %w", rate, err)
	}
	counts.SetMaxCASAttemptsLimit(mostTries)
	return &Memory{counts}, nil
}

// Take counts n against a name. Where that would be too much it counts nothing, ok
// is false, and wait tells when it would not be: zero for what never fits.
func (m *Memory) Take(ctx context.Context, name string, n int) (wait time.Duration, ok bool) {
	refused, told, err := m.counts.RateLimitCtx(ctx, name, n)
	if err != nil || !refused {
		// The only error is to have lost a thousand races: that is one request.
		return 0, true
	}
	return max(told.RetryAfter, 0), false
}
