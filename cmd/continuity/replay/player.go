package replay

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// player carries out a plan against the public side.
type player struct {
	o      Options
	plan   plan
	client *http.Client
	tally  *tally
	origin string
	done   func(steps int) // called as work gets done
	lost   atomic.Int64    // devices that gave up
}

func newClient(concurrency int) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 2 * concurrency, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		},
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// originOf is what a page at that address calls its origin.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// mostLost is how many devices may give up before the replay does.
const mostLost = 20

// play runs every device's script, some side by side. It fails when ctx ends, and
// when too many devices got no answer.
func (p *player) play(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.o.Concurrency)
	for i := range p.plan.scripts {
		group.Go(func() error { return p.run(ctx, &p.plan.scripts[i]) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("a device: %w", err)
	}
	return nil
}

func (p *player) run(ctx context.Context, s *script) error {
	j := &jar{name: p.o.CookieName}
	for i, st := range s.steps {
		if st.emptied {
			j.value = ""
		}
		err := p.take(ctx, s, st, j)
		if ctx.Err() != nil {
			return stopped(ctx)
		}
		if err != nil {
			at := Difference{Kind: "device", Device: s.device.number}
			p.tally.differf(at, "gave up at request %d of %d: %v", i+1, len(s.steps), err)
			p.done(len(s.steps) - i)
			if p.lost.Add(1) >= mostLost {
				return fmt.Errorf("%d devices gave up, the last with: %w", mostLost, err)
			}
			return nil
		}
		p.done(1)
	}
	return nil
}

// take does one step, with its mishap.
func (p *player) take(ctx context.Context, s *script, st step, j *jar) error {
	x := exchange{p: p, script: s, step: st, sent: time.Now(), cookie: j.value}
	if st.key == stale {
		x.cookie = j.retired
		_, err := x.once(ctx) // a late answer: the browser has moved on
		return err
	}
	if st.to == toReset {
		j.retired = j.value
	}
	switch st.mishap {
	case blind:
		return x.inTurn(ctx, &jar{name: j.name}) // whatever cookies come, they do not arrive
	case answerLost:
		return x.inTurn(ctx, j)
	case hungUp:
		if err := x.hangUp(ctx); err != nil {
			return err
		}
	case atOnce:
		return x.atOnce(ctx, j)
	default: // the others are in the body
	}
	a, err := x.once(ctx)
	if err == nil {
		j.keep(a)
	}
	return err
}
