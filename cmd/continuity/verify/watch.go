package verify

import (
	"context"
	"errors"
	"time"
)

// Watch verifies at once and then every so often until ctx ends, and hands each report
// to tell. Its verdict is the worst of all. The flood is left out: a watch must not use
// up anybody's limits.
func Watch(ctx context.Context, o Options, every time.Duration, tell func(Report) error) (Verdict, error) {
	if every <= 0 {
		return Unknown, errors.New("every: must be longer than nothing")
	}
	o.Flood = 0
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	worst := Safe
	for {
		report, err := Run(ctx, o)
		if ctx.Err() != nil {
			return worst, nil
		}
		if err != nil {
			return Unknown, err
		}
		worst = conclude([]Result{{Verdict: worst}, {Verdict: report.Verdict}})
		if err := tell(report); err != nil {
			return Unknown, err
		}
		select {
		case <-ctx.Done():
			return worst, nil
		case <-ticker.C:
		}
	}
}
