package scanning

import (
	"context"
	"fmt"
	"time"

	"continuity/domain/scan"
)

// Now is the time that a question about "until now" means.
func (s *Service) Now() time.Time { return s.now() }

// Metrics counts one tree.
func (s *Service) Metrics(ctx context.Context, id scan.TreeID, of scan.Range) (scan.Metrics, error) {
	tree, err := s.store.Tree(ctx, id)
	if err != nil {
		return scan.Metrics{}, err
	}
	all, err := s.count(ctx, []scan.TreeID{tree.ID}, of)
	if err != nil {
		return scan.Metrics{}, err
	}
	return all[0], nil
}

// AllMetrics counts a page of trees, each by itself, in order of their ids.
func (s *Service) AllMetrics(ctx context.Context, of scan.Range, page Page) (all []scan.Metrics, next string, err error) {
	listed, err := s.Trees(ctx, page)
	if err != nil {
		return nil, "", err
	}
	ids := make([]scan.TreeID, len(listed.Trees))
	for i, tree := range listed.Trees {
		ids[i] = tree.ID
	}
	all, err = s.count(ctx, ids, of)
	return all, listed.Next, err
}

func (s *Service) count(ctx context.Context, ids []scan.TreeID, of scan.Range) ([]scan.Metrics, error) {
	tallies := make(map[scan.TreeID]*scan.Tally, len(ids))
	for _, id := range ids {
		tallies[id] = scan.NewTally(of)
	}
	var current scan.TreeID
	var tally *scan.Tally
	err := s.store.EachScan(ctx, ids, of.Since(), of.To, func(id scan.TreeID, row scan.Row) {
		if tally == nil || id != current {
			current, tally = id, tallies[id]
		}
		tally.Add(row)
	})
	if err != nil {
		return nil, fmt.Errorf("count scans: %w", err)
	}
	all := make([]scan.Metrics, len(ids))
	for i, id := range ids {
		all[i] = tallies[id].Metrics(id)
	}
	return all, nil
}
