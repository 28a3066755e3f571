package main

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is what a contestant is put under.
type load struct {
	Connections int     `json:"connections"`
	Reconnect   bool    `json:"reconnect"` // a connection per request
	Rate        float64 `json:"rate"`      // scheduled requests per second; 0 for a closed loop
}

// sample is what was seen of some requests.
type sample struct {
	latencies []time.Duration // of those that were accepted, sorted at the end
	refused   int             // 503 and the like
	failed    int             // no answer at all
	spent     time.Duration
}

// traffic is what requests are made of.
type traffic struct {
	devices     []device
	submissions float64 // the share of them
}

// generate puts an address under a load and waits for the last answers. What was due in the time to warm up is not
// counted; warm is called at its end. An open loop counts from the moment at which a request was due.
func generate(address string, l load, t traffic, warmup, span time.Duration, warm func()) sample {
	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		ticket atomic.Int64
		total  sample
	)
	begin := time.Now()
	counted, end := begin.Add(warmup), begin.Add(warmup+span)
	time.AfterFunc(warmup, warm)
	for range l.Connections {
		all.Go(func() {
			w, c := newWriter(t, l.Reconnect), newClient(address, l.Reconnect)
			defer c.close()
			var mine, early sample
			for {
				due := time.Now()
				if l.Rate > 0 {
					due = begin.Add(time.Duration(float64(ticket.Add(1)) / l.Rate * float64(time.Second)))
				}
				if due.After(end) {
					break
				}
				time.Sleep(time.Until(due))
				if due.Before(counted) {
					early.note(c, w.next(), due)
				} else {
					mine.note(c, w.next(), due)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.latencies = append(total.latencies, mine.latencies...)
			total.refused += mine.refused
			total.failed += mine.failed
		})
	}
	all.Wait()
	total.spent = time.Since(counted)
	slices.Sort(total.latencies)
	return total
}

func (s *sample) note(c *client, request []byte, due time.Time) {
	status, err := c.exchange(request)
	switch {
	case err != nil:
		s.failed++
	case status != http.StatusNoContent:
		s.refused++
	default:
		s.latencies = append(s.latencies, time.Since(due))
	}
}

// quantile is in milliseconds; 0 when there is nothing.
func (s sample) quantile(q float64) float64 {
	if len(s.latencies) == 0 {
		return 0
	}
	at := min(int(q*float64(len(s.latencies))), len(s.latencies)-1)
	return float64(s.latencies[at].Microseconds()) / 1000
}
