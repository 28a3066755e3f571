package bunstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

const (
	// mostPruned bounds what one transaction deletes on the side, of each kind.
	mostPruned = 16
	// mostPeople bounds how many people it forgets, each with their devices.
	mostPeople = 4
	// eventsPruned bounds how many events it deletes: whoever has more is pruned in
	// slices over many requests.
	eventsPruned = 1000
	// pruneLag leaves what has just expired alone, so that no node whose clock is a
	// little behind still decides about a handoff that is gone.
	pruneLag = time.Hour
	// pruneRest is how long nobody looks again once nothing was left.
	pruneRest = time.Second
)

// pruneInline deletes on the side of a batch of n requests what has expired, bounded
// by how many those are, and tells how many handoffs, devices and people went. Once
// there is nothing left it rests.
func (db *DB) pruneInline(ctx context.Context, tx bun.Tx, now time.Time, n int) (gone int, err error) {
	if millis(now) < db.nextPrune.Load() {
		return 0, nil
	}
	gone, more, err := db.prune(ctx, tx, now, min(n, mostPeople))
	if err == nil && !more {
		db.nextPrune.Store(millis(now.Add(pruneRest)))
	}
	return gone, err
}

// prune deletes dead handoffs, devices that expire on their own, and people with
// theirs (R13). It passes over rows that others are busy with. more says that there
// was as much as it may delete.
func (db *DB) prune(ctx context.Context, tx bun.Tx, now time.Time, people int) (gone int, more bool, err error) {
	p := &pruner{ctx: ctx, tx: tx, db: db, now: millis(now), until: millis(now.Add(-pruneLag)), events: eventsPruned}
	if err := p.handoffs(); err != nil {
		return 0, false, fmt.Errorf("prune handoffs: %w", err)
	}
	if err := p.devices(); err != nil {
		return 0, false, fmt.Errorf("prune devices: %w", err)
	}
	if err := p.people(people); err != nil {
		return 0, false, fmt.Errorf("prune people: %w", err)
	}
	return p.gone, p.more, nil
}

// pruner deletes within one transaction.
type pruner struct {
	ctx        context.Context
	tx         bun.Tx
	db         *DB
	now, until int64
	events     int // how many may still be deleted
	gone       int // what was deleted, without events
	more       bool
}

func (p *pruner) handoffs() error {
	var ids []identity.HandoffID
	q := p.tx.NewSelect().Model((*handoffRow)(nil)).Column("id").
		Where("h.expires_at <= ?", p.until).Order("h.expires_at").Limit(mostPruned)
	if err := p.db.dialect.lockIdle(q, "h").Scan(p.ctx, &ids); err != nil || len(ids) == 0 {
		return err
	}
	p.more = p.more || len(ids) == mostPruned
	p.gone += len(ids)
	_, err := p.tx.NewDelete().Model((*handoffRow)(nil)).Where("h.id IN (?)", bun.In(ids)).Exec(p.ctx)
	return err
}

// devices are those that are shared or point at nobody, held ones among them. What
// people submitted on them stays with the people.
func (p *pruner) devices() error {
	var ids []identity.AnchorID
	q := p.tx.NewSelect().Model((*anchorRow)(nil)).Column("id").
		Where("a.expires_at IS NOT NULL AND (a.lead_id IS NULL OR a.shared_flag)").
		Where("a.expires_at <= ?", p.until).Order("a.expires_at").Limit(mostPruned)
	if err := p.db.dialect.lockIdle(q, "a").Scan(p.ctx, &ids); err != nil {
		return err
	}
	p.more = p.more || len(ids) == mostPruned
	for _, id := range ids {
		emptied, err := p.slice("anchor_id = ?", id)
		if err != nil || !emptied {
			return err
		}
		f := forgetter{ctx: p.ctx, tx: p.tx}
		for _, statement := range []string{
			"DELETE FROM candidates WHERE anchor_id = ?",
			"DELETE FROM doubtful_sessions WHERE anchor_id = ?",
			"UPDATE submissions SET anchor_id = NULL, session = NULL WHERE anchor_id = ?",
			"DELETE FROM anchors WHERE id = ?",
		} {
			f.do(statement, id)
		}
		if f.err != nil {
			return f.err
		}
		p.gone++
	}
	return nil
}

// slice deletes events, as many as may be; emptied says that none of them is left.
func (p *pruner) slice(where string, args ...any) (emptied bool, err error) {
	statement := "DELETE FROM events WHERE (anchor_id, event_id) IN (SELECT anchor_id, event_id FROM events WHERE " +
		where + " LIMIT ?)"
	result, err := p.tx.ExecContext(p.ctx, statement, append(args, p.events)...)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	left := p.events - int(n)
	p.more = p.more || left == 0
	emptied, p.events = left > 0, left
	return emptied, err
}

func (p *pruner) people(most int) error {
	var ids []identity.LeadID
	q := p.tx.NewSelect().Model((*leadRow)(nil)).Column("id").
		Where("l.expires_at <= ?", p.until).Order("l.expires_at").Limit(int64(most))
	if err := q.Scan(p.ctx, &ids); err != nil {
		return err
	}
	p.more = p.more || len(ids) == most
	for _, id := range ids {
		emptied, err := p.slice("anchor_id IN ("+anchorsOf+") AND "+owned, id, id, id, id, id, id)
		if err != nil || !emptied {
			return err
		}
		if err := p.person(id); err != nil {
			return err
		}
	}
	return nil
}

// person is forgotten, unless somebody is busy with a device of theirs.
func (p *pruner) person(id identity.LeadID) error {
	found, ok, err := surveyor{ctx: p.ctx, tx: p.tx, lead: id, now: p.now, lock: p.db.dialect.lockIdle}.look()
	if errors.Is(err, errAgain) {
		return nil
	}
	if err != nil || !ok || found.lead.ExpiresAt == 0 || found.lead.ExpiresAt > p.until {
		return err
	}
	p.gone++
	return forget(p.ctx, p.tx, found)
}

// Prune is privacy.Store's promise.
func (db *DB) Prune(ctx context.Context, now, forget time.Time) (more bool, err error) {
	err = db.repeat(ctx, func(tx bun.Tx) (err error) {
		if _, more, err = db.prune(ctx, tx, now, mostPruned); err != nil {
			return err
		}
		scans, err := db.forgetScans(ctx, tx, forget)
		more = more || scans
		return err
	})
	return more, db.outward(err)
}
