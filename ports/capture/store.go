package capture

import (
	"context"

	"continuity/domain/identity"
)

// Ask and Decision are what a Record is about.
type (
	Ask      = identity.Ask
	Decision = identity.Decision
)

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
