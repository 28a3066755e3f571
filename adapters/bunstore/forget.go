package bunstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
)

// anchorsAtOnce bounds how many ids a statement names.
const anchorsAtOnce = 500

// theirHandoffs are those that the person confirmed and, of the others, those that
// may carry their past: of a device that points at them, or of a session of theirs.
const theirHandoffs = "DELETE FROM handoffs WHERE anchor_id IN (" + anchorsOf + `) AND (
	submission_id IN (SELECT id FROM submissions WHERE lead_id = ?) OR confirmed_at IS NULL AND (
		anchor_id IN (SELECT id FROM anchors WHERE lead_id = ? OR first_lead_id = ?) OR EXISTS (
			SELECT 1 FROM submissions s WHERE s.lead_id = ? AND s.anchor_id = handoffs.anchor_id
				AND s.session IN (handoffs.session, handoffs.claim_session))))`

// forget removes what a survey found, children before parents. It takes one
// statement for a device or for five hundred: a person's own transaction is all that
// waits for it, but for the devices that they hold.
func forget(ctx context.Context, tx bun.Tx, found survey) error {
	f := forgetter{ctx: ctx, tx: tx, lead: found.lead.ID}
	removed := found.fate.Remove
	stripped := make([]identity.AnchorID, len(found.fate.Strip))
	for i, a := range found.fate.Strip {
		stripped[i] = a.ID
	}
	f.do(theirHandoffs, f.lead, f.lead, f.lead, f.lead, f.lead, f.lead, f.lead)
	f.do("DELETE FROM candidates WHERE first_lead = ? OR second_lead = ?", f.lead, f.lead)
	f.each(stripped, "DELETE FROM events WHERE anchor_id IN (?) AND "+owned, f.lead, f.lead, f.lead)
	f.each(removed, "DELETE FROM events WHERE anchor_id IN (?)")
	f.each(removed, "DELETE FROM doubtful_sessions WHERE anchor_id IN (?)")
	f.do("DELETE FROM submissions WHERE lead_id = ?", f.lead)
	f.each(removed, "DELETE FROM anchors WHERE id IN (?)")
	f.strip(found.fate)
	f.do("DELETE FROM lead_keys WHERE lead_id = ?", f.lead)
	f.do("DELETE FROM leads WHERE id = ?", f.lead)
	if f.err != nil {
		return fmt.Errorf("forget a person: %w", f.err)
	}
	return nil
}

// forgetter runs statements until one fails.
type forgetter struct {
	ctx  context.Context
	tx   bun.Tx
	lead identity.LeadID
	err  error
}

func (f *forgetter) do(statement string, args ...any) {
	if f.err == nil {
		_, f.err = f.tx.ExecContext(f.ctx, statement, args...)
	}
}

func (f *forgetter) each(ids []identity.AnchorID, statement string, args ...any) {
	for part := range slices.Chunk(ids, anchorsAtOnce) {
		f.do(statement, append([]any{bun.In(part)}, args...)...)
	}
}

func (f *forgetter) strip(fate identity.Forgetting) {
	rows := make([]anchorRow, len(fate.Strip))
	for i, a := range fate.Strip {
		rows[i] = anchorRowOf(a)
	}
	doubts := make([]doubtfulRow, len(fate.Doubtful))
	for i, d := range fate.Doubtful {
		doubts[i] = doubtfulRow{AnchorID: d.Anchor, Session: d.Session}
	}
	if f.err == nil {
		f.err = write(f.ctx, f.tx, nil, rows, "visitor_key_hash", "lead_id", "first_lead_id", "link_provenance")
	}
	if f.err == nil {
		f.err = claimEach(f.ctx, f.tx, doubts)
	}
}
