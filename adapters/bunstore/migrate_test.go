package bunstore_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/uptrace/bun"
	bundialect "github.com/uptrace/bun/dialect"
	"github.com/uptrace/bun/migrate"

	"continuity/adapters/bunstore"
	"continuity/adapters/bunstore/migrations"
)

var _ = Describe("Migrating", func() {
	ctx := context.Background()

	marked := func(db bun.IDB) (names []string) {
		GinkgoHelper()
		Expect(db.NewRaw("SELECT name FROM "+bunstore.MigrationsTable+" ORDER BY name").Scan(ctx, &names)).To(Succeed())
		return names
	}

	It("makes the same schema everywhere", func() {
		schemas := map[string]string{}
		for name, url := range databases {
			write, _ := open(bunstore.Config{URL: url()}).Pools()
			schemas[name] = schemaOf(write)
		}
		Expect(schemas["SQLite"]).To(Equal(schemas["Postgres"]))
		Expect(strings.Count(schemas["SQLite"], "\n")).To(BeNumerically(">", 80))
	})

	onEach(bare, func(fresh func() string) {
		// whole fails unless the schema is the one that an undisturbed migration makes.
		whole := func(url string) {
			GinkgoHelper()
			undisturbed, _ := open(bunstore.Config{URL: fresh()}).Pools()
			write, _ := openBare(url, true).Pools()
			Expect(schemaOf(write)).To(Equal(schemaOf(undisturbed)))
			Expect(marked(write)).To(Equal(marked(undisturbed)))
		}

		It("changes nothing the second time", func() {
			url := fresh()
			db := open(bunstore.Config{URL: url})
			Expect(db.Migrate(ctx)).To(Succeed())
			whole(url)
		})

		It("is done once by processes that start at once", func() {
			url := fresh()
			for _, p := range startMany(4, "migrate", url) {
				p.succeeds()
			}
			whole(url)
		})

		It("is completed after a process that was killed anywhere in it", func() {
			url := fresh()
			for range 10 {
				p := start("migrate", url)
				p.goOn()
				time.AfterFunc(rand.N(60*time.Millisecond), func() { p.Kill() })
				Eventually(p.Session, "20s").Should(HaveField("ExitCode()", Not(Equal(-1))))
			}
			Expect(openBare(url, true).Migrate(ctx)).To(Succeed())
			whole(url)
		})

		DescribeTable("waits for who is at it, and goes on at once when that process is killed",
			func(at string) {
				url := fresh()
				place := stopAt(url, at)
				victim := start("migrate", url)
				victim.goOn()
				place.reached()
				next := start("migrate", url)
				next.goOn()
				Consistently(next.Session, "300ms").ShouldNot(HaveField("ExitCode()", Not(Equal(-1))))
				victim.Kill().Wait("10s")
				place.open()
				next.succeeds()
				whole(url)
			},
			Entry("before the migration's commit", "INSERT"),
			Entry("between the commit and the last mark", "UPDATE"),
		)

		It("refuses a database that a newer version has changed", func() {
			db := open(bunstore.Config{URL: fresh()})
			write, _ := db.Pools()
			_, err := write.ExecContext(ctx, "INSERT INTO "+bunstore.MigrationsTable+" (name, group_id) VALUES ('9001', 2)")
			Expect(err).NotTo(HaveOccurred())
			Expect(db.Migrate(ctx)).To(MatchError(And(ContainSubstring("newer version"), ContainSubstring("9001"))))
		})
	})
})

// stop is a place in the middle of a migration at which a process hangs.
type stop struct {
	reached, open func()
}

// stopAt makes whoever migrates hang when it marks a migration: the first mark is
// inserted by the migration's own transaction, and updated after its commit.
func stopAt(url, at string) stop {
	GinkgoHelper()
	ctx := context.Background()
	write, _ := openBare(url, true).Pools()
	known, err := migrations.All()
	Expect(err).NotTo(HaveOccurred())
	Expect(migrate.NewMigrator(write, known, migrate.WithTableName(bunstore.MigrationsTable), migrate.WithUpsert(true)).
		Init(ctx)).To(Succeed())
	if write.Dialect().Name() == bundialect.PG {
		return stopPostgres(write, at)
	}
	return stopSQLite(write, at)
}

func run(db bun.IDB, statements ...string) {
	GinkgoHelper()
	for _, statement := range statements {
		_, err := db.ExecContext(context.Background(), statement)
		Expect(err).NotTo(HaveOccurred(), statement)
	}
}

func stopPostgres(db *bun.DB, at string) stop {
	GinkgoHelper()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(conn.Close)
	run(conn, "SELECT pg_advisory_lock(42)",
		`CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$`,
		"CREATE TRIGGER hang BEFORE "+at+" ON "+bunstore.MigrationsTable+" FOR EACH ROW EXECUTE FUNCTION hang()")
	return stop{
		reached: func() {
			GinkgoHelper()
			Eventually(func() (n int, err error) {
				err = db.NewRaw("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND NOT granted").Scan(ctx, &n)
				return n, err
			}, "20s").Should(Equal(1))
		},
		open: func() {
			GinkgoHelper()
			run(conn, "SELECT pg_advisory_unlock(42)")
			DeferCleanup(func() { run(db, "DROP TRIGGER IF EXISTS hang ON "+bunstore.MigrationsTable) })
		},
	}
}

// stopSQLite hangs in a select that has no end.
func stopSQLite(db *bun.DB, at string) stop {
	GinkgoHelper()
	run(db, "CREATE VIEW endless AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
		"CREATE TRIGGER hang AFTER "+at+" ON "+bunstore.MigrationsTable+" BEGIN SELECT max(n) FROM endless; END")
	run(db, "PRAGMA busy_timeout = 0")
	return stop{
		reached: func() {
			GinkgoHelper()
			Eventually(func() error {
				tx, err := db.Begin()
				if err == nil {
					err = tx.Rollback()
				}
				return err
			}, "20s", "50ms").MustPassRepeatedly(5).Should(MatchError(ContainSubstring("locked")))
		},
		open: func() {
			GinkgoHelper()
			Eventually(func() error {
				_, err := db.Exec("DROP VIEW endless; DROP TRIGGER hang")
				return err
			}, "10s").Should(Succeed())
		},
	}
}

// schemaOf are the tables, columns, indexes and references, one a line, by the
// names that both databases have for them.
func schemaOf(db *bun.DB) string {
	GinkgoHelper()
	var lines []string
	query := sqliteSchema
	if db.Dialect().Name() == bundialect.PG {
		query = postgresSchema
	}
	Expect(db.NewRaw(query).Scan(context.Background(), &lines)).To(Succeed())
	return strings.Join(lines, "\n")
}
