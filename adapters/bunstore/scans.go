package bunstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

var _ scanning.Store = (*DB)(nil)

// scanner records one scan in its transaction.
type scanner struct {
	ctx       context.Context
	tx        bun.Tx
	db        *DB
	scan      scan.Scan
	id, fresh int64 // ids for the row, and for a visitor who is new
	visitor   int64 // whose scan it is
}

// RecordScan is scanning.Scans's promise.
func (db *DB) RecordScan(ctx context.Context, s scan.Scan, forget time.Time) (scan.Change, error) {
	const kinds = 2
	first, err := db.ids.take(ctx, kinds)
	if err != nil {
		return scan.Change{}, db.outward(err)
	}
	var change scan.Change
	err = db.repeat(ctx, func(tx bun.Tx) (err error) {
		r := &scanner{ctx: ctx, tx: tx, db: db, scan: s, id: first, fresh: first + 1}
		if change, err = r.record(); err != nil {
			return err
		}
		if _, err := db.forgetScans(ctx, tx, forget); err != nil {
			return err
		}
		_, err = db.pruneInline(ctx, tx, s.At, 1)
		return err
	})
	return change, db.outward(err)
}

func (r *scanner) record() (scan.Change, error) {
	tree, err := r.tree()
	if err != nil {
		return scan.Change{}, err
	}
	state, err := r.load(tree)
	if err != nil {
		return scan.Change{}, err
	}
	change := state.Decide(r.scan)
	row := scanRow{
		ID: r.id, TreeID: tree, VisitorID: r.visitor, IPAddress: r.scan.Address, UserAgent: r.scan.Agent,
		FirstScan: change.First, At: millis(r.scan.At),
	}
	if r.scan.Excluded != "" {
		reason := number(scan.Exclusions, r.scan.Excluded)
		row.ExcludedAs = &reason
	}
	if err := insert(r.ctx, r.tx, []scanRow{row}); err != nil {
		return scan.Change{}, fmt.Errorf("append a scan: %w", err)
	}
	return change, nil
}

func (r *scanner) tree() (id int64, err error) {
	err = r.tx.NewSelect().Table("trees").Column("id").Where("code = ?", r.scan.Tree).Scan(r.ctx, &id)
	if err != nil {
		return 0, r.db.missing(err, noSuchTree)
	}
	return id, nil
}

// load finds the visitor, makes the row where there is none, and reads what the
// visitor did before only once the row is locked: of two first scans at once, the
// second sees the first.
func (r *scanner) load(tree int64) (scan.State, error) {
	var state scan.State
	if r.scan.Excluded != "" {
		return state, nil
	}
	var err error
	if state.Known, err = r.known(); err != nil {
		return state, err
	}
	chosen := r.scan.Visitor(state.Known)
	if len(state.Known) == 0 {
		fresh := r.visitorRow(chosen)
		if err := claimEach(r.ctx, r.tx, []visitorRow{fresh}); err != nil {
			return state, fmt.Errorf("make a visitor: %w", err)
		}
	}
	if err := r.lock(chosen); err != nil {
		return state, err
	}
	before, err := r.tx.NewSelect().Table("tree_scans").Where("tree_id = ?", tree).Where("visitor_id = ?", r.visitor).Limit(1).Exists(r.ctx)
	if err != nil {
		return state, fmt.Errorf("look for earlier scans: %w", err)
	}
	if before {
		state.Returning = []scan.VisitorID{chosen}
	}
	return state, nil
}

func (r *scanner) visitorRow(id scan.VisitorID) visitorRow {
	return visitorRow{
		ID: r.fresh, VisitorUUID: packedID(id), LastIPAddress: r.scan.Address, LastUserAgent: r.scan.Agent,
		CreatedAt: millis(r.scan.At), LastSeenAt: millis(r.scan.At),
	}
}

// known are those of the ids that were sent which have a row, in that order.
func (r *scanner) known() ([]scan.VisitorID, error) {
	if len(r.scan.Visitors) == 0 {
		return nil, nil
	}
	sent := make([]packedID, len(r.scan.Visitors))
	for i, id := range r.scan.Visitors {
		sent[i] = packedID(id)
	}
	var found []packedID
	if err := r.tx.NewSelect().Table("visitors").Column("visitor_uuid").
		Where("visitor_uuid IN (?)", bun.In(sent)).Scan(r.ctx, &found); err != nil {
		return nil, fmt.Errorf("look for visitors: %w", err)
	}
	var known []scan.VisitorID
	for _, id := range r.scan.Visitors {
		if slices.Contains(found, packedID(id)) {
			known = append(known, id)
		}
	}
	return known, nil
}

