package reporting

import (
	"context"
	"time"

	"continuity/domain/identity"
)

// Store is what reporting asks of a database. Everything that has expired at now
// is gone for each of its methods. What is not there is fault.NotFound; a cursor
// that no page gave is fault.Invalid and names the field "cursor".
type Store interface {
	// Leads lists leads, the newest first.
	Leads(ctx context.Context, now time.Time, page Page) (Listed[Lead], error)
	Lead(ctx context.Context, now time.Time, id identity.LeadID) (Lead, error)
	// LeadOf finds the lead of an address, given under every live pepper.
	LeadOf(ctx context.Context, now time.Time, keys []identity.LeadKey) (Lead, error)
	SetLeadStatus(ctx context.Context, now time.Time, id identity.LeadID, status string) error
	// Journey lists the events that the lead owns, attributed or in a snapshot, in
	// order of OccurredAt, then of arrival.
	Journey(ctx context.Context, now time.Time, id identity.LeadID, page Page) (Listed[Entry], error)
	// Submissions are the lead's, the oldest first.
	Submissions(ctx context.Context, now time.Time, id identity.LeadID) ([]identity.Submission, error)
	// Candidates lists open and closed ones, the newest first.
	Candidates(ctx context.Context, now time.Time, page Page) (Listed[Candidate], error)
	// Anchor tells of a device. LastSeenAt is the time of its last append, exactly.
	Anchor(ctx context.Context, now time.Time, id identity.AnchorID) (identity.Anchor, error)
	// Resolve loads what decide needs, calls it under the anchor's lock, and records
	// its Change in one transaction. An error of decide is returned as it is and
	// nothing is recorded.
	Resolve(ctx context.Context, now time.Time, id identity.AnchorID,
		decide func(identity.Met) (identity.Change, error)) error
}
