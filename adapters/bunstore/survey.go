package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/privacy"
)

// survey is what one person left, and what becomes of it once they are forgotten.
type survey struct {
	lead    leadRow
	anchors []anchorRow // by id
	fate    identity.Forgetting
	counts  privacy.Counts
}

// surveyor looks at one person within one transaction.
type surveyor struct {
	ctx  context.Context
	tx   bun.IDB
	lead identity.LeadID
	now  int64
	// lock makes a select hold its rows; it adds nothing for one who only looks.
	lock func(q *bun.SelectQuery, table string) *bun.SelectQuery
}

func unlocked(q *bun.SelectQuery, _ string) *bun.SelectQuery { return q }

// owned tells the events of a lead, by columns of events alone.
const owned = `(ownership = 0 AND (lead_id = ? OR lead_id IS NULL AND anchor_id IN (SELECT id FROM anchors WHERE first_lead_id = ?))
	OR ownership = 1 AND submission_id IN (SELECT id FROM submissions WHERE lead_id = ?))`

// look surveys the person; found is false when there is no such lead any more. The
// locks are taken in the order of the writer, the anchors before the lead: once the
// lead is held, no device can be linked to it that is not held too.
func (s surveyor) look() (found survey, ok bool, err error) {
	if found.anchors, err = s.devices(s.lock); err != nil {
		return found, false, err
	}
	q := s.tx.NewSelect().Model(&found.lead).Where("l.id = ?", s.lead)
	if err := s.lock(q, "l").Scan(s.ctx); errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	} else if err != nil {
		return found, false, fmt.Errorf("hold a lead: %w", err)
	}
	now, err := s.devices(unlocked)
	if err != nil {
		return found, false, err
	}
	same := func(a, b anchorRow) bool { return a.ID == b.ID }
	if !slices.EqualFunc(found.anchors, now, same) {
		return found, false, errAgain
	}
	return found, true, s.weigh(&found)
}

func (s surveyor) devices(lock func(*bun.SelectQuery, string) *bun.SelectQuery) (rows []anchorRow, err error) {
	q := s.tx.NewSelect().Model(&rows).ColumnExpr("a.*, l.expires_at AS lead_expires_at").
		Join("LEFT JOIN leads AS l ON l.id = a.lead_id").
		Where("a.id IN ("+anchorsOf+")", s.lead, s.lead, s.lead).Order("a.id")
	if err := lock(q, "a").Scan(s.ctx); err != nil {
		return nil, fmt.Errorf("hold a person's devices: %w", err)
	}
	return rows, nil
}

// weigh counts what there is and decides what becomes of it.
func (s surveyor) weigh(found *survey) error {
	traces := map[identity.AnchorID]*identity.Traces{}
	for _, a := range found.anchors {
		traces[a.ID] = &identity.Traces{Anchor: a.anchor()}
	}
	for _, step := range []func(map[identity.AnchorID]*identity.Traces) error{s.weighEvents, s.weighSubmissions} {
		if err := step(traces); err != nil {
			return err
		}
	}
	all := make([]identity.Traces, len(found.anchors))
	dead := map[identity.AnchorID]bool{}
	for i, a := range found.anchors {
		all[i] = *traces[a.ID]
		if dead[a.ID] = a.expired(s.now); !dead[a.ID] {
			found.counts.Events += all[i].Events
		}
	}
	found.fate = identity.Forget(s.lead, all)
	found.counts.Leads = 1
	for _, id := range found.fate.Remove {
		if !dead[id] {
			found.counts.Anchors++
		}
	}
	return s.tx.NewRaw(`SELECT (SELECT COUNT(*) FROM submissions WHERE lead_id = ?),
		(SELECT COUNT(*) FROM candidates AS c JOIN anchors AS a ON a.id = c.anchor_id
			WHERE (c.first_lead = ? OR c.second_lead = ?) AND `+aliveAnchor+`)`, s.lead, s.lead, s.lead, s.now).
		Scan(s.ctx, &found.counts.Submissions, &found.counts.Candidates)
}

func (s surveyor) weighEvents(traces map[identity.AnchorID]*identity.Traces) error {
	var rows []struct {
		AnchorID identity.AnchorID `bun:"anchor_id"`
		Theirs   int               `bun:"theirs"`
		All      int               `bun:"all_of_them"`
	}
	err := s.tx.NewRaw("SELECT anchor_id, SUM(CASE WHEN "+owned+" THEN 1 ELSE 0 END) AS theirs, COUNT(*) AS all_of_them "+
		"FROM events WHERE anchor_id IN ("+anchorsOf+") GROUP BY anchor_id",
		s.lead, s.lead, s.lead, s.lead, s.lead, s.lead).Scan(s.ctx, &rows)
	if err != nil {
		return fmt.Errorf("count a person's events: %w", err)
	}
	for _, r := range rows {
		trace := traces[r.AnchorID]
		trace.Events = r.Theirs
		trace.Others = trace.Others || r.All > r.Theirs
	}
	return nil
}

func (s surveyor) weighSubmissions(traces map[identity.AnchorID]*identity.Traces) error {
	var rows []submissionRow
	err := s.tx.NewSelect().Model(&rows).Column("anchor_id", "session", "lead_id").Distinct().
		Where("s.anchor_id IN ("+anchorsOf+")", s.lead, s.lead, s.lead).Order("anchor_id", "session").Scan(s.ctx)
	if err != nil {
		return fmt.Errorf("find who submitted on a person's devices: %w", err)
	}
	for _, r := range rows {
		trace := traces[r.AnchorID]
		switch {
		case r.LeadID != s.lead:
			trace.Others = true
		case r.Session != journey.Session(""):
			trace.Sessions = append(trace.Sessions, r.Session)
		}
	}
	return nil
}
