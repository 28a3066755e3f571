package bunstore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
	"continuity/domain/scan"
)

// BenchmarkMetrics counts scans of 1,000 trees; SCANS says how many there are.
func BenchmarkMetrics(b *testing.B) {
	scans := 100_000
	if n, err := strconv.Atoi(os.Getenv("SCANS")); err == nil {
		scans = n
	}
	b.Run("SQLite", func(b *testing.B) {
		metrics(b, "sqlite://"+filepath.Join(b.TempDir(), "continuity.db"), scans, sqliteScans)
	})
	b.Run("Postgres", func(b *testing.B) {
		cluster, err := pgtest.Start()
		if err != nil {
			b.Skip(err)
		}
		b.Cleanup(func() { _ = cluster.Stop() })
		if err := cluster.Template("bench", migrated); err != nil {
			b.Fatal(err)
		}
		url, drop, err := cluster.Database(context.Background(), "bench")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = drop() })
		metrics(b, url, scans, postgresScans)
	})
}

const (
	benchTrees = 1000
	// A visitor has a few scans of one tree, all over a year.
	benchScan = `n, (SELECT id FROM trees WHERE code = 'tree-' || (n * 7919 %% 1000)), n %% (%[1]d / 3 + 1) + 1, ` +
		`'192.0.2.7', 'Mozilla/5.0', n <= %[1]d / 3, 1767225600000 + (n * 31536 %% 31536000) * 1000`
	benchColumns  = "INSERT INTO tree_scans (id, tree_id, visitor_id, ip_address, user_agent, first_scan, at) "
	sqliteScans   = benchColumns + "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < %[1]d) SELECT " + benchScan + " FROM c"
	postgresScans = benchColumns + "SELECT " + benchScan + " FROM generate_series(1::bigint, %[1]d) AS c(n)"
)

func metrics(b *testing.B, url string, scans int, fill string) {
	ctx := context.Background()
	db, err := bunstore.Open(ctx, bunstore.Config{URL: url})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if err := db.Migrate(ctx); err != nil {
		b.Fatal(err)
	}
	ids := make([]scan.TreeID, benchTrees)
	for i := range ids {
		ids[i] = scan.TreeID(fmt.Sprint("tree-", i))
	}
	if _, _, err := db.SaveTrees(ctx, ids, false, func(*scan.Tree, bool) error { return nil }); err != nil {
		b.Fatal(err)
	}
	write, _ := db.Pools()
	if _, err := write.DB.ExecContext(ctx, fmt.Sprintf(fill, scans)); err != nil {
		b.Fatal(err)
	}
	if _, err := write.DB.ExecContext(ctx, "ANALYZE"); err != nil {
		b.Fatal(err)
	}
	if _, err := write.DB.ExecContext(ctx, "VACUUM"); err != nil {
		b.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Bratislava")
	if err != nil {
		b.Fatal(err)
	}
	count := func(b *testing.B, ids []scan.TreeID, of scan.Range) {
		for range b.N {
			rows := 0
			tally := scan.NewTally(of)
			err := db.EachScan(ctx, ids, of.Since(), of.To, func(_ scan.TreeID, row scan.Row) {
				rows++
				tally.Add(row)
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(rows), "rows/op")
		}
	}
	week := scan.Range{Zone: zone, From: time.Date(2026, 6, 1, 0, 0, 0, 0, zone), To: time.Date(2026, 6, 8, 0, 0, 0, 0, zone)}
	b.Run("one tree", func(b *testing.B) { count(b, ids[7:8], scan.Range{Zone: zone}) })
	b.Run("one tree, one week", func(b *testing.B) { count(b, ids[7:8], week) })
	b.Run("a page of 100 trees", func(b *testing.B) { count(b, ids[:100], scan.Range{Zone: zone}) })
	b.Run("all trees, one week", func(b *testing.B) { count(b, ids, week) })
	b.Run("all trees", func(b *testing.B) { count(b, ids, scan.Range{Zone: zone}) })
}
