package bunstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/uptrace/bun"
)

// sized is one statement in several sizes, each parsed once, on the connection
// that writes: a batch takes a few of each instead of having its own parsed.
type sized map[int]*sql.Stmt

// sizes are the numbers of items that one statement takes.
var sizes = []int{64, 16, 4, 1}

func prepareSized(ctx context.Context, db *bun.DB, text func(items int) string) (sized, error) {
	all := sized{}
	for _, n := range sizes {
		statement, err := db.DB.PrepareContext(ctx, text(n))
		if err != nil {
			return nil, err
		}
		all[n] = statement
	}
	return all, nil
}

// inParts hands items to the largest statements that they fill.
func inParts[T any](ctx context.Context, tx bun.Tx, all sized, items []T, do func(*sql.Stmt, []T) error) error {
	for _, n := range sizes {
		if len(items) < n {
			continue
		}
		statement := tx.Tx.StmtContext(ctx, all[n])
		for ; len(items) >= n; items = items[n:] {
			if err := do(statement, items[:n]); err != nil {
				return err
			}
		}
	}
	return nil
}

// marks are n times the same placeholders.
func marks(one string, n int) string { return one + strings.Repeat(","+one, n-1) }

func (s *sqlite) prepare(ctx context.Context, db *bun.DB) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lookups != nil {
		return nil
	}
	row := "(" + marks("?", len(eventColumns)) + ")"
	insert := "INSERT INTO events (" + strings.Join(eventColumns, ",") + ") VALUES "
	if s.inserts, err = prepareSized(ctx, db, func(n int) string {
		return insert + marks(row, n) + " ON CONFLICT DO NOTHING"
	}); err != nil {
		return err
	}
	s.lookups, err = prepareSized(ctx, db, func(n int) string {
		return selectAnchors + " WHERE a.visitor_key_hash IN (" + marks("?", n) + ")"
	})
	return err
}

func (s *sqlite) insertEvents(ctx context.Context, tx bun.Tx, rows []eventRow) error {
	args := make([]any, 0, sizes[0]*len(eventColumns))
	return inParts(ctx, tx, s.inserts, rows, func(insert *sql.Stmt, part []eventRow) error {
		args = args[:0]
		for i := range part {
			args = part[i].appendValues(args)
		}
		_, err := insert.ExecContext(ctx, args...)
		return err
	})
}

func (s *sqlite) anchorsOfKeys(ctx context.Context, tx bun.Tx, keys [][]byte) (anchors []anchorRow, err error) {
	args := make([]any, 0, sizes[0])
	err = inParts(ctx, tx, s.lookups, keys, func(lookup *sql.Stmt, part [][]byte) error {
		args = args[:0]
		for _, key := range part {
			args = append(args, key)
		}
		rows, err := lookup.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		anchors, err = appendAnchors(anchors, rows)
		return err
	})
	return anchors, err
}
