package bunstore

import (
	"github.com/uptrace/bun"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

type handoffRow struct {
	bun.BaseModel `bun:"table:handoffs,alias:h"`

	ID           identity.HandoffID    `bun:"id,pk"`
	TokenHash    []byte                `bun:"token_hash"`
	AnchorID     identity.AnchorID     `bun:"anchor_id"`
	Destination  handoff.Destination   `bun:"destination"`
	Session      journey.Session       `bun:"session,nullzero"`
	Planted      bool                  `bun:"planted"`
	Claim        handoff.ClaimID       `bun:"claim,nullzero"`
	ClaimSession journey.Session       `bun:"claim_session,nullzero"`
	SubmissionID identity.SubmissionID `bun:"submission_id"`
	MintedAt     int64                 `bun:"minted_at"`
	ExpiresAt    int64                 `bun:"expires_at"`
	ConfirmedAt  int64                 `bun:"confirmed_at,nullzero"`

	LeadID identity.LeadID `bun:"lead_id,scanonly"`
}

// withAuthor selects handoffs with whose the submission is that they name.
func withAuthor(q *bun.SelectQuery) *bun.SelectQuery {
	return q.ColumnExpr("h.*").ColumnExpr("COALESCE(s.lead_id, 0) AS lead_id").
		Join("LEFT JOIN submissions AS s ON s.id = h.submission_id")
}

func handoffRowOf(h identity.Handoff) handoffRow {
	return handoffRow{
		ID: h.ID, TokenHash: h.Token[:], AnchorID: h.Anchor, Destination: h.Destination, Session: h.Session,
		Planted: h.Planted, Claim: h.Claim, ClaimSession: h.ClaimSession, SubmissionID: h.Submission,
		MintedAt: millis(h.MintedAt), ExpiresAt: millis(h.ExpiresAt), ConfirmedAt: millis(h.ConfirmedAt),
	}
}

func (r handoffRow) handoff() identity.Handoff {
	h := identity.Handoff{
		ID: r.ID, Anchor: r.AnchorID, Destination: r.Destination, Session: r.Session,
		Planted: r.Planted, Claim: r.Claim, ClaimSession: r.ClaimSession, Submission: r.SubmissionID,
		MintedAt: instant(r.MintedAt), ExpiresAt: instant(r.ExpiresAt), ConfirmedAt: instant(r.ConfirmedAt),
		Lead: r.LeadID,
	}
	copy(h.Token[:], r.TokenHash)
	return h
}

type carriedRow struct {
	bun.BaseModel `bun:"table:handoff_events,alias:c"`

	HandoffID identity.HandoffID `bun:"handoff_id,pk"`
	EventID   packedID           `bun:"event_id,pk"`
}
