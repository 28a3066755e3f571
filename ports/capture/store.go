package capture

import (
	"context"
	"time"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Ask names what a decision needs to know. Zero parts are not loaded.
type Ask struct {
	// Now is the time of the request: what has expired by then is not loaded.
	Now time.Time
	// Keys are the hashes of the keys that were sent, in that order, distinct.
	Keys []identity.KeyHash
	// Person is the submitted address under every live pepper, the current one first.
	Person []identity.LeadKey
	// Client and Session are those of the submission; of use with Person only.
	Client  identity.ClientID
	Session journey.Session
	// Creates asks for State.Fresh: the decision may create rows.
	Creates bool
}

// Decision is a pure function that the Store calls once or, when a transaction
// has to be repeated, several times; only the last call's Change is recorded.
type Decision func(identity.State) identity.Change

// Store is what capture asks of a database.
type Store interface {
	// Record loads the State that ask names, calls decide, and records the Change,
	// all in one transaction, in which nothing else changes what was loaded. It
	// returns after the commit: what it returned without an error survives a crash.
	//
	// Anchors that have expired, or whose key was retired, are not in the State. An
	// event whose (anchor, id) is stored already is left as it was first written.
	// Records on the same rows happen one after the other, in any number of
	// processes.
	//
	// It fails with fault.Unavailable when it cannot take the request now, in which
	// case nothing was recorded; with any other error nothing was recorded either,
	// unless the connection broke during the commit, which repeating the same
	// request cures, since every Record is idempotent.
	Record(ctx context.Context, ask Ask, decide Decision) (identity.Change, error)
}
