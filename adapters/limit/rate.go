package limit

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// Rate is so many in that time. The zero value is unlimited.
type Rate struct {
	Count int
	Per   time.Duration
}

// most bounds a Rate: whoever means more means unlimited.
const most = 1_000_000

var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}

var errRate = errors.New("it must be a rate such as 60/m or 10/s, at most 1000000 in a s, m, h or d, or unlimited")

// UnmarshalText reads 10/s, 60/m, 100/h, 5000/d or unlimited.
func (r *Rate) UnmarshalText(text []byte) error {
	if string(text) == "unlimited" {
		*r = Rate{}
		return nil
	}
	digits, unit, _ := strings.Cut(string(text), "/")
	count, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || count == 0 || count > most || units[unit] == 0 {
		return errRate
	}
	*r = Rate{Count: int(count), Per: units[unit]}
	return nil
}

// String is how the rate would be set.
func (r Rate) String() string {
	for unit, per := range units {
		if r.Per == per {
			return strconv.Itoa(r.Count) + "/" + unit
		}
	}
	return "unlimited"
}
