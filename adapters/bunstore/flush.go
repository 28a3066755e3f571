package bunstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

// flush writes what changed, parents before children.
func (v *view) flush(ctx context.Context, tx bun.Tx, d dialect) error {
	steps := []struct {
		what string
		do   func(context.Context, bun.Tx) error
	}{
		{"leads", v.flushLeads},
		{"anchors", v.flushAnchors},
		{"submissions", v.flushSubmissions},
		{"candidates", v.flushCandidates},
		{"doubtful sessions", v.flushDoubtful},
		{"seen leads", v.flushSeen},
		{"handoffs", v.flushHandoffs},
		{"what handoffs carried", v.flushCarried},
	}
	for _, step := range steps {
		if err := step.do(ctx, tx); err != nil {
			return fmt.Errorf("write %s: %w", step.what, err)
		}
	}
	if len(v.events) == 0 {
		return nil
	}
	if err := d.insertEvents(ctx, tx, eventRows(v.events)); err != nil {
		return fmt.Errorf("write events: %w", err)
	}
	return nil
}

// eventRows are sorted by key: neighbours land on one page of the index, and no
// two transactions take the same keys in opposite orders. Of one key the first
// that arrived stays.
func eventRows(events []identity.OwnedEvent) []eventRow {
	rows := make([]eventRow, len(events))
	for i, e := range events {
		rows[i] = eventRowOf(e)
	}
	slices.SortStableFunc(rows, func(a, b eventRow) int {
		return cmp.Or(cmp.Compare(a.AnchorID, b.AnchorID), bytes.Compare(a.EventID[:], b.EventID[:]))
	})
	return slices.CompactFunc(rows, func(a, b eventRow) bool {
		return a.AnchorID == b.AnchorID && a.EventID == b.EventID
	})
}

// split sorts changed rows into those to insert and those to update, in order of id.
func split[V, R any, K cmp.Ordered](rows []*row[V], id func(V) K, convert func(V) (R, error)) (fresh, stale []R, err error) {
	changed := slices.DeleteFunc(rows, func(r *row[V]) bool { return !r.changed })
	slices.SortFunc(changed, func(a, b *row[V]) int { return cmp.Compare(id(a.value), id(b.value)) })
	for _, r := range changed {
		converted, err := convert(r.value)
		if err != nil {
			return nil, nil, err
		}
		if r.stored {
			stale = append(stale, converted)
		} else {
			fresh = append(fresh, converted)
		}
	}
	return fresh, stale, nil
}

// write inserts the fresh rows at once and updates the stale ones, in these columns.
func write[R any](ctx context.Context, tx bun.Tx, fresh, stale []R, columns ...string) error {
	if err := insert(ctx, tx, fresh); err != nil {
		return err
	}
	for i := range stale {
		if _, err := tx.NewUpdate().Model(&stale[i]).Column(columns...).WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (v *view) flushLeads(ctx context.Context, tx bun.Tx) error {
	fresh, stale, err := split(values(v.leads), func(l identity.Lead) identity.LeadID { return l.ID }, v.seal.leadRow)
	if err != nil {
		return err
	}
	return write(ctx, tx, fresh, stale, "identity", "last_seen_at", "expires_at")
}

func (v *view) flushAnchors(ctx context.Context, tx bun.Tx) error {
	fresh, stale, err := split(values(v.anchors), func(a identity.Anchor) identity.AnchorID { return a.ID }, certain(anchorRowOf))
	if err != nil {
		return err
	}
	return write(ctx, tx, fresh, stale, "visitor_key_hash", "lead_id", "first_lead_id", "link_provenance",
		"shared_flag", "status", "last_seen_at", "expires_at")
}

func (v *view) flushSubmissions(ctx context.Context, tx bun.Tx) error {
	id := func(s identity.Submission) identity.SubmissionID { return s.ID }
	fresh, stale, err := split(values(v.submissions), id, v.seal.submissionRow)
	if err != nil {
		return err
	}
	return write(ctx, tx, fresh, stale, "anchor_id", "session")
}

func (v *view) flushCandidates(ctx context.Context, tx bun.Tx) error {
	var all []*row[identity.Candidate]
	for _, of := range v.candidates {
		all = append(all, of...)
	}
	id := func(c identity.Candidate) identity.CandidateID { return c.ID }
	fresh, stale, err := split(all, id, certain(candidateRowOf))
	if err != nil {
		return err
	}
	return write(ctx, tx, fresh, stale, "state", "resolved_by")
}

func (v *view) flushDoubtful(ctx context.Context, tx bun.Tx) error {
	var rows []doubtfulRow
	for place, r := range v.doubtful {
		if r.changed {
			rows = append(rows, doubtfulRow{AnchorID: place.Anchor, Session: place.Session})
		}
	}
	return claimEach(ctx, tx, rows)
}

// flushSeen never moves an expiry back: another node may know of a later activity.
func (v *view) flushSeen(ctx context.Context, tx bun.Tx) error {
	ids := make([]identity.LeadID, 0, len(v.seen))
	for id := range v.seen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		seen := v.seen[id]
		q := tx.NewUpdate().Table("leads").Where("id = ?", id).Set("last_seen_at = ?", millis(seen.At))
		if expires := millis(seen.ExpiresAt); expires == 0 {
			q = q.Set("expires_at = NULL")
		} else {
			q = q.Set("expires_at = ?", expires).Where("expires_at < ? AND expires_at > ?", expires, millis(seen.At))
		}
		if _, err := q.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func values[K comparable, V any](rows map[K]*row[V]) []*row[V] {
	all := make([]*row[V], 0, len(rows))
	for _, r := range rows {
		all = append(all, r)
	}
	return all
}

func certain[V, R any](convert func(V) R) func(V) (R, error) {
	return func(v V) (R, error) { return convert(v), nil }
}
