package pgtest_test

import (
	"context"
	"errors"
	"sync"

	"github.com/jackc/pgx/v5"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// withTrees is what a template holds: a table with one row.
func withTrees(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE TABLE trees (name text PRIMARY KEY); INSERT INTO trees VALUES ('lime')")
	return errors.Join(err, conn.Close(ctx))
}

var _ = Describe("A database", func() {
	const count = "SELECT count(*)::text FROM trees"

	It("starts from its template, and apart from every other", func() {
		one, two := postgres.Database("trees", withTrees), postgres.Database("trees", withTrees)
		tell(one, "INSERT INTO trees VALUES ('oak')")
		Expect(ask(one, count)).To(Equal("2"))
		Expect(ask(two, count)).To(Equal("1"))
	})

	It("is cloned by many at once, from a template prepared once", func() {
		cluster := postgres.Cluster()
		var prepared int
		prepare := func(url string) error {
			prepared++
			return withTrees(url)
		}
		urls := make([]string, 4)
		var group sync.WaitGroup
		for i := range urls {
			group.Go(func() {
				defer GinkgoRecover()
				Expect(cluster.Template("crowded", prepare)).To(Succeed())
				url, drop, err := cluster.Database(context.Background(), "crowded")
				Expect(err).NotTo(HaveOccurred())
				DeferCleanup(drop)
				urls[i] = url
			})
		}
		group.Wait()
		Expect(prepared).To(Equal(1))
		for _, url := range urls {
			Expect(ask(url, count)).To(Equal("1"))
		}
	})

	It("is empty without a template, and gone once dropped, whoever is connected", func() {
		url, drop, err := postgres.Cluster().Database(context.Background(), "")
		Expect(err).NotTo(HaveOccurred())
		Expect(ask(url, "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'")).To(Equal("0"))
		connect(url)
		Expect(drop()).To(Succeed())
		_, err = pgx.Connect(context.Background(), url)
		Expect(err).To(MatchError(ContainSubstring("3D000")))
	})

	It("may have its template prepared again after a failure", func() {
		cluster := postgres.Cluster()
		failure := errors.New("no such migration")
		Expect(cluster.Template("again", func(string) error { return failure })).To(MatchError(failure))
		Expect(cluster.Template("again", withTrees)).To(Succeed())
	})
})
