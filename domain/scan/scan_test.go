package scan_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/scan"
)

var _ = Describe("A visitor's id", func() {
	It("is a UUID of version 4, as others write and read them", func() {
		for i := range 200 {
			theirs := uuid.New()
			ours, ok := scan.ParseVisitorID(theirs.String())
			Expect(ok).To(BeTrue())
			Expect(ours.String()).To(Equal(theirs.String()))
			made := scan.NewVisitorID([16]byte{byte(i), 6: byte(i), 8: byte(i)})
			parsed, err := uuid.Parse(made.String())
			Expect(err).NotTo(HaveOccurred())
			Expect(parsed.Version()).To(Equal(uuid.Version(4)))
			Expect(parsed.Variant()).To(Equal(uuid.RFC4122))
		}
	})

	DescribeTable("is none of", func(text string) {
		_, ok := scan.ParseVisitorID(text)
		Expect(ok).To(BeFalse())
	},
		Entry("nothing", ""), Entry("another version", "c232ab00-9414-11ec-b3c8-9f6bdeced846"),
		Entry("another variant", "c232ab00-9414-41ec-c3c8-9f6bdeced846"), Entry("the nil UUID", "00000000-0000-0000-0000-000000000000"),
		Entry("no hyphens", "c232ab00941441ecb3c89f6bdeced846"), Entry("braces", "{c232ab00-9414-41ec-b3c8-9f6bdeced846}"),
		Entry("hyphens elsewhere", "c232ab0-09414-41ec-b3c8-9f6bdeced846"), Entry("no digits", "g232ab00-9414-41ec-b3c8-9f6bdeced846"),
		Entry("hyphens for digits", "c232ab00-9414-41ec-b3c8-9f6bdeced8--"),
	)
})

