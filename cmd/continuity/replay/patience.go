package replay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// errPatience is returned for a request that a service stayed too busy for.
var errPatience = errors.New("the service stayed busy for too long")

const (
	unanswered = 3                      // attempts without any answer
	breath     = 200 * time.Millisecond // between those
	unasked    = time.Second            // wait when Retry-After says nothing readable
)

// patiently sends what ask makes until there is an answer other than 429 and
// 503. It waits as long as Retry-After asks, and not longer than patience in all.
// heard is told every status, "none" for no answer, and whether it will be asked again.
func patiently(ctx context.Context, c *http.Client, patience time.Duration, ask func() (*http.Request, error),
	heard func(status string, again bool)) (*http.Response, error) {
	deadline, silences := time.Now().Add(patience), 0
	for {
		req, err := ask()
		if err != nil {
			return nil, err
		}
		resp, err := c.Do(req)
		if err != nil {
			silences++
			again := silences < unanswered && ctx.Err() == nil
			heard("none", again)
			if !again {
				return nil, fmt.Errorf("no answer: %w", err)
			}
			if err := pause(ctx, breath); err != nil {
				return nil, err
			}
			continue
		}
		status := strconv.Itoa(resp.StatusCode)
		if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
			heard(status, false)
			return resp, nil
		}
		_ = resp.Body.Close()
		wait := retryAfter(resp.Header.Get("Retry-After"), time.Now())
		again := time.Now().Add(wait).Before(deadline)
		heard(status, again)
		if !again {
			return nil, fmt.Errorf("status %s: %w", status, errPatience)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// retryAfter reads seconds or an HTTP date (RFC 9110, 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if s, err := strconv.Atoi(header); err == nil && s >= 0 {
		return max(time.Duration(s)*time.Second, breath)
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), breath)
	}
	return unasked
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return stopped(ctx)
	case <-t.C:
		return nil
	}
}

// stopped is why ctx ended, or nil while it goes on.
func stopped(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("stopped: %w", err)
	}
	return nil
}
