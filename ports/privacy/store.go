package privacy

import (
	"context"
	"time"

	"continuity/domain/identity"
)

// Store is what privacy asks of a database. A person is named by the keys of their
// address, one under every live pepper.
type Store interface {
	// Erase removes a person in one transaction, ordered with whatever is recorded at
	// the same time: that is either removed too, or finds nothing of them. The receipt
	// is stored with it and says what went. Afterwards no live row holds what was
	// removed and, where the database is a file, neither do the bytes of that file, of
	// its indexes and of its log. Its error may be fault.Unavailable once everything is
	// removed but for the log: asking again is then all there is to do.
	Erase(ctx context.Context, now time.Time, keys []identity.LeadKey) (Receipt, error)
	// Vacuum clears what a server keeps of removed rows in its tables and indexes. It
	// may hold writers up while it does. A database that keeps nothing has nothing to do.
	Vacuum(ctx context.Context) error
	// Tally is what Erase would remove now. It changes nothing.
	Tally(ctx context.Context, now time.Time, keys []identity.LeadKey) (Counts, error)
	// Export tells to everything that Erase would remove, as it stands at one moment,
	// one part at a time. An error of to ends it and is returned.
	Export(ctx context.Context, now time.Time, keys []identity.LeadKey, to Dossier) error
	// Prune deletes a bounded part of what has expired at now, empties the addresses of
	// scans from before forget, and says whether there may be more.
	Prune(ctx context.Context, now, forget time.Time) (more bool, err error)
	// Receipts lists the erasures, the newest first, at most limit.
	Receipts(ctx context.Context, limit int) ([]Receipt, error)
}

// Dossier is told a person's record: the lead, then its devices, those that an
// erasure removes first, its submissions,
// candidates and events, the events in order of time. It keeps none of it in memory
// that it does not need.
type Dossier interface {
	Lead(identity.Lead) error
	Device(Device) error
	Submission(identity.Submission) error
	Candidate(identity.Candidate) error
	Event(Entry) error
}

// Device is an anchor on which the person left something.
type Device struct {
	identity.Anchor
	// Removed says that an erasure removes it; else it is only stripped.
	Removed bool
}
