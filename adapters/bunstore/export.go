package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/identity"
	"continuity/ports/privacy"
)

// glance runs look on the database as it stands at one moment.
func (db *DB) glance(ctx context.Context, look func(bun.Tx) error) (err error) {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer func() { err = errors.Join(err, rollback(tx)) }()
	return look(tx)
}

// Export is privacy.Store's promise.
func (db *DB) Export(ctx context.Context, now time.Time, keys []identity.LeadKey, to privacy.Dossier) error {
	return db.outward(db.glance(ctx, func(tx bun.Tx) error {
		all, err := db.surveys(ctx, tx, now, keys, unlocked)
		if err != nil {
			return err
		}
		for _, found := range all {
			if found.expired(now) {
				continue
			}
			if err := (exporter{now: millis(now), ctx: ctx, db: db, tx: tx, to: to, survey: found}).tell(); err != nil {
				return err
			}
		}
		return nil
	}))
}

// exporter tells one person's record.
type exporter struct {
	survey
	now int64
	ctx context.Context
	db  *DB
	tx  bun.Tx
	to  privacy.Dossier
}

func (e exporter) tell() error {
	lead, err := e.db.seal.lead(e.lead)
	if err == nil {
		err = e.to.Lead(lead)
	}
	for _, part := range []func() error{e.devices, e.submissions, e.candidates, e.events} {
		if err == nil {
			err = part()
		}
	}
	return err
}

func (e exporter) devices() error {
	var removed, stripped []privacy.Device
	for _, row := range e.anchors {
		if row.expired(e.now) {
			continue
		}
		if slices.Contains(e.fate.Remove, row.ID) {
			removed = append(removed, privacy.Device{Anchor: row.anchor(), Removed: true})
		} else {
			stripped = append(stripped, privacy.Device{Anchor: e.anonymous(row.anchor())})
		}
	}
	for _, device := range append(removed, stripped...) {
		if err := e.to.Device(device); err != nil {
			return err
		}
	}
	return nil
}

// anonymous is a device without the link to anybody else.
func (e exporter) anonymous(a identity.Anchor) identity.Anchor {
	if a.Lead != e.lead.ID {
		a.Lead, a.Provenance = 0, ""
	}
	if a.FirstLead != e.lead.ID {
		a.FirstLead = 0
	}
	return a
}

func (e exporter) submissions() error {
	q := e.tx.NewSelect().Model((*submissionRow)(nil)).Where("s.lead_id = ?", e.lead.ID).Order("s.at", "s.id")
	return stream(e, q, func(row *submissionRow) error {
		submission, err := e.db.seal.submission(*row)
		if err != nil {
			return err
		}
		return e.to.Submission(submission)
	})
}

// candidates are told without the other person.
func (e exporter) candidates() error {
	q := e.tx.NewSelect().Model((*candidateRow)(nil)).
		Where("c.first_lead = ? OR c.second_lead = ?", e.lead.ID, e.lead.ID).
		Where("EXISTS (SELECT 1 FROM anchors AS a WHERE a.id = c.anchor_id AND "+aliveAnchor+")", e.now).Order("c.id")
	return stream(e, q, func(row *candidateRow) error {
		candidate := row.candidate()
		for _, side := range []*identity.LeadID{&candidate.First, &candidate.Second} {
			if *side != e.lead.ID {
				*side = 0
			}
		}
		candidate.ResolvedBy = ""
		return e.to.Candidate(candidate)
	})
}

func (e exporter) events() error {
	id := e.lead.ID
	q := e.tx.NewSelect().Model((*eventRow)(nil)).ColumnExpr("e.*").
		ColumnExpr("(SELECT s.client_id FROM submissions s WHERE s.id = e.submission_id) AS client_id").
		Where("e.anchor_id IN ("+anchorsOf+")", id, id, id).Where(owned, id, id, id).
		Where("EXISTS (SELECT 1 FROM anchors AS a WHERE a.id = e.anchor_id AND "+aliveAnchor+")", e.now).
		Order("e.occurred_at", "e.received_at", "e.position", "e.anchor_id", "e.event_id")
	return stream(e, q, func(row *entryRow) error {
		entry, err := row.entry()
		if err != nil {
			return err
		}
		return e.to.Event(privacy.Entry(entry))
	})
}

// stream hands over row by row; the database keeps what does not fit into memory.
func stream[R any](e exporter, q *bun.SelectQuery, each func(*R) error) (err error) {
	rows, err := q.Rows(e.ctx)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		row := new(R)
		if err := e.db.read.ScanRow(e.ctx, rows, row); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return rows.Err()
}
