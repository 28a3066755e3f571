package handingoff

import (
	"context"
	"time"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Store is what handing off asks of a database.
type Store interface {
	// Record loads the State that ask names, calls decide, and records the Change,
	// all in one transaction, in which nothing else changes what was loaded. It
	// returns after the commit. Of a device, or of a token, that many requests are
	// about, one is decided after the other, in any number of processes.
	//
	// It fails with fault.Unavailable when it cannot take the request now.
	Record(ctx context.Context, ask identity.Ask, decide identity.Decision) (identity.Change, error)
	// Handoff is the one of a token, as it is now, alive or not; fault.NotFound if
	// there is none or its device has expired.
	Handoff(ctx context.Context, now time.Time, token handoff.TokenHash) (identity.Handoff, error)
	// Carried are the events that h's mint and claims carried, as they are stored, in
	// order of time. Of a confirmed handoff, those that its lead owns and that were
	// received by ConfirmedAt.
	Carried(ctx context.Context, h identity.Handoff) ([]journey.Event, error)
}
