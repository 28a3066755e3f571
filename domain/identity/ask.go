package identity

import (
	"time"

	"continuity/domain/handoff"
	"continuity/domain/journey"
)

// Ask names what a decision needs to know. Zero parts are not loaded.
type Ask struct {
	// Now is the time of the request: what has expired by then is not loaded.
	Now time.Time
	// Keys are the hashes of the keys that were sent, in that order, distinct.
	Keys []KeyHash
	// Person is the submitted address under every live pepper, the current one first.
	Person []LeadKey
	// Client is the submission's; of use with Person only.
	Client ClientID
	// Session is the request's.
	Session journey.Session
	// Handoff is the token that was named or is to be minted, zero for none.
	Handoff handoff.TokenHash
	// Handoffs asks for State.Handoffs.
	Handoffs bool
	// Creates asks for State.Fresh: the decision may create rows.
	Creates bool
	// Bytes is about how much memory the decision holds on to; it bounds what a
	// store lets wait.
	Bytes int
}

// Decision is a pure function that a store calls once or, when a transaction has
// to be repeated, several times; only the last call's Change is recorded.
type Decision func(State) Change
