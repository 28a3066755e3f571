package features_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/continuity/replay"
	"continuity/features/world"
)

var _ = Describe("A replay of an access log", func() {
	play := func(database, log string) replay.Report {
		GinkgoHelper()
		way := world.Listen(world.Open(world.Config(database), nil))
		report, err := replay.Run(context.Background(), replay.Options{
			Log: log, URL: way.Public, AdminURL: way.Admin, Token: way.Token, Seed: 7,
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Compared).To(BeTrue())
		Expect(report.Print(GinkgoWriter)).To(Succeed())
		Expect(report.Differences).To(BeZero())
		Expect(report.Found.Attributed).To(Equal(report.Expected.Attributed))
		Expect(report.Found.Others).To(BeZero())
		return report
	}

	for _, database := range []string{"SQLite", "Postgres"} {
		It("finds on "+database+" exactly what its own model expects", func() {
			report := play(database, inventedLog())
			Expect(report.Rows).To(Equal(400))
			Expect(report.Found.Leads).To(BeNumerically(">", 10))
		})

		It("finds the same on "+database+" for ten thousand real lines", func() {
			corpus := os.Getenv("CORPUS")
			if corpus == "" {
				Skip("CORPUS names no folder of real data")
			}
			report := play(database, filepath.Join(corpus, "weblogs", "blog_2015_10k.tsv"))
			Expect(report.Rows).To(Equal(10000))
			Expect(report.BadLines).To(BeZero())
		})
	}
})

// inventedLog is a Combined log of forty browsers over two months, as a file.
func inventedLog() string {
	GinkgoHelper()
	var log strings.Builder
	start := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for i := range 400 {
		at := start.Add(time.Duration(i) * 211 * time.Minute).Format("02/Jan/2006:15:04:05 -0700")
		fmt.Fprintf(&log, `192.0.2.%d - - [%s] "GET /page/%d HTTP/1.1" 200 512 "https://www.example.org/" "Browser/%d"`+"\n",
			i%20, at, i%13, i%2)
	}
	file := filepath.Join(GinkgoT().TempDir(), "access.log")
	Expect(os.WriteFile(file, []byte(log.String()), 0o600)).To(Succeed())
	return file
}
