package bunstore_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
	"continuity/ports/contract"
)

// TestMain lets the test binary be a second process, when a spec starts one.
func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) != "" {
		os.Exit(play())
	}
	os.Exit(m.Run())
}

func TestBunstore(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Bunstore")
}

var postgres pgtest.Shared

var _ = AfterSuite(func() { Expect(postgres.Stop()).To(Succeed()) })

// migrated makes a template: a database with the schema in it.
func migrated(url string) error {
	ctx := context.Background()
	db, err := bunstore.Open(ctx, bunstore.Config{URL: url})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Migrate(ctx)
}

// databases are the kinds of place that every promise is kept in.
var databases = map[string]func() string{
	"SQLite":   sqliteFile,
	"Postgres": func() string { return postgres.Database("bunstore", migrated) },
}

// bare are the same kinds of place, without a schema.
var bare = map[string]func() string{
	"SQLite":   sqliteFile,
	"Postgres": func() string { return postgres.Database("bare", func(string) error { return nil }) },
}

func sqliteFile() string {
	return "sqlite://" + filepath.Join(GinkgoT().TempDir(), "continuity.db")
}

// onEach describes something on each database in turn.
func onEach(places map[string]func() string, describe func(url func() string)) {
	for name, url := range places {
		Context("in "+name, func() { describe(url) })
	}
}

func open(config bunstore.Config) *bunstore.DB {
	GinkgoHelper()
	db := openBare(config.URL, config.Direct)
	Expect(db.Migrate(context.Background())).To(Succeed())
	return db
}

func openBare(url string, direct bool) *bunstore.DB {
	GinkgoHelper()
	db, err := bunstore.Open(context.Background(), bunstore.Config{URL: url, Direct: direct})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(db.Close)
	return db
}

var _ = Describe("A store of devices and people", func() {
	for name, url := range databases {
		for _, direct := range []bool{true, false} {
			how := map[bool]string{true: "a transaction each", false: "one transaction for many"}[direct]
			Context("in "+name+", "+how, func() {
				var last *bunstore.DB
				fresh := func() contract.Stores {
					last = open(bunstore.Config{URL: url(), Direct: direct})
					return last
				}
				contract.Capture(fresh)
				Describe("handoffs", func() { contract.HandingOff(fresh) })
				Describe("reports", func() { contract.Reporting(fresh) })
				Describe("tokens", func() { contract.Access(fresh) })
				Describe("privacy", func() { contract.Privacy(fresh, func() int { return orphans(last) }) })
				Describe("retention", func() { contract.Retention(fresh, func() contract.Rows { return rows(last) }) })
				Describe("scans", func() { contract.Scanning(fresh) })
				Describe("trees", func() { contract.Trees(fresh) })
			})
		}
	}
})

// orphans counts the events whose device, person or submission is not there: no
// foreign key keeps those.
func orphans(db *bunstore.DB) (n int) {
	GinkgoHelper()
	write, _ := db.Pools()
	Expect(write.NewRaw(`SELECT COUNT(*) FROM events WHERE anchor_id NOT IN (SELECT id FROM anchors)
		OR lead_id IS NOT NULL AND lead_id NOT IN (SELECT id FROM leads)
		OR submission_id IS NOT NULL AND submission_id NOT IN (SELECT id FROM submissions)`).
		Scan(context.Background(), &n)).To(Succeed())
	return n
}

func rows(db *bunstore.DB) (n contract.Rows) {
	GinkgoHelper()
	write, _ := db.Pools()
	Expect(write.NewRaw(`SELECT (SELECT COUNT(*) FROM leads), (SELECT COUNT(*) FROM lead_keys), (SELECT COUNT(*) FROM anchors),
		(SELECT COUNT(*) FROM events), (SELECT COUNT(*) FROM submissions), (SELECT COUNT(*) FROM candidates),
		(SELECT COUNT(*) FROM handoffs)`).
		Scan(context.Background(), &n.Leads, &n.Keys, &n.Anchors, &n.Events, &n.Submissions, &n.Candidates, &n.Handoffs)).To(Succeed())
	return n
}
