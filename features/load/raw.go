package main

import (
	"context"
	crand "crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// raw writes rows of events with nothing before them: no request, no decision, no look at a device. It reads from
// the database which columns there are and takes its rows from what the service wrote.
type raw struct {
	db       *sql.DB
	postgres bool
	columns  []string
	anchor   int // the places of the columns that change
	event    int
	samples  [][]any
	anchors  []int64
	insert   string
}

func newRaw(ctx context.Context, p *place, rows int) (_ *raw, err error) {
	r := &raw{postgres: p.cluster != nil}
	if r.db, err = p.connect(); err != nil {
		return nil, err
	}
	if err := errors.Join(r.sample(ctx), r.known(ctx)); err != nil {
		return nil, errors.Join(err, r.db.Close())
	}
	r.anchor, r.event = slices.Index(r.columns, "anchor_id"), slices.Index(r.columns, "event_id")
	if r.anchor < 0 || r.event < 0 || len(r.samples) == 0 || len(r.anchors) == 0 {
		return nil, errors.Join(errors.New("events has no anchor_id and event_id to make rows of, or no rows"), r.db.Close())
	}
	r.insert, err = r.statement(ctx, rows)
	return r, err
}

func (r *raw) sample(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, "SELECT * FROM events LIMIT "+strconv.Itoa(samples))
	if err != nil {
		return fmt.Errorf("read sample rows: %w", err)
	}
	defer rows.Close()
	if r.columns, err = rows.Columns(); err != nil {
		return err
	}
	for rows.Next() {
		row := make([]any, len(r.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		r.samples = append(r.samples, row)
	}
	return rows.Err()
}

func (r *raw) known(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, "SELECT id FROM anchors")
	if err != nil {
		return fmt.Errorf("read the devices: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		r.anchors = append(r.anchors, id)
	}
	return rows.Err()
}

// statement takes a value for each column of each row or, on Postgres, an array for each column.
func (r *raw) statement(ctx context.Context, rows int) (string, error) {
	head := "INSERT INTO events (" + strings.Join(r.columns, ",") + ") "
	if !r.postgres {
		one := "(?" + strings.Repeat(",?", len(r.columns)-1) + ")"
		return head + "VALUES " + one + strings.Repeat(","+one, rows-1), nil
	}
	arrays := make([]string, len(r.columns))
	for i, column := range r.columns {
		var kind string
		if err := r.db.QueryRowContext(ctx, `SELECT udt_name FROM information_schema.columns
			WHERE table_name = 'events' AND column_name = $1`, column).Scan(&kind); err != nil {
			return "", err
		}
		arrays[i] = fmt.Sprintf("$%d::%s[]", i+1, kind)
	}
	return head + "SELECT * FROM unnest(" + strings.Join(arrays, ",") + ")", nil
}

// run writes batches of rows, a transaction each, for as long as it says. A latency is one batch's.
func (r *raw) run(ctx context.Context, rows int, span time.Duration) (sample, error) {
	var s sample
	begin := time.Now()
	for time.Since(begin) < span {
		due := time.Now()
		if _, err := r.db.ExecContext(ctx, r.insert, r.arguments(rows)...); err != nil {
			return s, fmt.Errorf("write rows: %w", err)
		}
		s.latencies = append(s.latencies, time.Since(due))
	}
	s.spent = time.Since(begin)
	slices.Sort(s.latencies)
	return s, nil
}

func (r *raw) arguments(rows int) []any {
	if !r.postgres {
		values := make([]any, 0, rows*len(r.columns))
		for range rows {
			values = append(values, r.row()...)
		}
		return values
	}
	columns := make([][]any, len(r.columns))
	for range rows {
		for i, value := range r.row() {
			columns[i] = append(columns[i], value)
		}
	}
	values := make([]any, len(columns))
	for i, column := range columns {
		values[i] = column
	}
	return values
}

// row is one of the samples under a new id, of a random device.
func (r *raw) row() []any {
	row := slices.Clone(r.samples[rand.IntN(len(r.samples))])
	id := make([]byte, 16)
	_, _ = crand.Read(id) // never fails
	row[r.anchor] = r.anchors[rand.IntN(len(r.anchors))]
	row[r.event] = id
	if r.postgres {
		h := hex.EncodeToString(id)
		row[r.event] = h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	}
	return row
}
