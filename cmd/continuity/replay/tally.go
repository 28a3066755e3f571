package replay

import (
	"fmt"
	"maps"
	"sync"
)

// Difference is one thing that is not as it should be.
type Difference struct {
	Kind   string `json:"kind"`             // answer, cookie, lead, submission, event, time, anchor, candidate, device
	Device int    `json:"device,omitempty"` // the device's number in the log, where it is about one
	Lead   string `json:"lead,omitempty"`   // the invented address, where it is about one
	What   string `json:"what"`
}

// tally counts while devices run side by side.
type tally struct {
	mu          sync.Mutex
	requests    map[string]map[string]int // route → status → requests
	waits       map[string]int            // status → requests sent again after a wait
	sent        int                       // events in requests that were answered, repeats included
	keys        map[string]int            // every key given → the device it was given to
	kinds       map[string]int            // kind → differences
	list        []Difference
	listed      int // the list's bound
	differences int
}

func newTally(listed int) *tally {
	return &tally{
		requests: map[string]map[string]int{}, waits: map[string]int{}, keys: map[string]int{}, kinds: map[string]int{},
		listed: listed,
	}
}

func (t *tally) request(to, status string, events int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.requests[to] == nil {
		t.requests[to] = map[string]int{}
	}
	t.requests[to][status]++
	t.sent += events
}

func (t *tally) wait(status string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waits[status]++
}

// fresh notes a key that was just made. It tells which device had it before, or 0.
func (t *tally) fresh(key string, device int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.keys[key]
	t.keys[key] = device
	return before
}

func (t *tally) differf(d Difference, format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.differences++
	t.kinds[d.Kind]++
	if len(t.list) < t.listed {
		d.What = fmt.Sprintf(format, args...)
		t.list = append(t.list, d)
	}
}

// report fills in what was counted.
func (t *tally) report(r *Report) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.Requests, r.Waits, r.EventsSent = t.requests, maps.Clone(t.waits), t.sent
	r.Differences, r.DifferenceKinds, r.FirstDifferences = t.differences, maps.Clone(t.kinds), t.list
}
