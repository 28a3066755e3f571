package scan

import (
	"strings"
	"time"

	"continuity/domain/fault"
)

// Range is what a report is about.
type Range struct {
	From, To time.Time      // From belongs to it, To does not; zero: open
	Zone     *time.Location // whose days are counted
	// Fold is how soon after another a scan by the same visitor is a refresh, not to
	// be counted; zero counts every scan.
	Fold time.Duration
}

const (
	mostDays = 3700
	mostFold = time.Hour
)

// ParseRange reads the parts of a question: from and to as dates of the zone or as
// RFC 3339 instants, fold as a duration. Empty parts are open, and no folding. A date as to includes its day. A from without a to
// reaches until now. A fault names the part that is wrong.
func ParseRange(from, to, fold string, zone *time.Location, now time.Time) (Range, error) {
	r := Range{Zone: zone}
	var err error
	if r.From, err = parseEdge("from", from, r.Zone, 0); err != nil {
		return Range{}, err
	}
	if r.To, err = parseEdge("to", to, r.Zone, 1); err != nil {
		return Range{}, err
	}
	if fold != "" {
		if r.Fold, err = time.ParseDuration(fold); err != nil || r.Fold < 0 || r.Fold > mostFold {
			return Range{}, fault.New(fault.Invalid, "fold", "must be a time such as 10s, at most 1h")
		}
	}
	if !r.From.IsZero() && r.To.IsZero() {
		r.To = latest(now.Truncate(time.Millisecond).Add(time.Millisecond), r.From.Add(time.Millisecond))
	}
	return r, r.check()
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// parseEdge reads one end. later is how many days after a date's beginning it is.
func parseEdge(field, text string, zone *time.Location, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if date, err := time.Parse(time.DateOnly, text); err == nil && date.Year() > 0 {
		return time.Date(date.Year(), date.Month(), date.Day()+later, 0, 0, 0, 0, zone), nil
	}
	// A plus that was not escaped arrives as a space.
	at, err := time.Parse(time.RFC3339, strings.Replace(text, " ", "+", 1))
	if err != nil || at.Year() < 1 {
		return time.Time{}, fault.New(fault.Invalid, field, "must be a date such as 2026-10-25 or a time such as 2026-10-25T08:00:00Z")
	}
	return at, nil
}

func (r Range) check() error {
	switch {
	case r.From.IsZero() || r.To.IsZero():
		return nil
	case !r.To.After(r.From):
		return fault.New(fault.Invalid, "to", "must be after from")
	case r.To.Sub(r.From) > mostDays*24*time.Hour:
		return fault.New(fault.Invalid, "from", "must be at most 3700 days before to")
	}
	return nil
}

// Since is from when on rows are needed: a refresh may follow a scan from just
// before the range. Zero: from the first.
func (r Range) Since() time.Time {
	if r.From.IsZero() {
		return r.From
	}
	return r.From.Add(-r.Fold)
}

func (r Range) holds(at time.Time) bool {
	return (r.From.IsZero() || !at.Before(r.From)) && (r.To.IsZero() || at.Before(r.To))
}

func (r Range) folds(after time.Duration) bool { return r.Fold > 0 && after <= r.Fold }
