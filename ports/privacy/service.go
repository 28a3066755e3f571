package privacy

import (
	"context"
	"fmt"
	"time"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Counts are how many rows of each kind are a person's alone.
type Counts struct {
	Leads       int
	Submissions int
	Events      int
	Anchors     int
	Candidates  int
}

// Add adds the counts of another lead.
func (c *Counts) Add(o Counts) {
	c.Leads += o.Leads
	c.Submissions += o.Submissions
	c.Events += o.Events
	c.Anchors += o.Anchors
	c.Candidates += o.Candidates
}

// Receipt proves an erasure and names nobody.
type Receipt struct {
	ID int64 // zero: of a dry run, which leaves no receipt
	At time.Time
	Counts
}

// Entry is one event that a person owns.
type Entry struct {
	Anchor     identity.AnchorID
	Ownership  identity.Ownership
	Submission identity.ClientID // of a snapshot, else empty
	journey.Event
}

// Service is what may be asked of us about a person's data.
type Service struct {
	store   Store
	peppers identity.Peppers
	keep    identity.Retention
	now     func() time.Time
}

// New makes the Service.
func New(store Store, peppers identity.Peppers, keep identity.Retention, now func() time.Time) *Service {
	return &Service{store: store, peppers: peppers, keep: keep, now: now}
}

// Export tells to everything there is of an address as it was typed; nothing, where
// it is nobody's. An address that R3 rejects is fault.Rejected.
func (s *Service) Export(ctx context.Context, email string, to Dossier) error {
	keys, err := s.keys(email)
	if err != nil {
		return err
	}
	if err := s.store.Export(ctx, s.moment(), keys, to); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// Erase removes everything there is of an address as it was typed, or, in a dry run,
// tells how much that would be. An address that R3 rejects is fault.Rejected.
func (s *Service) Erase(ctx context.Context, email string, dryRun bool) (Receipt, error) {
	keys, err := s.keys(email)
	if err != nil {
		return Receipt{}, err
	}
	now := s.moment()
	if dryRun {
		counts, err := s.store.Tally(ctx, now, keys)
		if err != nil {
			return Receipt{}, fmt.Errorf("count what an erasure removes: %w", err)
		}
		return Receipt{At: now, Counts: counts}, nil
	}
	receipt, err := s.store.Erase(ctx, now, keys)
	if err != nil {
		return Receipt{}, fmt.Errorf("erase: %w", err)
	}
	return receipt, nil
}

// mostReceipts are as many as Receipts tells.
const mostReceipts = 1000

// Receipts are the last erasures, the newest first.
func (s *Service) Receipts(ctx context.Context) ([]Receipt, error) {
	return s.store.Receipts(ctx, mostReceipts)
}

// Prune deletes all that has expired, a part at a time, and calls progress after each.
// The service may go on meanwhile; whatever it may delete at once is bounded.
func (s *Service) Prune(ctx context.Context, progress func()) error {
	now := s.moment()
	var forget time.Time
	if s.keep.Period > 0 {
		forget = now.Add(-s.keep.Period)
	}
	for {
		more, err := s.store.Prune(ctx, now, forget)
		if err != nil {
			return fmt.Errorf("prune: %w", err)
		}
		if progress(); !more {
			return nil
		}
	}
}

// Vacuum takes what was erased out of the database's own files, as far as the
// database can do that itself; see the Store.
func (s *Service) Vacuum(ctx context.Context) error { return s.store.Vacuum(ctx) }

func (s *Service) moment() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

func (s *Service) keys(email string) ([]identity.LeadKey, error) {
	canonical, err := identity.NormalizeEmail(email)
	if err != nil {
		return nil, fault.New(fault.Rejected, "email", "is not a single plain e-mail address")
	}
	return s.peppers.Keys(canonical), nil
}