var _ = Describe("The days of a report", func() {
	zone := func(name string) *time.Location {
		GinkgoHelper()
		found, err := time.LoadLocation(name)
		Expect(err).NotTo(HaveOccurred())
		return found
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	rangeOf := func(from, to, fold string, in *time.Location) scan.Range {
		GinkgoHelper()
		of, err := scan.ParseRange(from, to, fold, in, now)
		Expect(err).NotTo(HaveOccurred())
		return of
	}
	tally := func(of scan.Range, rows ...scan.Row) scan.Metrics {
		t := scan.NewTally(of)
		for _, row := range rows {
			t.Add(row)
		}
		return t.Metrics("oak")
	}
	at := func(text string) time.Time {
		GinkgoHelper()
		moment, err := time.Parse(time.RFC3339, text)
		Expect(err).NotTo(HaveOccurred())
		return moment
	}

	It("have twenty-five hours when summer time ends", func() {
		var rows []scan.Row
		for i, moment := range []string{
			"2026-10-25T00:30:00+02:00", "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00",
			"2026-10-25T23:30:00+01:00",
		} {
			rows = append(rows, scan.Row{Visitor: int64(i + 1), At: at(moment), First: true})
		}
		counted := tally(rangeOf("2026-10-24", "2026-10-26", "", zone("Europe/Bratislava")), rows...)
		var totals []string
		for _, day := range counted.Days {
			totals = append(totals, fmt.Sprint(day.Day, " ", day.Total))
		}
		Expect(totals).To(Equal([]string{"2026-10-24 0", "2026-10-25 5", "2026-10-26 0"}))
		Expect(counted.Total).To(Equal(5))
	})

	It("are all there between the first row and the last, and twenty-three hours long when it begins", func() {
		counted := tally(rangeOf("", "", "", zone("Europe/Bratislava")),
			scan.Row{Visitor: 1, At: at("2026-03-28T23:30:00+01:00"), First: true},
			scan.Row{Visitor: 1, At: at("2026-03-30T00:10:00+02:00")},
		)
		Expect(counted.Days).To(HaveLen(3))
		Expect(counted.Days[1]).To(Equal(scan.Day{Day: "2026-03-29"}))
	})

	It("count a visitor once a day and once in all, and never by a sum", func() {
		of := rangeOf("", "", "", time.UTC)
		var rows []scan.Row
		for visitor := range int64(3) {
			for day := range 4 {
				rows = append(rows, scan.Row{Visitor: visitor + 1, At: now.AddDate(0, 0, day), First: day == 0})
			}
		}
		counted := tally(of, rows...)
		Expect(counted.Counts).To(Equal(scan.Counts{Total: 12, Unique: 3, New: 3, Returning: 3, AllRows: 12}))
		Expect(counted.Repeated()).To(Equal(9))
		Expect(counted.Days[0].Counts).To(Equal(scan.Counts{Total: 3, Unique: 3, New: 3, AllRows: 3}))
		Expect(counted.Days[3].Counts).To(Equal(scan.Counts{Total: 3, Unique: 3, Returning: 3, AllRows: 3}))
	})

	It("keep what no person caused beside what people did", func() {
		counted := tally(rangeOf("", "", "10s", time.UTC),
			scan.Row{At: now, Excluded: scan.Bot}, scan.Row{At: now, Excluded: scan.Bot}, scan.Row{At: now, Excluded: scan.Prefetch},
			scan.Row{Visitor: 1, At: now, First: true},
		)
		Expect(counted.Counts).To(Equal(scan.Counts{
			Total: 1, Unique: 1, New: 1, AllRows: 4, Excluded: map[scan.Exclusion]int{scan.Bot: 2, scan.Prefetch: 1},
		}))
	})

	It("fold what follows soon, in a chain, also over the beginning of the range", func() {
		rows := []scan.Row{{Visitor: 1, At: now, First: true}}
		for _, after := range []time.Duration{10, 20, 31, 40} {
			rows = append(rows, scan.Row{Visitor: 1, At: now.Add(after * time.Second)})
		}
		rows = append(rows, scan.Row{Visitor: 2, At: now.Add(40 * time.Second), First: true})
		Expect(tally(rangeOf("", "", "10s", time.UTC), rows...).Counts).To(Equal(scan.Counts{Total: 3, Unique: 2, New: 2, Returning: 1, AllRows: 6}))
		from := now.Add(5 * time.Second).Format(time.RFC3339)
		of := rangeOf(from, now.Add(time.Hour).Format(time.RFC3339), "10s", time.UTC)
		Expect(of.Since()).To(BeTemporally("==", now.Add(-5*time.Second)))
		Expect(tally(of, rows...).Counts).To(Equal(scan.Counts{Total: 2, Unique: 2, New: 1, Returning: 1, AllRows: 5}))
	})

	DescribeTable("are asked for in words that make sense", func(from, to, fold, field string) {
		_, err := scan.ParseRange(from, to, fold, time.UTC, now)
		Expect(fault.CodeOf(err)).To(Equal(fault.Invalid))
		Expect(err).To(MatchError(HavePrefix(field + ": ")))
	},
		Entry("no date", "soon", "", "", "from"), Entry("no such day", "", "2026-02-30", "", "to"), Entry("backwards", "2026-02-03", "2026-02-01", "", "to"),
		Entry("nothing in it", "2026-02-03T00:00:00Z", "2026-02-03T00:00:00Z", "", "to"), Entry("too long", "1990-01-01", "2026-01-01", "", "from"),
		Entry("no duration", "", "", "10", "fold"), Entry("too long a fold", "", "", "61m", "fold"),
	)

	It("take a date as a whole day, and a plus that came as a space", func() {
		of := rangeOf("2026-10-25", "2026-10-25", "", zone("Europe/Bratislava"))
		Expect(of.To.Sub(of.From)).To(Equal(25 * time.Hour))
		Expect(rangeOf("2026-10-25T00:00:00 02:00", "", "", time.UTC).From).To(BeTemporally("==", at("2026-10-24T22:00:00Z")))
	})
})

var _ = Describe("A tree", func() {
	DescribeTable("may be called", func(id string) {
		_, ok := scan.ParseTreeID(id)
		Expect(ok).To(BeTrue())
	}, Entry("a letter", "a"), Entry("digits", "0815"), Entry("all that there is", "Az_-9"))

	DescribeTable("leads to the web", func(target string) {
		Expect(scan.Tree{ID: "oak", Target: target}.Check()).To(Succeed())
	},
		Entry("safely", "https://www.example.org/oak?a=b#c"), Entry("as it is", "http://example.org"), Entry("in capitals", "HTTPS://EXAMPLE.ORG/"),
		Entry("in another script", "https://xn--e1afmkfd.example/дуб"), Entry("by address", "http://192.0.2.1:8080/"), Entry("by a longer address", "https://[2001:db8::1]/"),
	)
})
