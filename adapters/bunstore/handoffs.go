package bunstore

import (
	"context"
	"fmt"
	"time"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/handingoff"
)

var _ handingoff.Store = (*DB)(nil)

const noSuchHandoff = "no such handoff"

// Handoff is handingoff.Store's promise.
func (db *DB) Handoff(ctx context.Context, now time.Time, token handoff.TokenHash) (identity.Handoff, error) {
	var row handoffRow
	if err := withAuthor(db.read.NewSelect().Model(&row)).Where("h.token_hash = ?", token[:]).Scan(ctx); err != nil {
		return identity.Handoff{}, db.missing(err, noSuchHandoff)
	}
	if _, err := db.Anchor(ctx, now, row.AnchorID); err != nil {
		if fault.CodeOf(err) == fault.NotFound {
			err = fault.New(fault.NotFound, "", noSuchHandoff)
		}
		return identity.Handoff{}, err
	}
	return row.handoff(), nil
}

// Carried is handingoff.Store's promise.
func (db *DB) Carried(ctx context.Context, h identity.Handoff) ([]journey.Event, error) {
	var rows []eventRow
	q := db.read.NewSelect().Model(&rows).ColumnExpr("e.*").
		Join("JOIN handoff_events AS c ON c.event_id = e.event_id AND c.handoff_id = ?", h.ID).
		Where("e.anchor_id = ?", h.Anchor).
		Order("e.occurred_at", "e.received_at", "e.position", "e.event_id")
	if !h.ConfirmedAt.IsZero() {
		q = ownedBy(q, h.Lead).Where("e.received_at <= ?", millis(h.ConfirmedAt))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, db.outward(fmt.Errorf("read what was carried: %w", err))
	}
	events := make([]journey.Event, len(rows))
	for i, r := range rows {
		events[i] = r.event()
	}
	return events, nil
}
