package identity

import "time"

// Retention says for how long devices and people are kept (R13).
//
// Expiry moves in grains of a 730th of the period (a day, of the default 730
// days), rounded up: nothing is forgotten early, at most one grain late, and a
// device that returns ten times within a grain is written once.
type Retention struct {
	Period  time.Duration // after the last activity; zero keeps for ever
	HeldFor time.Duration // for anchors that a handoff minted and nothing has saved
}

// Moment is when a decision is taken, and under which retention.
type Moment struct {
	Now  time.Time
	Keep Retention
}

const grainsPerPeriod = 730

// Grain is the step in which expiries under a period move.
func Grain(period time.Duration) time.Duration {
	return max(period/grainsPerPeriod, time.Millisecond).Truncate(time.Millisecond)
}

// expiry is when something active now expires; zero is never.
func (r Retention) expiry(status Status, now time.Time) time.Time {
	period := r.Period
	if status == Held {
		period = r.HeldFor
	}
	if period <= 0 {
		return time.Time{}
	}
	grain := Grain(period).Milliseconds()
	end := now.Add(period).UnixMilli()
	return time.UnixMilli((end + grain - 1) / grain * grain).UTC()
}

// later compares expiries, where zero is later than any.
func later(a, b time.Time) bool {
	if b.IsZero() {
		return false
	}
	return a.IsZero() || a.After(b)
}
