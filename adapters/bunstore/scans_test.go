package bunstore_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/scan"
)

var _ = Describe("The addresses of those who scanned", func() {
	for name, url := range databases {
		It("are emptied after their time, a few at a scan, in "+name, func() {
			ctx, db := context.Background(), open(bunstore.Config{URL: url()})
			Expect(db.AddTree(ctx, scan.Tree{ID: "oak"})).To(Succeed())
			now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
			visit := func(n byte, forget time.Time) {
				GinkgoHelper()
				_, err := db.RecordScan(ctx, scan.Scan{
					Tree: "oak", At: now, Fresh: scan.NewVisitorID([16]byte{n}), Address: "192.0.2.7", Agent: "a phone",
				}, forget)
				Expect(err).NotTo(HaveOccurred())
			}
			for n := range byte(10) {
				visit(n, time.Time{})
			}
			_, pool := db.Pools()
			number := func(query string) (n int) {
				GinkgoHelper()
				Expect(pool.NewRaw(query).Scan(ctx, &n)).To(Succeed())
				return n
			}
			kept := func() []int {
				GinkgoHelper()
				return []int{
					number("SELECT COUNT(*) FROM tree_scans WHERE ip_address = '192.0.2.7' AND user_agent = 'a phone'"),
					number("SELECT COUNT(*) FROM visitors WHERE last_ip_address = '192.0.2.7' AND last_user_agent = 'a phone'"),
				}
			}
			now = now.Add(48 * time.Hour)
			visit(100, now.Add(-72*time.Hour))
			Expect(kept()).To(Equal([]int{11, 11}))
			visit(101, now.Add(-24*time.Hour))
			Expect(kept()).To(Equal([]int{4, 4}))
			visit(102, now.Add(-24*time.Hour))
			Expect(kept()).To(Equal([]int{3, 3}))
			Expect(number("SELECT COUNT(*) FROM tree_scans")).To(Equal(13))
		})
	}
})
