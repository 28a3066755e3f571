package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

const (
	// mostPruned bounds what one transaction deletes on the side, of each kind.
	mostPruned = 16
	// pruneLag leaves what has just expired alone, so that no node whose clock is a
	// little behind still decides about a handoff that is gone.
	pruneLag = time.Hour
)

// prune deletes devices that were held and that nothing has saved, with what they
// left, and dead handoffs (R13). It passes over rows that others are busy with.
func (db *DB) prune(ctx context.Context, tx bun.Tx, now time.Time) (pruned int, err error) {
	var handoffs []identity.HandoffID
	q := tx.NewSelect().Model((*handoffRow)(nil)).Column("id").
		Where("h.expires_at <= ?", millis(now.Add(-pruneLag))).Order("h.expires_at").Limit(mostPruned)
	if err := db.dialect.lockIdle(q, "h").Scan(ctx, &handoffs); err != nil {
		return 0, fmt.Errorf("find dead handoffs: %w", err)
	}
	if len(handoffs) > 0 {
		if _, err := tx.NewDelete().Model((*handoffRow)(nil)).Where("h.id IN (?)", bun.In(handoffs)).Exec(ctx); err != nil {
			return 0, fmt.Errorf("prune handoffs: %w", err)
		}
	}
	var anchors []identity.AnchorID
	q = tx.NewSelect().Model((*anchorRow)(nil)).Column("id").
		Where("a.status = 'held' AND a.expires_at <= ?", millis(now.Add(-pruneLag))).Order("a.expires_at").Limit(mostPruned)
	if err := db.dialect.lockIdle(q, "a").Scan(ctx, &anchors); err != nil {
		return 0, fmt.Errorf("find expired devices: %w", err)
	}
	return len(handoffs) + len(anchors), forgetDevices(ctx, tx, anchors)
}

// forgetDevices deletes anchors on which nobody was ever identified, with all that
// they left; their handoffs go with them.
func forgetDevices(ctx context.Context, tx bun.Tx, ids []identity.AnchorID) error {
	if len(ids) == 0 {
		return nil
	}
	for _, statement := range []string{
		"DELETE FROM events WHERE anchor_id IN (?)",
		"DELETE FROM doubtful_sessions WHERE anchor_id IN (?)",
		"DELETE FROM anchors WHERE id IN (?)",
	} {
		if _, err := tx.NewRaw(statement, bun.In(ids)).Exec(ctx); err != nil {
			return fmt.Errorf("prune devices: %w", err)
		}
	}
	return nil
}
