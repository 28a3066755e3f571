package journey

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// The times a client can mean. Seconds read as milliseconds fall before the
// first, microseconds after the second.
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	latest   = time.Date(5000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
)

// maxNumber is more digits than any time needs.
const maxNumber = 64

// ClientTime is what a client says of time, in milliseconds since the epoch. The
// zero value says nothing: what was missing, absurd or unreadable (R11).
type ClientTime struct {
	ms    int64
	known bool
}

// ParseClientTime reads a decoded JSON value: a json.Number or a string.
// Everything else, null and a missing value among it, says nothing.
func ParseClientTime(value any) ClientTime {
	switch v := value.(type) {
	case json.Number:
		return ClientTimeFromNumber(string(v))
	case string:
		return ClientTimeFromString(v)
	}
	return ClientTime{}
}

// ClientTimeFromNumber reads the literal of a JSON number as milliseconds since
// the epoch; a fraction of a millisecond is rounded down.
func ClientTimeFromNumber(literal string) ClientTime {
	if len(literal) > maxNumber || strings.Trim(literal, "0123456789+-.eE") != "" {
		return ClientTime{}
	}
	whole := literal
	if !strings.ContainsAny(literal, "eE") {
		whole, _, _ = strings.Cut(literal, ".")
	}
	if ms, err := strconv.ParseInt(whole, 10, 64); err == nil {
		return sensible(ms)
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.Abs(f) > float64(latest) {
		return ClientTime{}
	}
	return sensible(int64(math.Floor(f)))
}

// ClientTimeFromString reads RFC 3339 with an offset, in either case. A time
// without a zone is unreadable, and so is a string of digits: whoever means
// milliseconds sends a number.
func ClientTimeFromString(text string) ClientTime {
	if len(text) > maxNumber {
		return ClientTime{}
	}
	var t time.Time
	if err := t.UnmarshalText([]byte(strings.ToUpper(text))); err != nil {
		return ClientTime{}
	}
	return sensible(t.UnixMilli())
}

func sensible(ms int64) ClientTime {
	if ms < earliest || ms >= latest {
		return ClientTime{}
	}
	return ClientTime{ms: ms, known: true}
}

// Known reports whether the client said something usable.
func (t ClientTime) Known() bool { return t.known }

// Correct gives the time of an event by R11, in UTC and whole milliseconds: at,
// shifted by how far the client's clock was from ours when it sent (unshifted
// when sentAt says nothing), and never later than received. clamped says that
// nothing usable came out, and that occurred is received.
func Correct(at, sentAt ClientTime, received time.Time) (occurred time.Time, clamped bool) {
	now := received.UnixMilli()
	ms := at.ms
	if sentAt.known {
		ms += now - sentAt.ms
	}
	if !at.known || ms > now || ms < earliest {
		return time.UnixMilli(now).UTC(), true
	}
	return time.UnixMilli(ms).UTC(), false
}
