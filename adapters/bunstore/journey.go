package bunstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

type entryRow struct {
	eventRow `bun:",extend"`
	ClientID identity.ClientID `bun:"client_id,nullzero"`
}

// entryColumns are what scanEntries reads, by hand: the query builder's reflection
// took longer than the query.
const entryColumns = `e.anchor_id, e.event_id, COALESCE(e.event_name, ''), COALESCE(e.session, ''),
	e.occurred_at, e.received_at, e.clamped, e.source, e.position, e.kind, COALESCE(e.url, ''), COALESCE(e.title, ''),
	COALESCE(e.referrer, ''), COALESCE(e.campaign, ''), COALESCE(e.props, ''), e.ownership, COALESCE(s.client_id, '')`

func scanEntries(ctx context.Context, q *bun.SelectQuery, limit int) (entries []entryRow, err error) {
	rows, err := q.Rows(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	entries = make([]entryRow, 0, min(limit+1, reporting.DefaultLimit))
	for rows.Next() {
		var r entryRow
		if err := rows.Scan(&r.AnchorID, &r.EventID, &r.EventName, &r.Session, &r.OccurredAt, &r.ReceivedAt,
			&r.Clamped, &r.Source, &r.Position, &r.Kind, &r.URL, &r.Title, &r.Referrer, &r.Campaign, &r.Props,
			&r.Ownership, &r.ClientID); err != nil {
			return nil, err
		}
		entries = append(entries, r)
	}
	return entries, rows.Err()
}

func (r entryRow) entry() (reporting.Entry, error) {
	return reporting.Entry{
		Anchor: r.AnchorID, Ownership: ownerships[r.Ownership], Submission: r.ClientID, Event: r.event(),
	}, nil
}

// entryPlace is where a page of a journey ended.
type entryPlace struct {
	Occurred int64             `json:"o"`
	Received int64             `json:"r"`
	Position int16             `json:"p"`
	Anchor   identity.AnchorID `json:"a"`
	Event    packedID          `json:"e"`
}

func (r entryRow) place() any {
	return entryPlace{Occurred: r.OccurredAt, Received: r.ReceivedAt, Position: r.Position, Anchor: r.AnchorID, Event: r.EventID}
}

// anchorsOf are all anchors that may hold an event of a lead: it was linked there,
// or submitted there; nothing else ever gives an event to a lead.
const anchorsOf = `SELECT id FROM anchors WHERE lead_id = ? UNION
SELECT id FROM anchors WHERE first_lead_id = ? UNION
SELECT anchor_id FROM submissions WHERE lead_id = ? AND anchor_id IS NOT NULL`

// Journey is reporting.Store's promise.
func (db *DB) Journey(
	ctx context.Context, now time.Time, id identity.LeadID, page reporting.Page,
) (reporting.Listed[reporting.Entry], error) {
	q := ownedBy(db.read.NewSelect().TableExpr("events AS e").ColumnExpr(entryColumns), id).
		Where("e.anchor_id IN ("+anchorsOf+")", id, id, id).Where(aliveAnchor, millis(now)).
		Order("e.occurred_at", "e.received_at", "e.position", "e.anchor_id", "e.event_id").Limit(int64(page.Limit) + 1)
	var last entryPlace
	given, err := parseCursor(page.After, &last)
	if err != nil {
		return reporting.Listed[reporting.Entry]{}, err
	}
	if given {
		q = q.Where("(e.occurred_at, e.received_at, e.position, e.anchor_id, e.event_id) > (?, ?, ?, ?, ?)",
			last.Occurred, last.Received, last.Position, last.Anchor, last.Event)
	}
	rows, err := scanEntries(ctx, q, page.Limit)
	if err != nil {
		return reporting.Listed[reporting.Entry]{}, db.outward(fmt.Errorf("read a journey: %w", err))
	}
	return listed(rows, page.Limit, entryRow.entry, entryRow.place)
}

// ownedBy keeps the events e that a lead owns (R6); it joins their submission as s.
func ownedBy(q *bun.SelectQuery, lead identity.LeadID) *bun.SelectQuery {
	return q.Join("JOIN anchors AS a ON a.id = e.anchor_id").
		Join("LEFT JOIN submissions AS s ON s.id = e.submission_id").
		WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			return q.Where("e.ownership = ? AND COALESCE(e.lead_id, a.first_lead_id) = ?", attributed, lead).
				WhereOr("e.ownership = ? AND s.lead_id = ?", inSnapshot, lead)
		})
}

// Anchor is reporting.Store's promise.
func (db *DB) Anchor(ctx context.Context, now time.Time, id identity.AnchorID) (identity.Anchor, error) {
	var found struct {
		anchorRow `bun:",extend"`
		Active    int64 `bun:"active"`
	}
	err := db.read.NewSelect().Model(&found).ColumnExpr("a.*, l.expires_at AS lead_expires_at").
		ColumnExpr("COALESCE((SELECT MAX(e.received_at) FROM events e WHERE e.anchor_id = a.id), 0) AS active").
		Join("LEFT JOIN leads AS l ON l.id = a.lead_id").Where("a.id = ?", id).Scan(ctx)
	if err != nil {
		return identity.Anchor{}, db.missing(err, noSuchAnchor)
	}
	if found.expired(millis(now)) {
		return identity.Anchor{}, fault.New(fault.NotFound, "", noSuchAnchor)
	}
	anchor := found.anchor()
	if active := instant(found.Active); active.After(anchor.LastSeenAt) {
		anchor.LastSeenAt = active
	}
	return anchor, nil
}

const noSuchAnchor = "no such anchor"
