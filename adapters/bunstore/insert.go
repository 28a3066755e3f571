package bunstore

import (
	"context"

	"github.com/uptrace/bun"
)

// insert writes rows, whose key must not be there yet.
//
// RETURNING is switched off: bun adds it for columns that may be NULL and maps
// what comes back by position, so that after a conflict one row's values end up in
// another, and the slice is cut to the rows that were written.
func insert[R any](ctx context.Context, db bun.IDB, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := db.NewInsert().Model(&rows).Returning("NULL").Exec(ctx)
	return err
}

// claimEach writes those rows whose key is not there yet.
func claimEach[R any](ctx context.Context, db bun.IDB, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := db.NewInsert().Model(&rows).On("CONFLICT DO NOTHING").Returning("NULL").Exec(ctx)
	return err
}
