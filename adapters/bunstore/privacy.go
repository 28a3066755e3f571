package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/ports/privacy"
)

var _ privacy.Store = (*DB)(nil)

type erasureRow struct {
	bun.BaseModel `bun:"table:erasures,alias:r"`

	ID          int64 `bun:"id,pk"`
	At          int64 `bun:"at"`
	Leads       int   `bun:"leads"`
	Submissions int   `bun:"submissions"`
	Events      int   `bun:"events"`
	Anchors     int   `bun:"anchors"`
	Candidates  int   `bun:"candidates"`
}

func erasureRowOf(r privacy.Receipt) erasureRow {
	return erasureRow{
		ID: r.ID, At: millis(r.At), Leads: r.Leads, Submissions: r.Submissions, Events: r.Events,
		Anchors: r.Anchors, Candidates: r.Candidates,
	}
}

func (r erasureRow) receipt() privacy.Receipt {
	return privacy.Receipt{ID: r.ID, At: instant(r.At), Counts: privacy.Counts{
		Leads: r.Leads, Submissions: r.Submissions, Events: r.Events, Anchors: r.Anchors, Candidates: r.Candidates,
	}}
}

// Erase is privacy.Store's promise.
func (db *DB) Erase(ctx context.Context, now time.Time, keys []identity.LeadKey) (privacy.Receipt, error) {
	id, err := db.ids.take(ctx, 1)
	if err != nil {
		return privacy.Receipt{}, db.outward(err)
	}
	receipt := privacy.Receipt{ID: id, At: now}
	err = db.repeat(ctx, func(tx bun.Tx) error {
		receipt.Counts = privacy.Counts{}
		all, err := db.surveys(ctx, tx, now, keys, db.dialect.lock)
		if err != nil {
			return err
		}
		for _, found := range all {
			receipt.Add(found.told(now))
			if err := forget(ctx, tx, found); err != nil {
				return err
			}
		}
		return insert(ctx, tx, []erasureRow{erasureRowOf(receipt)})
	})
	if err != nil {
		return privacy.Receipt{}, db.outward(err)
	}
	if err := db.dialect.scrub(context.WithoutCancel(ctx), db.write); err != nil {
		return privacy.Receipt{}, db.outward(fmt.Errorf("scrub the log after an erasure: %w", err))
	}
	return receipt, nil
}

// told is what of a survey a reader may be told of: nothing, of one who has expired.
func (s survey) told(now time.Time) privacy.Counts {
	if s.expired(now) {
		return privacy.Counts{}
	}
	return s.counts
}

func (s survey) expired(now time.Time) bool { return s.lead.expired(millis(now)) }

// surveys looks at the leads that an address has: one, or none.
func (db *DB) surveys(
	ctx context.Context, tx bun.IDB, now time.Time, keys []identity.LeadKey,
	lock func(*bun.SelectQuery, string) *bun.SelectQuery,
) ([]survey, error) {
	hmacs := make([][]byte, len(keys))
	for i := range keys {
		hmacs[i] = keys[i].HMAC[:]
	}
	var ids []identity.LeadID
	err := tx.NewSelect().Model((*leadKeyRow)(nil)).Distinct().Column("lead_id").
		Where("k.email_hmac IN (?)", bun.In(hmacs)).Order("lead_id").Scan(ctx, &ids)
	if err != nil {
		return nil, fmt.Errorf("find whose an address is: %w", err)
	}
	var all []survey
	for _, id := range ids {
		found, ok, err := surveyor{ctx: ctx, tx: tx, lead: id, now: millis(now), lock: lock}.look()
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, found)
		}
	}
	return all, nil
}

// Tally is privacy.Store's promise.
func (db *DB) Tally(ctx context.Context, now time.Time, keys []identity.LeadKey) (privacy.Counts, error) {
	var counts privacy.Counts
	err := db.glance(ctx, func(tx bun.Tx) error {
		all, err := db.surveys(ctx, tx, now, keys, unlocked)
		for _, found := range all {
			counts.Add(found.told(now))
		}
		return err
	})
	return counts, db.outward(err)
}

// Receipts is privacy.Store's promise.
func (db *DB) Receipts(ctx context.Context, limit int) ([]privacy.Receipt, error) {
	var rows []erasureRow
	if err := db.read.NewSelect().Model(&rows).Order("r.id DESC").Limit(int64(limit)).Scan(ctx); err != nil {
		return nil, db.outward(fmt.Errorf("list receipts: %w", err))
	}
	receipts := make([]privacy.Receipt, len(rows))
	for i, r := range rows {
		receipts[i] = r.receipt()
	}
	return receipts, nil
}

// Vacuum is privacy.Store's promise.
func (db *DB) Vacuum(ctx context.Context) error {
	if err := db.dialect.vacuum(ctx, db.write); err != nil {
		return db.outward(fmt.Errorf("vacuum: %w", err))
	}
	return nil
}
