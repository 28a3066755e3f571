package features_test

import (
	"context"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/app"
	"continuity/cmd/continuity/replay"
	"continuity/domain/scan"
	"continuity/features/world"
	"continuity/ports/scanning"
)

// readers are the rows of real readers: all of them with CORPUS_WHOLE set, else
// those of one in ten.
func readers() (rows [][]string, whole bool) {
	GinkgoHelper()
	corpus := os.Getenv("CORPUS")
	if corpus == "" {
		Skip("CORPUS names no folder of real data")
	}
	raw, err := os.ReadFile(filepath.Join(corpus, "sessions", "wikipedia_readers_63k.tsv"))
	Expect(err).NotTo(HaveOccurred())
	whole = os.Getenv("CORPUS_WHOLE") != ""
	for line := range strings.Lines(string(raw)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) != 3 || columns[0] == "ts" {
			continue
		}
		hash := fnv.New32a()
		hash.Write([]byte(columns[1]))
		if whole || hash.Sum32()%10 == 0 {
			rows = append(rows, columns)
		}
	}
	return rows, whole
}

var _ = Describe("Two weeks of real readers, as visitors of trees", func() {
	for _, database := range []string{"SQLite", "Postgres"} {
		It("are counted as what they did, tree by tree, on "+database, func() {
			rows, whole := readers()
			log := "ts\tvisitor\tpath\n"
			var text strings.Builder
			text.WriteString(log)
			for _, columns := range rows {
				text.WriteString(strings.Join(columns, "\t") + "\n")
			}
			file := filepath.Join(GinkgoT().TempDir(), "readers.tsv")
			Expect(os.WriteFile(file, []byte(text.String()), 0o600)).To(Succeed())
			way := world.Listen(world.Open(world.Config(database), nil))
			report, err := replay.RunScans(context.Background(), replay.Options{
				Log: file, URL: way.Public, AdminURL: way.Admin, Token: way.Token, Seed: 7, Trees: 20,
			})
			Expect(err).NotTo(HaveOccurred())
			Expect(report.Print(GinkgoWriter)).To(Succeed())
			Expect(report.Compared).To(BeTrue())
			Expect(report.FirstDifferences).To(BeEmpty())
			Expect(report.Counted.Total).To(Equal(len(rows)))
			if whole {
				Expect([]int{report.Rows, report.Once, report.Days}).To(Equal([]int{63524, 4460, 2892}))
			}
		})

		It("are counted day by day as if it were then, at one tree, on "+database, func() {
			rows, whole := readers()
			var now time.Time
			service, err := app.Open(context.Background(), world.Config(database), app.Deps{Now: func() time.Time { return now }})
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(service.Close)
			ctx := context.Background()
			_, err = service.Scanning.Add(ctx, scan.Tree{ID: "oak"})
			Expect(err).NotTo(HaveOccurred())

			ids, scans, days := map[string]scan.VisitorID{}, map[string]int{}, map[string]map[string]bool{}
			for _, columns := range rows {
				now, err = time.Parse(time.RFC3339, columns[0])
				Expect(err).NotTo(HaveOccurred())
				who, load := columns[1], scanning.Visit{Agent: world.IPhone}
				if id, known := ids[who]; known {
					load.Visitors = []scan.VisitorID{id}
				}
				answer, err := service.Scanning.Scan(ctx, "oak", load)
				Expect(err).NotTo(HaveOccurred())
				if scans[who] > 0 != (answer.Status == scan.ReturningVisitor) {
					Fail("a visitor is not told as what they are")
				}
				ids[who] = *answer.Issue
				scans[who]++
				if days[who] == nil {
					days[who] = map[string]bool{}
				}
				days[who][columns[0][:10]] = true
			}
			counted, err := service.Scanning.Metrics(ctx, "oak", scan.Range{Zone: time.UTC})
			Expect(err).NotTo(HaveOccurred())
			once, several, visits := 0, 0, 0
			for who, times := range scans {
				if times == 1 {
					once++
				}
				if len(days[who]) > 1 {
					several++
				}
				visits += len(days[who])
			}
			if whole {
				Expect([]int{len(rows), once, several}).To(Equal([]int{63524, 4460, 2892}))
			}
			Expect(counted.Counts).To(Equal(scan.Counts{
				Total: len(rows), Unique: len(scans), New: len(scans), Returning: len(scans) - once, AllRows: len(rows),
			}))
			total, unique, first := 0, 0, 0
			for _, day := range counted.Days {
				total, unique, first = total+day.Total, unique+day.Unique, first+day.New
			}
			Expect([]int{total, unique, first}).To(Equal([]int{len(rows), visits, len(scans)}))
			Expect(unique).To(BeNumerically(">", len(scans)), "days are no sum")
		})
	}
})