func (r *scanner) lock(chosen scan.VisitorID) error {
	var row visitorRow
	q := r.tx.NewSelect().Model(&row).Column("id").Where("v.visitor_uuid = ?", packedID(chosen))
	if err := r.db.dialect.lock(q, "v").Scan(r.ctx); err != nil {
		return fmt.Errorf("lock a visitor: %w", err)
	}
	r.visitor = row.ID
	if row.ID == r.fresh {
		return nil
	}
	row = r.visitorRow(chosen)
	row.ID = r.visitor
	if _, err := r.tx.NewUpdate().Model(&row).Column("last_ip_address", "last_user_agent", "last_seen_at").
		WherePK().Exec(r.ctx); err != nil {
		return fmt.Errorf("note a visitor: %w", err)
	}
	return nil
}

// mostForgotten bounds how much one scan empties. Each adds one row, so that more
// than one makes up for times without a scan.
const mostForgotten = 8

// forgetScans empties addresses and agents from before (R13). Rows that another
// scan is just emptying are passed over. more says that there may be more.
func (db *DB) forgetScans(ctx context.Context, tx bun.Tx, before time.Time) (more bool, err error) {
	if before.IsZero() {
		return false, nil
	}
	var scans []int64
	q := tx.NewSelect().TableExpr("tree_scans AS s").Column("s.id").Where("s.ip_address IS NOT NULL").
		Where("s.at < ?", millis(before)).Order("s.at").Limit(mostForgotten)
	if err := db.dialect.lock(q, "s SKIP LOCKED").Scan(ctx, &scans); err != nil {
		return false, fmt.Errorf("look for old scans: %w", err)
	}
	if err := empty(ctx, tx, "tree_scans", []string{"ip_address", "user_agent"}, scans); err != nil {
		return false, err
	}
	var visitors []int64
	q = tx.NewSelect().TableExpr("visitors AS v").Column("v.id").Where("v.last_ip_address IS NOT NULL").
		Where("v.last_seen_at < ?", millis(before)).Order("v.last_seen_at").Limit(mostForgotten)
	if err := db.dialect.lock(q, "v SKIP LOCKED").Scan(ctx, &visitors); err != nil {
		return false, fmt.Errorf("look for old visitors: %w", err)
	}
	more = len(scans) == mostForgotten || len(visitors) == mostForgotten
	return more, empty(ctx, tx, "visitors", []string{"last_ip_address", "last_user_agent"}, visitors)
}

func empty(ctx context.Context, tx bun.Tx, table string, columns []string, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	q := tx.NewUpdate().Table(table).Where("id IN (?)", bun.In(ids))
	for _, column := range columns {
		q = q.Set("? = NULL", bun.Ident(column))
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("forget addresses: %w", err)
	}
	return nil
}

const (
	noSuchTree  = "no such tree"
	mostOrphans = 1000
)

// Orphan is scanning.Scans's promise. Invented codes beyond the bound share one row.
func (db *DB) Orphan(ctx context.Context, code scan.TreeID, at time.Time) error {
	now := millis(at)
	for _, statement := range []func() (int64, error){
		func() (int64, error) {
			return affected(db.write.NewRaw("UPDATE orphan_codes SET scans = scans + 1, last_at = ? WHERE code = ?", now, code).Exec(ctx))
		},
		func() (int64, error) {
			return affected(db.write.NewRaw("INSERT INTO orphan_codes (code, scans, first_at, last_at) SELECT ?, 1, ?, ? "+
				"WHERE (SELECT COUNT(*) FROM orphan_codes) < ? ON CONFLICT (code) DO UPDATE SET scans = orphan_codes.scans + 1",
				code, now, now, mostOrphans).Exec(ctx))
		},
		func() (int64, error) {
			return affected(db.write.NewRaw("INSERT INTO orphan_codes (code, scans, first_at, last_at) VALUES ('', 1, ?, ?) "+
				"ON CONFLICT (code) DO UPDATE SET scans = orphan_codes.scans + 1, last_at = excluded.last_at", now, now).Exec(ctx))
		},
	} {
		n, err := statement()
		if err != nil {
			return db.outward(fmt.Errorf("count an orphan code: %w", err))
		}
		if n > 0 {
			return nil
		}
	}
	return fault.New(fault.Internal, "", "an orphan code was counted nowhere")
}
