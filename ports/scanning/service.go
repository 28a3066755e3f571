package scanning

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/domain/scan"
)

// Rules are the settings that this conversation obeys.
type Rules struct {
	Retention identity.Retention
	// Off adds no scan to any journey (R16). Scans count all the same.
	Off bool
}

// Codes draws QR codes.
type Codes interface {
	SVG(text string) ([]byte, error)
	PNG(text string) ([]byte, error)
}

// Service is what may be asked of us about trees.
type Service struct {
	store  Store
	codes  Codes
	rules  Rules
	now    func() time.Time
	random io.Reader
}

// New makes the Service. random must be a cryptographic source.
func New(store Store, codes Codes, rules Rules, now func() time.Time, random io.Reader) *Service {
	return &Service{store: store, codes: codes, rules: rules, now: now, random: random}
}

// Visit is what a request shows of who sent it.
type Visit struct {
	// Visitors are the well-formed ids that were sent, in that order.
	Visitors []scan.VisitorID
	// Keys are the well-formed visitor keys that were sent, in that order.
	Keys []identity.Key
	// Unrecognised is set when the visitor asks not to be recognised (R16).
	Unrecognised bool
	Address      string
	Agent        string
	// Ahead says that a browser loads the page before anybody asked for it.
	Ahead bool
	// Driven says that the page itself saw that a program drives the browser.
	Driven bool
	// Flood says that more came from there than can be people.
	Flood bool
}

// Answer is what to tell the visitor.
type Answer struct {
	Tree   scan.Tree
	Status scan.Status
	// Excluded says why no person is behind it, or nothing.
	Excluded scan.Exclusion
	// Issue is the id to set; nil to set none.
	Issue *scan.VisitorID
	// Unbridged is why the journey of the device misses the scan; nil if it does not.
	Unbridged error
}

const (
	mostAgent    = 512 // bytes that are kept
	mostVisitors = 8   // that are looked up
)

// Look is the tree without a scan of it.
func (s *Service) Look(ctx context.Context, id scan.TreeID) (scan.Tree, error) {
	return s.store.Tree(ctx, id)
}

// Scan records a page load of a tree (R12). A tree that is not there is
// fault.NotFound, and counted among the orphan codes.
func (s *Service) Scan(ctx context.Context, id scan.TreeID, visit Visit) (Answer, error) {
	now := s.now().UTC().Truncate(time.Millisecond)
	tree, err := s.store.Tree(ctx, id)
	if fault.CodeOf(err) == fault.NotFound && !visit.Ahead {
		return Answer{}, errors.Join(err, s.store.Orphan(ctx, id, now))
	}
	if err != nil {
		return Answer{}, fmt.Errorf("scan: %w", err)
	}
	row, err := s.scan(id, visit, now)
	if err != nil {
		return Answer{}, err
	}
	change, err := s.store.RecordScan(ctx, row, s.forget(now))
	if err != nil {
		return Answer{}, fmt.Errorf("scan: %w", err)
	}
	answer := Answer{Tree: tree, Status: change.Status, Excluded: row.Excluded}
	if row.Excluded != "" || visit.Unrecognised {
		return answer, nil
	}
	answer.Issue = &change.Visitor
	answer.Unbridged = s.bridge(ctx, id, visit, now)
	return answer, nil
}

func (s *Service) scan(id scan.TreeID, visit Visit, now time.Time) (scan.Scan, error) {
	row := scan.Scan{
		Tree: id, At: now, Visitors: visit.Visitors[:min(len(visit.Visitors), mostVisitors)],
		Address: visit.Address, Agent: journey.Bounded(visit.Agent, mostAgent),
	}
	switch {
	case visit.Ahead:
		row.Excluded = scan.Prefetch
	case visit.Driven || scan.Automated(visit.Agent):
		row.Excluded = scan.Bot
	case visit.Flood:
		row.Excluded = scan.Flood
	}
	if visit.Unrecognised {
		row.Visitors = nil
	}
	var random [16]byte
	if _, err := io.ReadFull(s.random, random[:]); err != nil {
		return scan.Scan{}, fmt.Errorf("draw a visitor id: %w", err)
	}
	row.Fresh = scan.NewVisitorID(random)
	return row, nil
}

// forget is from before when addresses and agents are emptied (R13).
func (s *Service) forget(now time.Time) time.Time {
	if s.rules.Retention.Period == 0 {
		return time.Time{}
	}
	return now.Add(-s.rules.Retention.Period)
}

// bridge appends the scan to the journey of a known device. The visitor has been
// counted by now, so that a caller who goes away must not undo it half.
func (s *Service) bridge(ctx context.Context, id scan.TreeID, visit Visit, now time.Time) error {
	if s.rules.Off || len(visit.Keys) == 0 {
		return nil
	}
	var random [16]byte
	if _, err := io.ReadFull(s.random, random[:]); err != nil {
		return fmt.Errorf("draw an event id: %w", err)
	}
	command := identity.Append{
		Moment: identity.Moment{Now: now, Keep: s.rules.Retention},
		Events: []journey.Event{{
			ID:         journey.EventID(identity.Key(random).String()),
			OccurredAt: now, ReceivedAt: now, Source: journey.FromScan, Kind: "scan",
			Props: `{"tree":"` + string(id) + `"}`,
		}},
	}
	ask := identity.Ask{Now: now, Keys: identity.NewRing(visit.Keys).Hashes(), Bytes: journey.Weight(command.Events)}
	_, err := s.store.Record(context.WithoutCancel(ctx), ask, func(state identity.State) identity.Change {
		return state.Append(command)
	})
	return err
}
