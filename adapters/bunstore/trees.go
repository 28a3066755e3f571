package bunstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

// Tree is scanning.Trees's promise.
func (db *DB) Tree(ctx context.Context, id scan.TreeID) (scan.Tree, error) {
	var row treeRow
	if err := db.read.NewSelect().Model(&row).Where("t.code = ?", id).Scan(ctx); err != nil {
		return scan.Tree{}, db.missing(err, noSuchTree)
	}
	return row.tree(), nil
}

// Trees is scanning.Trees's promise. The order is that of the bytes on every
// database, whatever a server's own collation is.
func (db *DB) Trees(ctx context.Context, page scanning.Page) (scanning.Listed, error) {
	var rows []treeRow
	collation := db.dialect.bytewise()
	q := db.read.NewSelect().Model(&rows).OrderExpr("t.code " + collation).Limit(int64(page.Limit) + 1)
	var last scan.TreeID
	given, err := parseCursor(page.After, &last)
	if err != nil {
		return scanning.Listed{}, err
	}
	if given {
		q = q.Where("t.code "+collation+" > ?", last)
	}
	if err := q.Scan(ctx); err != nil {
		return scanning.Listed{}, db.outward(fmt.Errorf("list trees: %w", err))
	}
	view := func(r treeRow) (scan.Tree, error) { return r.tree(), nil }
	part, err := listed(rows, page.Limit, view, func(r treeRow) any { return r.Code })
	return scanning.Listed{Trees: part.Items, Next: part.Next}, err
}

// AddTree is scanning.Trees's promise.
func (db *DB) AddTree(ctx context.Context, tree scan.Tree) error {
	id, err := db.ids.take(ctx, 1)
	if err != nil {
		return db.outward(err)
	}
	rows := []treeRow{treeRowOf(id, tree)}
	n, err := affected(db.write.NewInsert().Model(&rows).On("CONFLICT DO NOTHING").Returning("NULL").Exec(ctx))
	if err != nil {
		return db.outward(fmt.Errorf("add a tree: %w", err))
	}
	if n == 0 {
		return fault.New(fault.Taken, "id", "is another tree's already")
	}
	return nil
}

// ChangeTree is scanning.Trees's promise.
func (db *DB) ChangeTree(ctx context.Context, id scan.TreeID, change func(*scan.Tree) error) (tree scan.Tree, err error) {
	err = db.repeat(ctx, func(tx bun.Tx) error {
		var row treeRow
		q := tx.NewSelect().Model(&row).Where("t.code = ?", id)
		if err := db.dialect.lock(q, "t").Scan(ctx); err != nil {
			return db.missing(err, noSuchTree)
		}
		tree = row.tree()
		if err := change(&tree); err != nil {
			return err
		}
		tree.ID = id
		return updateTree(ctx, tx, treeRowOf(row.ID, tree))
	})
	return tree, db.outward(err)
}

func updateTree(ctx context.Context, tx bun.Tx, row treeRow) error {
	if _, err := tx.NewUpdate().Model(&row).Column("name", "species", "lat", "lon", "target_url").WherePK().Exec(ctx); err != nil {
		return fmt.Errorf("change a tree: %w", err)
	}
	return nil
}

// treesAtOnce keeps a statement short.
const treesAtOnce = 500

// SaveTrees is scanning.Trees's promise.
func (db *DB) SaveTrees(
	ctx context.Context, ids []scan.TreeID, dry bool, change func(*scan.Tree, bool) error,
) (added, changed int, err error) {
	first, err := db.ids.take(ctx, int64(max(len(ids), 1)))
	if err != nil {
		return 0, 0, db.outward(err)
	}
	err = db.repeat(ctx, func(tx bun.Tx) error {
		added, changed = 0, 0
		next := first
		for part := range slices.Chunk(ids, treesAtOnce) {
			a, c, err := db.saveTrees(ctx, tx, part, next, dry, change)
			if err != nil {
				return err
			}
			added, changed, next = added+a, changed+c, next+int64(len(part))
		}
		return nil
	})
	return added, changed, db.outward(err)
}

