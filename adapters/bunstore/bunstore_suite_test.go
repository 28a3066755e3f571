package bunstore_test

import (
	"context"
	"path/filepath"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
	"continuity/ports/contract"
)

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
	"SQLite": func() string {
		return "sqlite://" + filepath.Join(GinkgoT().TempDir(), "continuity.db")
	},
	"Postgres": func() string { return postgres.Database("bunstore", migrated) },
}

func open(config bunstore.Config) *bunstore.DB {
	GinkgoHelper()
	db, err := bunstore.Open(context.Background(), config)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(db.Close)
	Expect(db.Migrate(context.Background())).To(Succeed())
	return db
}

var _ = Describe("A store of devices and people", func() {
	for name, url := range databases {
		for _, direct := range []bool{true, false} {
			how := map[bool]string{true: "a transaction each", false: "one transaction for many"}[direct]
			Context("in "+name+", "+how, func() {
				fresh := func() contract.Stores { return open(bunstore.Config{URL: url(), Direct: direct}) }
				contract.Capture(fresh)
				Describe("reports", func() { contract.Reporting(fresh) })
				Describe("tokens", func() { contract.Access(fresh) })
				Describe("scans", func() { contract.Scanning(fresh) })
				Describe("trees", func() { contract.Trees(fresh) })
			})
		}
	}
})
