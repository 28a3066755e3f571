package world

import (
	"sync"
	"time"
)

// Clock is a service's time, which stands still between moves but never ahead of
// a move: stories of months take no time.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock starts at the present.
func NewClock() *Clock { return &Clock{now: time.Now().UTC().Truncate(time.Millisecond)} }

// Now is the time; each look is a millisecond later than the one before, as events are.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

// Move moves the time on.
func (c *Clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}
