package bunstore

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"continuity/ports/access"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit,alias:u"`

	ID      int64  `bun:"id,pk"`
	At      int64  `bun:"at"`
	Who     string `bun:"who"`
	What    string `bun:"what"`
	Subject string `bun:"subject"`
}

// AddNote is access.AuditLog's promise.
func (db *DB) AddNote(ctx context.Context, note access.Note) error {
	id, err := db.ids.take(ctx, 1)
	if err != nil {
		return db.outward(err)
	}
	row := auditRow{ID: id, At: millis(note.At), Who: note.Who, What: note.What, Subject: note.Subject}
	return db.outward(insert(ctx, db.write, []auditRow{row}))
}

// Notes is access.AuditLog's promise.
func (db *DB) Notes(ctx context.Context, before int64, limit int) ([]access.Note, error) {
	var rows []auditRow
	q := db.read.NewSelect().Model(&rows).Order("u.id DESC").Limit(int64(limit))
	if before > 0 {
		q = q.Where("u.id < ?", before)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, db.outward(fmt.Errorf("read the audit log: %w", err))
	}
	notes := make([]access.Note, len(rows))
	for i, r := range rows {
		notes[i] = access.Note{ID: r.ID, At: instant(r.At), Who: r.Who, What: r.What, Subject: r.Subject}
	}
	return notes, nil
}
