package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/ports/reporting"
)

func (r candidateRow) view() (reporting.Candidate, error) {
	return reporting.Candidate{Candidate: r.candidate(), Client: r.ClientID}, nil
}

// Candidates is reporting.Store's promise.
func (db *DB) Candidates(
	ctx context.Context, now time.Time, page reporting.Page,
) (reporting.Listed[reporting.Candidate], error) {
	var rows []candidateRow
	q := db.read.NewSelect().Model(&rows).ColumnExpr("c.*").ColumnExpr("s.client_id").
		Join("JOIN submissions AS s ON s.id = c.submission_id").
		Join("JOIN anchors AS a ON a.id = c.anchor_id AND "+aliveAnchor, millis(now)).
		Where("NOT EXISTS (SELECT 1 FROM leads l WHERE l.id IN (c.first_lead, c.second_lead) AND NOT "+alive+")", millis(now)).
		Order("c.id DESC").Limit(int64(page.Limit) + 1)
	var last identity.CandidateID
	given, err := parseCursor(page.After, &last)
	if err != nil {
		return reporting.Listed[reporting.Candidate]{}, err
	}
	if given {
		q = q.Where("c.id < ?", last)
	}
	if err := q.Scan(ctx); err != nil {
		return reporting.Listed[reporting.Candidate]{}, db.outward(fmt.Errorf("list candidates: %w", err))
	}
	return listed(rows, page.Limit, candidateRow.view, func(r candidateRow) any { return r.ID })
}

// Resolve is reporting.Store's promise.
func (db *DB) Resolve(
	ctx context.Context, now time.Time, id identity.AnchorID,
	decide func(identity.Met) (identity.Change, error),
) error {
	return db.outward(db.repeat(ctx, func(tx bun.Tx) error {
		l := &loader{view: newView(db.seal), ctx: ctx, tx: tx, db: db, now: millis(now)}
		if err := l.loadAnchors("a.id = ?", id); err != nil {
			return err
		}
		met, err := l.met(id)
		if err != nil {
			return err
		}
		change, err := decide(met)
		if err != nil {
			return err
		}
		l.apply(change)
		return l.flush(ctx, tx, db.dialect)
	}))
}

func (l *loader) met(id identity.AnchorID) (identity.Met, error) {
	anchor, ok := l.anchors[id]
	if !ok {
		return identity.Met{}, nil
	}
	value := anchor.value
	met := identity.Met{Anchor: &value}
	if err := l.tx.NewRaw(`SELECT DISTINCT lead_id FROM submissions WHERE anchor_id = ?`, id).
		Scan(l.ctx, &met.Leads); err != nil {
		return identity.Met{}, fmt.Errorf("load who met: %w", err)
	}
	for _, lead := range []identity.LeadID{value.Lead, value.FirstLead} {
		if lead != 0 {
			met.Leads = append(met.Leads, lead)
		}
	}
	if err := l.loadCandidates([]identity.AnchorID{id}); err != nil {
		return identity.Met{}, err
	}
	for _, c := range l.candidates[id] {
		met.Candidates = append(met.Candidates, c.value)
	}
	return met, nil
}
