package reporting

import (
	"context"
	"fmt"
	"time"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// The bounds of a page.
const (
	DefaultLimit = 100
	MostLimit    = 1000
)

// Service is what may be asked of us by the owners of a site.
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

// Leads lists leads, the newest first.
func (s *Service) Leads(ctx context.Context, page Page) (Listed[Lead], error) {
	page, err := page.bounded()
	if err != nil {
		return Listed[Lead]{}, err
	}
	return s.store.Leads(ctx, s.now(), page)
}

// Lead is one lead.
func (s *Service) Lead(ctx context.Context, id identity.LeadID) (Lead, error) {
	return s.store.Lead(ctx, s.now(), id)
}

// Find is the lead of an address as it was typed. An address that R3 rejects is fault.Rejected.
func (s *Service) Find(ctx context.Context, email string) (Lead, error) {
	canonical, err := identity.NormalizeEmail(email)
	if err != nil {
		return Lead{}, fault.New(fault.Rejected, "email", "is not a single plain e-mail address")
	}
	return s.store.LeadOf(ctx, s.now(), s.peppers.Keys(canonical))
}

// mostStatus is the longest lead_status, in bytes.
const mostStatus = 64

// SetLeadStatus sets the site's own word for where a lead stands.
func (s *Service) SetLeadStatus(ctx context.Context, id identity.LeadID, status string) (Lead, error) {
	if journey.Clean(status) != status || len(status) > mostStatus {
		return Lead{}, fault.New(fault.Invalid, "lead_status", "must be plain text of at most 64 bytes")
	}
	if err := s.store.SetLeadStatus(ctx, s.now(), id, status); err != nil {
		return Lead{}, err
	}
	return s.Lead(ctx, id)
}

// Journey is a lead with a page of the events that it owns, in order of time.
func (s *Service) Journey(ctx context.Context, id identity.LeadID, page Page) (Lead, Listed[Entry], error) {
	page, err := page.bounded()
	if err != nil {
		return Lead{}, Listed[Entry]{}, err
	}
	lead, err := s.Lead(ctx, id)
	if err != nil {
		return Lead{}, Listed[Entry]{}, err
	}
	entries, err := s.store.Journey(ctx, s.now(), id, page)
	return lead, entries, err
}

// Submissions are all of one lead's, the oldest first.
func (s *Service) Submissions(ctx context.Context, id identity.LeadID) ([]identity.Submission, error) {
	return s.store.Submissions(ctx, s.now(), id)
}

// Candidates lists the pairs that met on one device, the newest first.
func (s *Service) Candidates(ctx context.Context, page Page) (Listed[Candidate], error) {
	page, err := page.bounded()
	if err != nil {
		return Listed[Candidate]{}, err
	}
	return s.store.Candidates(ctx, s.now(), page)
}

// Anchor tells of one device.
func (s *Service) Anchor(ctx context.Context, id identity.AnchorID) (identity.Anchor, error) {
	return s.store.Anchor(ctx, s.now(), id)
}

// Verdict is what a person decided about a shared device: one of the two.
type Verdict struct {
	KeepShared bool
	Lead       identity.LeadID
	By         string // who decided
}

// Resolve records a verdict (R9) and tells the anchor as it is then.
func (s *Service) Resolve(ctx context.Context, id identity.AnchorID, verdict Verdict) (identity.Anchor, error) {
	if verdict.KeepShared == (verdict.Lead != 0) {
		return identity.Anchor{}, fault.New(fault.Invalid, "", "needs either keep_shared: true or lead_id")
	}
	now := s.now()
	command := identity.Resolve{
		Moment:     identity.Moment{Now: now, Keep: s.keep},
		KeepShared: verdict.KeepShared, Lead: verdict.Lead, By: verdict.By,
	}
	decide := func(met identity.Met) (identity.Change, error) { return met.Resolve(command) }
	if err := s.store.Resolve(ctx, now, id, decide); err != nil {
		return identity.Anchor{}, fmt.Errorf("resolve: %w", err)
	}
	return s.store.Anchor(ctx, now, id)
}

func (p Page) bounded() (Page, error) {
	if p.Limit > MostLimit {
		return Page{}, fault.New(fault.Invalid, "limit", "is at most 1000")
	}
	if p.Limit <= 0 {
		p.Limit = DefaultLimit
	}
	return p, nil
}
