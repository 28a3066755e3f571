package bunstore

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

type anchorRow struct {
	bun.BaseModel `bun:"table:anchors,alias:a"`

	ID             identity.AnchorID   `bun:"id,pk"`
	VisitorKeyHash []byte              `bun:"visitor_key_hash"`
	LeadID         identity.LeadID     `bun:"lead_id,nullzero"`
	FirstLeadID    identity.LeadID     `bun:"first_lead_id,nullzero"`
	LinkProvenance identity.Provenance `bun:"link_provenance,nullzero"`
	SharedFlag     bool                `bun:"shared_flag"`
	Status         identity.Status     `bun:"status"`
	CreatedAt      int64               `bun:"created_at"`
	LastSeenAt     int64               `bun:"last_seen_at"`
	ExpiresAt      int64               `bun:"expires_at,nullzero"`

	LeadExpiresAt int64 `bun:"lead_expires_at,scanonly"`
}

// selectAnchors reads what appendAnchors scans.
const selectAnchors = `SELECT a.id, a.visitor_key_hash, a.lead_id, a.first_lead_id, a.link_provenance, a.shared_flag,
	a.status, a.created_at, a.last_seen_at, a.expires_at, l.expires_at
FROM anchors AS a LEFT JOIN leads AS l ON l.id = a.lead_id`

func appendAnchors(to []anchorRow, rows *sql.Rows) ([]anchorRow, error) {
	defer rows.Close()
	for rows.Next() {
		var r anchorRow
		var lead, first, expires, leadExpires sql.NullInt64
		var provenance sql.NullString
		if err := rows.Scan(&r.ID, &r.VisitorKeyHash, &lead, &first, &provenance, &r.SharedFlag,
			&r.Status, &r.CreatedAt, &r.LastSeenAt, &expires, &leadExpires); err != nil {
			return nil, err
		}
		r.LeadID, r.FirstLeadID = identity.LeadID(lead.Int64), identity.LeadID(first.Int64)
		r.LinkProvenance = identity.Provenance(provenance.String)
		r.ExpiresAt, r.LeadExpiresAt = expires.Int64, leadExpires.Int64
		to = append(to, r)
	}
	return to, rows.Err()
}

func anchorRowOf(a identity.Anchor) anchorRow {
	row := anchorRow{
		ID: a.ID, LeadID: a.Lead, FirstLeadID: a.FirstLead, LinkProvenance: a.Provenance,
		SharedFlag: a.Shared, Status: a.Status,
		CreatedAt: millis(a.CreatedAt), LastSeenAt: millis(a.LastSeenAt), ExpiresAt: millis(a.ExpiresAt),
	}
	if a.Key != (identity.KeyHash{}) {
		row.VisitorKeyHash = a.Key[:]
	}
	return row
}

func (r anchorRow) anchor() identity.Anchor {
	a := identity.Anchor{
		ID: r.ID, Lead: r.LeadID, FirstLead: r.FirstLeadID, Provenance: r.LinkProvenance,
		Shared: r.SharedFlag, Status: r.Status,
		CreatedAt: instant(r.CreatedAt), LastSeenAt: instant(r.LastSeenAt), ExpiresAt: instant(r.ExpiresAt),
	}
	copy(a.Key[:], r.VisitorKeyHash)
	return a
}

// aliveAnchor is expired in SQL, of anchors a: it wants now.
const aliveAnchor = `COALESCE(CASE WHEN a.lead_id IS NULL OR a.shared_flag THEN a.expires_at
	ELSE (SELECT x.expires_at FROM leads AS x WHERE x.id = a.lead_id) END, 9223372036854775807) > ?`

// expired: an unshared device lives as long as its person (R13).
func (r anchorRow) expired(now int64) bool {
	until := r.ExpiresAt
	if r.LeadID != 0 && !r.SharedFlag {
		until = r.LeadExpiresAt
	}
	return until != 0 && until <= now
}

type leadRow struct {
	bun.BaseModel `bun:"table:leads,alias:l"`

	ID          identity.LeadID `bun:"id,pk"`
	Identity    []byte          `bun:"identity"`
	LeadStatus  string          `bun:"lead_status"`
	FirstSeenAt int64           `bun:"first_seen_at"`
	LastSeenAt  int64           `bun:"last_seen_at"`
	ExpiresAt   int64           `bun:"expires_at,nullzero"`
}

func (s seal) leadRow(l identity.Lead) (leadRow, error) {
	person, err := s.person(l.Person, leadIdentity(l.ID))
	return leadRow{
		ID: l.ID, Identity: person, LeadStatus: l.Status,
		FirstSeenAt: millis(l.FirstSeen), LastSeenAt: millis(l.LastSeen), ExpiresAt: millis(l.ExpiresAt),
	}, err
}