func (db *DB) saveTrees(
	ctx context.Context, tx bun.Tx, ids []scan.TreeID, next int64, dry bool, change func(*scan.Tree, bool) error,
) (added, changed int, err error) {
	var known []treeRow
	q := tx.NewSelect().Model(&known).Where("t.code IN (?)", bun.In(ids)).Order("t.id")
	if err := db.dialect.lock(q, "t").Scan(ctx); err != nil {
		return 0, 0, fmt.Errorf("look for trees: %w", err)
	}
	rows := make(map[scan.TreeID]treeRow, len(known))
	for _, row := range known {
		rows[row.Code] = row
	}
	var fresh []treeRow
	for i, id := range ids {
		row, stored := rows[id]
		tree := row.tree()
		tree.ID = id
		if err := change(&tree, stored); err != nil {
			return 0, 0, err
		}
		tree.ID = id
		if !stored {
			fresh = append(fresh, treeRowOf(next+int64(i), tree))
			continue
		}
		changed++
		if dry {
			continue
		}
		if err := updateTree(ctx, tx, treeRowOf(row.ID, tree)); err != nil {
			return 0, 0, err
		}
	}
	if dry {
		return len(fresh), changed, nil
	}
	return len(fresh), changed, insert(ctx, tx, fresh)
}

// EachScan is scanning.Trees's promise. Each tree is one walk along the index. What
// comes beside the visitor is packed into one number, since the drivers take longer
// over a column than the database over a row.
func (db *DB) EachScan(
	ctx context.Context, trees []scan.TreeID, since, to time.Time, yield func(scan.TreeID, scan.Row),
) error {
	for _, id := range trees {
		if err := db.eachScan(ctx, id, since, to, yield); err != nil {
			return db.outward(fmt.Errorf("read scans: %w", err))
		}
	}
	return nil
}

func (db *DB) eachScan(ctx context.Context, id scan.TreeID, since, to time.Time, yield func(scan.TreeID, scan.Row)) (err error) {
	q := db.read.NewSelect().TableExpr("tree_scans AS s").
		ColumnExpr("COALESCE(s.visitor_id, 0)").
		ColumnExpr("s.at * 16 + CASE WHEN s.first_scan THEN 8 ELSE 0 END + COALESCE(s.excluded_as + 1, 0)").
		Where("s.tree_id = (SELECT t.id FROM trees AS t WHERE t.code = ?)", id).Order("s.visitor_id", "s.at")
	if !since.IsZero() {
		q = q.Where("s.at >= ?", since.UnixMilli())
	}
	if !to.IsZero() {
		q = q.Where("s.at < ?", to.UnixMilli())
	}
	rows, err := q.Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	var packed int64
	for rows.Next() {
		var row scan.Row
		if err := rows.Scan(&row.Visitor, &packed); err != nil {
			return err
		}
		row.At, row.First = time.UnixMilli(packed>>4), packed&8 != 0
		if reason := packed & 7; reason > 0 {
			row.Excluded = scan.Exclusions[reason-1]
		}
		yield(id, row)
	}
	return rows.Err()
}

// Orphans is scanning.Trees's promise.
func (db *DB) Orphans(ctx context.Context) ([]scanning.Orphan, error) {
	var rows []orphanRow
	if err := db.read.NewSelect().Model(&rows).Order("o.scans DESC", "o.code").Scan(ctx); err != nil {
		return nil, db.outward(fmt.Errorf("list orphan codes: %w", err))
	}
	orphans := make([]scanning.Orphan, len(rows))
	for i, r := range rows {
		orphans[i] = scanning.Orphan{Code: r.Code, Scans: r.Scans, First: instant(r.FirstAt), Last: instant(r.LastAt)}
	}
	return orphans, nil
}

func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
