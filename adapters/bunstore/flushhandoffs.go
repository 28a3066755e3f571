package bunstore

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

// flushHandoffs removes what is forgotten and binds what is bound before it
// inserts: of a device and a destination there is never more than one unbound.
func (v *view) flushHandoffs(ctx context.Context, tx bun.Tx) error {
	if len(v.forgotten) > 0 {
		if _, err := tx.NewDelete().Model((*handoffRow)(nil)).Where("h.id IN (?)", bun.In(v.forgotten)).Exec(ctx); err != nil {
			return err
		}
	}
	id := func(h identity.Handoff) identity.HandoffID { return h.ID }
	fresh, stale, err := split(values(v.handoffs), id, certain(handoffRowOf))
	if err != nil {
		return err
	}
	if err := write(ctx, tx, nil, stale, "claim", "claim_session", "submission_id", "expires_at", "confirmed_at"); err != nil {
		return err
	}
	return insert(ctx, tx, fresh)
}

// carriedAtOnce bounds a statement.
const carriedAtOnce = 500

func (v *view) flushCarried(ctx context.Context, tx bun.Tx) error {
	var rows []carriedRow
	for _, e := range v.events {
		if v.handoffs[e.Handoff] != nil {
			id, _ := pack(e.ID)
			rows = append(rows, carriedRow{HandoffID: e.Handoff, EventID: id})
		}
	}
	slices.SortFunc(rows, func(a, b carriedRow) int {
		return cmp.Or(cmp.Compare(a.HandoffID, b.HandoffID), bytes.Compare(a.EventID[:], b.EventID[:]))
	})
	for part := range slices.Chunk(rows, carriedAtOnce) {
		if err := claimEach(ctx, tx, part); err != nil {
			return err
		}
	}
	return nil
}