func (s seal) lead(r leadRow) (identity.Lead, error) {
	person, err := s.personOf(r.Identity, leadIdentity(r.ID))
	if err != nil {
		return identity.Lead{}, fmt.Errorf("lead %d: %w", r.ID, err)
	}
	return identity.Lead{
		ID: r.ID, Person: person, Status: r.LeadStatus,
		FirstSeen: instant(r.FirstSeenAt), LastSeen: instant(r.LastSeenAt), ExpiresAt: instant(r.ExpiresAt),
	}, nil
}

type leadKeyRow struct {
	bun.BaseModel `bun:"table:lead_keys,alias:k"`

	PepperID  string          `bun:"pepper_id,pk"`
	EmailHMAC []byte          `bun:"email_hmac,pk"`
	LeadID    identity.LeadID `bun:"lead_id"`
}

func (r leadKeyRow) key() identity.LeadKey {
	key := identity.LeadKey{Pepper: r.PepperID}
	copy(key.HMAC[:], r.EmailHMAC)
	return key
}

type submissionRow struct {
	bun.BaseModel `bun:"table:submissions,alias:s"`

	ID         identity.SubmissionID `bun:"id,pk"`
	LeadID     identity.LeadID       `bun:"lead_id"`
	ClientID   identity.ClientID     `bun:"client_id"`
	AnchorID   identity.AnchorID     `bun:"anchor_id,nullzero"`
	Session    journey.Session       `bun:"session,nullzero"`
	Form       string                `bun:"form"`
	Identity   []byte                `bun:"identity"`
	Fields     []byte                `bun:"fields"`
	Provenance identity.Provenance   `bun:"provenance"`
	At         int64                 `bun:"at"`
}

func (s seal) submissionRow(sub identity.Submission) (submissionRow, error) {
	row := submissionRow{
		ID: sub.ID, LeadID: sub.Lead, ClientID: sub.Client, AnchorID: sub.Anchor, Session: sub.Session,
		Form: sub.Form, Provenance: sub.Provenance, At: millis(sub.At),
	}
	var err error
	if row.Identity, err = s.person(sub.Person, submissionIdentity(sub.ID)); err != nil || sub.Fields == "" {
		return row, err
	}
	row.Fields, err = s.seal([]byte(sub.Fields), submissionFields(sub.ID))
	return row, err
}

func (s seal) submission(r submissionRow) (identity.Submission, error) {
	person, err := s.personOf(r.Identity, submissionIdentity(r.ID))
	if err != nil {
		return identity.Submission{}, fmt.Errorf("submission %d: %w", r.ID, err)
	}
	var fields []byte
	if len(r.Fields) > 0 {
		if fields, err = s.open(r.Fields, submissionFields(r.ID)); err != nil {
			return identity.Submission{}, fmt.Errorf("submission %d: %w", r.ID, err)
		}
	}
	return identity.Submission{
		ID: r.ID, Lead: r.LeadID, Client: r.ClientID, Anchor: r.AnchorID, Session: r.Session,
		Form: r.Form, Person: person, Fields: string(fields), Provenance: r.Provenance, At: instant(r.At),
	}, nil
}

type candidateRow struct {
	bun.BaseModel `bun:"table:candidates,alias:c"`

	ID           identity.CandidateID    `bun:"id,pk"`
	AnchorID     identity.AnchorID       `bun:"anchor_id"`
	FirstLead    identity.LeadID         `bun:"first_lead"`
	SecondLead   identity.LeadID         `bun:"second_lead"`
	SubmissionID identity.SubmissionID   `bun:"submission_id"`
	State        identity.CandidateState `bun:"state"`
	ResolvedBy   string                  `bun:"resolved_by,nullzero"`
	At           int64                   `bun:"at"`

	ClientID identity.ClientID `bun:"client_id,scanonly"`
}

func candidateRowOf(c identity.Candidate) candidateRow {
	return candidateRow{
		ID: c.ID, AnchorID: c.Anchor, FirstLead: c.First, SecondLead: c.Second,
		SubmissionID: c.Submission, State: c.State, ResolvedBy: c.ResolvedBy, At: millis(c.At),
	}
}

func (r candidateRow) candidate() identity.Candidate {
	return identity.Candidate{
		ID: r.ID, Anchor: r.AnchorID, First: r.FirstLead, Second: r.SecondLead,
		Submission: r.SubmissionID, State: r.State, ResolvedBy: r.ResolvedBy, At: instant(r.At),
	}
}

type doubtfulRow struct {
	bun.BaseModel `bun:"table:doubtful_sessions,alias:d"`

	AnchorID identity.AnchorID `bun:"anchor_id,pk"`
	Session  journey.Session   `bun:"session,pk"`
}

// millis and instant: a zero time is 0, which nullzero columns keep as NULL.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
