package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

var _ reporting.Store = (*DB)(nil)

const (
	alive      = "(l.expires_at IS NULL OR l.expires_at > ?)"
	noSuchLead = "no such lead"
)

type listedLead struct {
	leadRow     `bun:",extend"`
	Anchors     int   `bun:"anchors"`
	Submissions int   `bun:"submissions"`
	Active      int64 `bun:"active"`
}

func (s seal) listed(r listedLead) (reporting.Lead, error) {
	lead, err := s.lead(r.leadRow)
	if active := instant(r.Active); active.After(lead.LastSeen) {
		lead.LastSeen = active
	}
	return reporting.Lead{Lead: lead, Anchors: r.Anchors, Submissions: r.Submissions}, err
}

// leads selects leads with what is counted of them. The row's own last_seen_at
// moves in grains; the events of its devices tell the exact time.
func (db *DB) leads(rows any, now time.Time) *bun.SelectQuery {
	return db.read.NewSelect().Model(rows).ColumnExpr("l.*").
		ColumnExpr("(SELECT COUNT(*) FROM anchors a WHERE a.lead_id = l.id AND "+aliveAnchor+") AS anchors", millis(now)).
		ColumnExpr("(SELECT COUNT(*) FROM submissions s WHERE s.lead_id = l.id) AS submissions").
		ColumnExpr("COALESCE((SELECT MAX(e.received_at) FROM events e JOIN anchors a ON a.id = e.anchor_id "+
			"WHERE a.lead_id = l.id AND NOT a.shared_flag), 0) AS active").
		Where(alive, millis(now))
}

// Leads is reporting.Store's promise.
func (db *DB) Leads(ctx context.Context, now time.Time, page reporting.Page) (reporting.Listed[reporting.Lead], error) {
	var rows []listedLead
	q := db.leads(&rows, now).Order("l.id DESC").Limit(int64(page.Limit) + 1)
	var last identity.LeadID
	given, err := parseCursor(page.After, &last)
	if err != nil {
		return reporting.Listed[reporting.Lead]{}, err
	}
	if given {
		q = q.Where("l.id < ?", last)
	}
	if err := q.Scan(ctx); err != nil {
		return reporting.Listed[reporting.Lead]{}, db.outward(fmt.Errorf("list leads: %w", err))
	}
	return listed(rows, page.Limit, db.seal.listed, func(r listedLead) any { return r.ID })
}

// listed makes a page of the rows, of which one more than the limit was asked for.
func listed[R, T any](rows []R, limit int, view func(R) (T, error), place func(R) any) (reporting.Listed[T], error) {
	var page reporting.Listed[T]
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = cursor(place(rows[limit-1]))
	}
	page.Items = make([]T, len(rows))
	for i, r := range rows {
		item, err := view(r)
		if err != nil {
			return reporting.Listed[T]{}, err
		}
		page.Items[i] = item
	}
	return page, nil
}

// Lead is reporting.Store's promise.
func (db *DB) Lead(ctx context.Context, now time.Time, id identity.LeadID) (reporting.Lead, error) {
	return db.oneLead(ctx, now, "l.id = ?", id)
}

// LeadOf is reporting.Store's promise.
func (db *DB) LeadOf(ctx context.Context, now time.Time, keys []identity.LeadKey) (reporting.Lead, error) {
	hmacs := make([][]byte, len(keys))
	for i := range keys {
		hmacs[i] = keys[i].HMAC[:]
	}
	return db.oneLead(ctx, now, "l.id IN (SELECT lead_id FROM lead_keys WHERE email_hmac IN (?))", bun.In(hmacs))
}

func (db *DB) oneLead(ctx context.Context, now time.Time, where string, arg any) (reporting.Lead, error) {
	var rows []listedLead
	if err := db.leads(&rows, now).Where(where, arg).Limit(1).Scan(ctx); err != nil {
		return reporting.Lead{}, db.outward(fmt.Errorf("read a lead: %w", err))
	}
	if len(rows) == 0 {
		return reporting.Lead{}, fault.New(fault.NotFound, "", noSuchLead)
	}
	return db.seal.listed(rows[0])
}

// SetLeadStatus is reporting.Store's promise.
func (db *DB) SetLeadStatus(ctx context.Context, now time.Time, id identity.LeadID, status string) error {
	result, err := db.write.NewUpdate().Model((*leadRow)(nil)).
		Set("lead_status = ?", status).Where("l.id = ?", id).Where(alive, millis(now)).Exec(ctx)
	if err != nil {
		return db.outward(fmt.Errorf("set a lead's status: %w", err))
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return fault.New(fault.NotFound, "", noSuchLead)
	}
	return nil
}

// Submissions is reporting.Store's promise.
func (db *DB) Submissions(ctx context.Context, now time.Time, id identity.LeadID) ([]identity.Submission, error) {
	if _, err := db.Lead(ctx, now, id); err != nil {
		return nil, err
	}
	var rows []submissionRow
	if err := db.read.NewSelect().Model(&rows).Where("s.lead_id = ?", id).Order("s.at", "s.id").Scan(ctx); err != nil {
		return nil, db.outward(fmt.Errorf("list submissions: %w", err))
	}
	page, err := listed(rows, len(rows), db.seal.submission, nil)
	return page.Items, err
}
