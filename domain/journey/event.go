package journey

import "time"

// Session is a client's own name for one browser session. The zero value means
// the event belongs to no session that we know of.
type Session string

// EventID is the client's own name for an event: the same id under the same
// anchor is the same event (R1).
type EventID string

// Source is the way an event arrived.
type Source string

// The ways in.
const (
	FromAppend     Source = "append"
	FromSubmission Source = "submission"
	FromMint       Source = "mint"
	FromClaim      Source = "claim"
	FromScan       Source = "scan"
)

// Event is one step of a journey, cleaned and bounded, as it will be stored.
type Event struct {
	ID         EventID
	Session    Session
	OccurredAt time.Time // corrected by R11, never later than ReceivedAt
	ReceivedAt time.Time // our clock
	Clamped    bool      // the client's time was unusable, OccurredAt is ReceivedAt
	Source     Source
	Kind       string
	URL        string
	Title      string
	Referrer   string
	Campaign   string // a JSON object with sorted keys, or empty
	Props      string // a JSON object with sorted keys, or empty
}
