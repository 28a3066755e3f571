package oracle_test

import (
	"context"
	"database/sql"
	"flag"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
)

func TestModel(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Histories")
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

func onSQLite() string {
	GinkgoHelper()
	url := "sqlite://" + filepath.Join(GinkgoT().TempDir(), "continuity.db")
	Expect(migrated(url)).To(Succeed())
	return url
}

func onPostgres() string {
	GinkgoHelper()
	return postgres.Database("histories", migrated)
}

// place is one database, open in some processes, beside what reads it bare.
type place struct {
	url   string
	nodes []*bunstore.DB
	bare  *sql.DB
}

// at opens a database as so many processes would.
func at(url string, nodes int) *place {
	GinkgoHelper()
	driver, source := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite://"); ok {
		driver, source = "sqlite", "file:"+path+"?mode=ro"
	}
	bare, err := sql.Open(driver, source)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(bare.Close)
	p := &place{url: url, nodes: make([]*bunstore.DB, nodes), bare: bare}
	for i := range p.nodes {
		p.nodes[i], err = bunstore.Open(context.Background(), bunstore.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(func() error { return p.nodes[i].Close() })
	}
	return p
}

// restart starts every process anew. Each draws ids from a block of its own, so that
// where there are several only what follows a restart has higher ids than what was.
func (p *place) restart(g Gomega) {
	for i, node := range p.nodes {
		g.Expect(node.Close()).To(Succeed())
		var err error
		p.nodes[i], err = bunstore.Open(context.Background(), bunstore.Config{URL: p.url})
		g.Expect(err).NotTo(HaveOccurred())
	}
}

// oneOf lets rapid try a part of the histories that -rapid.checks asks for (100 by
// default), where each costs more.
func oneOf(parts int) {
	GinkgoHelper()
	checks := flag.Lookup("rapid.checks").Value
	all := checks.String()
	n, err := strconv.Atoi(all)
	Expect(err).NotTo(HaveOccurred())
	Expect(checks.Set(strconv.Itoa(max(1, n/parts)))).To(Succeed())
	DeferCleanup(checks.Set, all)
}
