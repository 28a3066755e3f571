package bunstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

// KeepFor makes everything stored expire under keep, where it did under another
// retention before (R13): by when it was last active, in one transaction, so that no
// two expiries ever follow different settings.
//
// How long ago something was active is told by its expiry, which moves in grains:
// nothing is forgotten early, and at most a grain late. Where nothing expired, the
// events tell.
func (db *DB) KeepFor(ctx context.Context, keep identity.Retention) error {
	return db.enrolling(ctx, func() error {
		return db.inTx(ctx, func(tx bun.Tx) error {
			want := retentionRow{Period: keep.Period.Milliseconds(), HeldFor: keep.HeldFor.Milliseconds()}
			var rows []retentionRow
			if err := tx.NewSelect().Model(&rows).Scan(ctx); err != nil {
				return fmt.Errorf("read the retention: %w", err)
			}
			if len(rows) == 0 {
				return insert(ctx, tx, []retentionRow{want})
			}
			if rows[0] == want {
				return nil
			}
			if err := expireAnew(ctx, tx, rows[0], want, keep); err != nil {
				return fmt.Errorf("change the retention: %w", err)
			}
			_, err := tx.NewUpdate().Model(&want).Column("period", "held_for").Where("1 = 1").Exec(ctx)
			return err
		})
	})
}

type retentionRow struct {
	bun.BaseModel `bun:"table:applied_retention,alias:k"`

	Period  int64 `bun:"period"`
	HeldFor int64 `bun:"held_for"`
}

// When something was last active, by its own word and by its events.
const (
	lastOfLead = `(SELECT MAX(at) FROM (SELECT leads.last_seen_at AS at UNION ALL
		SELECT MAX(e.received_at) FROM events AS e JOIN anchors AS a ON a.id = e.anchor_id
		WHERE a.lead_id = leads.id AND NOT a.shared_flag) AS seen)`
	lastOfAnchor = `(SELECT MAX(at) FROM (SELECT anchors.last_seen_at AS at UNION ALL
		SELECT MAX(e.received_at) FROM events AS e WHERE e.anchor_id = anchors.id) AS seen)`
)

func expireAnew(ctx context.Context, tx bun.Tx, from, to retentionRow, keep identity.Retention) error {
	for _, part := range []struct {
		table, where, last string
		from, to           int64
		span               time.Duration
	}{
		{"leads", "expires_at IS NULL OR expires_at > 1", lastOfLead, from.Period, to.Period, keep.Period},
		{"anchors", "status <> 'held'", lastOfAnchor, from.Period, to.Period, keep.Period},
		{"anchors", "status = 'held'", lastOfAnchor, from.HeldFor, to.HeldFor, keep.HeldFor},
	} {
		if part.from == part.to {
			continue
		}
		q := tx.NewUpdate().Table(part.table).Where(part.where)
		switch grain := identity.Grain(part.span).Milliseconds(); {
		case part.to == 0:
			q = q.Set("expires_at = NULL")
		case part.from == 0:
			q = q.Set("expires_at = ("+part.last+" + ?) / ? * ?", part.to+grain-1, grain, grain)
		default:
			q = q.Set("expires_at = (expires_at + ?) / ? * ?", part.to-part.from+grain-1, grain, grain)
		}
		if _, err := q.Exec(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.table, err)
		}
	}
	return nil
}
