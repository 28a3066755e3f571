package crash

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"

	. "github.com/onsi/gomega"
)

// Crowd is several visitors at once, whose requests have all ended when its methods return.
type Crowd struct {
	visitors []*visitor
	service  *Service
}

const (
	crowdSize    = 8
	mostRequests = 400 // of one visitor in one visit
	mostBefore   = 160 // accepted requests before something happens
)

// Arrive has new visitors come to a running service.
func Arrive(s *Service) *Crowd {
	c := &Crowd{service: s}
	for range crowdSize {
		c.visitors = append(c.visitors, newVisitor(&http.Client{
			Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 1},
		}))
	}
	return c
}

// VisitUntil has all of them send at once, calls happen when a random number of requests has been accepted, in the
// middle of the others, and returns when each visitor has been stopped by it or has no more to send.
func (c *Crowd) VisitUntil(happen func()) {
	var accepted atomic.Int64
	when, now := 1+rand.Int64N(mostBefore), make(chan struct{})
	var all sync.WaitGroup
	for _, v := range c.visitors {
		all.Go(func() {
			v.visit(c.service.Public, mostRequests, func() {
				if accepted.Add(1) == when {
					close(now)
				}
			})
		})
	}
	stopped := make(chan struct{})
	go func() { all.Wait(); close(stopped) }()
	select {
	case <-now:
	case <-stopped: // everybody was refused before
	}
	happen()
	<-stopped
	for _, v := range c.visitors {
		v.client.CloseIdleConnections()
	}
}

// Accepted is how many requests were promised.
func (c *Crowd) Accepted() (n int) {
	for _, v := range c.visitors {
		for _, r := range v.sent {
			if r.accepted {
				n++
			}
		}
	}
	return n
}

// Misanswered are the answers that were neither an acceptance nor a proper refusal: 503 with Retry-After, or none at all.
func (c *Crowd) Misanswered() (all []string) {
	for _, v := range c.visitors {
		refused := v.last.status == http.StatusServiceUnavailable && v.last.retryAfter != ""
		if v.err == nil && v.last.status != http.StatusNoContent && !refused {
			all = append(all, fmt.Sprintf("%d, Retry-After %q", v.last.status, v.last.retryAfter))
		}
	}
	return all
}

// Refused is how many visitors were told to come back.
func (c *Crowd) Refused() (n int) {
	for _, v := range c.visitors {
		if v.err == nil && v.last.status == http.StatusServiceUnavailable {
			n++
		}
	}
	return n
}

// SendAgain repeats what was not accepted, as clients do; all of it must be accepted now.
func (c *Crowd) SendAgain() error {
	var all error
	for _, v := range c.visitors {
		for _, r := range v.sent {
			if !r.accepted && !v.send(c.service.Public, r) {
				all = errors.Join(all, fmt.Errorf("%s was not accepted: %d, %w", r.path, v.last.status, v.err))
			}
		}
	}
	return all
}

// Broken are the promises that the service has not kept, as its owners see it.
func (c *Crowd) Broken() (all []string) {
	for _, v := range c.visitors {
		found, err := c.service.keptOf(v.email)
		if err != nil && !errors.Is(err, errNobody) {
			all = append(all, err.Error())
			continue
		}
		if what := v.broken(found); what != "" {
			all = append(all, what)
		}
	}
	return all
}

// Knock sends one new visitor's submission and says what was answered: the status and Retry-After.
func (s *Service) Knock() (status int, retryAfter string) {
	v := newVisitor(&http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}})
	v.send(s.Public, v.submit(1))
	return v.last.status, v.last.retryAfter
}

// KeepsItsPromises fails unless everything that was accepted is there once, and nothing is there by half; then it
// repeats what is in doubt and looks again.
func (c *Crowd) KeepsItsPromises() {
	Expect(c.Misanswered()).To(BeEmpty())
	Expect(c.Broken()).To(BeEmpty())
	Expect(c.SendAgain()).To(Succeed())
	Expect(c.Broken()).To(BeEmpty())
}
