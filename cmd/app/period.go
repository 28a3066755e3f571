package app

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Period is a span of time as a setting. Zero is unlimited.
type Period time.Duration

const (
	minute = Period(time.Minute)
	day    = 24 * Period(time.Hour)
	// longest is a hundred years: whoever means more means unlimited.
	longest = 36500 * day
)

// Decode reads 730d, 72h, 15m, 1h30m or unlimited.
func (p *Period) Decode(text string) error {
	if text == "unlimited" {
		*p = 0
		return nil
	}
	span, err := parseSpan(text)
	if err != nil || span <= 0 || span > longest {
		return errors.New("it must be a time such as 400d, 72h or 15m, at most 36500d, or unlimited")
	}
	*p = span
	return nil
}

func parseSpan(text string) (Period, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return Period(n) * day, err
	}
	span, err := time.ParseDuration(text)
	return Period(span), err
}

// Duration is the period as the standard library counts it.
func (p Period) Duration() time.Duration { return time.Duration(p) }

// String is how the period would be set.
func (p Period) String() string {
	switch {
	case p == 0:
		return "unlimited"
	case p%day == 0:
		return strconv.FormatInt(int64(p/day), 10) + "d"
	}
	return time.Duration(p).String()
}
