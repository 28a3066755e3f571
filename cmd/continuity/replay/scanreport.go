package replay

import (
	"fmt"
	"io"
	"strings"
)

// ScanReport is what a replay of scans did and found.
type ScanReport struct {
	Rows             int         `json:"rows"`
	Visitors         int         `json:"visitors"`
	Once             int         `json:"visitors_with_one_scan"`
	Days             int         `json:"visitors_on_more_than_one_day"` // by the log's own days
	Seed             uint64      `json:"seed"`
	Counted          treeNumbers `json:"counted"` // the sums over the trees, so that a visitor counts once a tree
	Compared         bool        `json:"compared"`
	Differences      int         `json:"differences"`
	FirstDifferences []string    `json:"first_differences,omitempty"`
	Seconds          float64     `json:"seconds"`
}

// treeNumbers are those of §6.
type treeNumbers struct {
	Total     int `json:"total_scans"`
	Unique    int `json:"unique_visitors"`
	Repeated  int `json:"repeated_scans"`
	New       int `json:"new_visitors"`
	Returning int `json:"returning_visitors"`
	AllRows   int `json:"all_rows"`
}

func (n *treeNumbers) add(other treeNumbers) {
	n.Total += other.Total
	n.Unique += other.Unique
	n.Repeated += other.Repeated
	n.New += other.New
	n.Returning += other.Returning
	n.AllRows += other.AllRows
}

func newScanReport(rows []visit, seed uint64) ScanReport {
	r := ScanReport{Rows: len(rows), Seed: seed}
	scans, days := map[string]int{}, map[string]map[string]bool{}
	for _, row := range rows {
		scans[row.visitor]++
		if days[row.visitor] == nil {
			days[row.visitor] = map[string]bool{}
		}
		days[row.visitor][row.at.Format("2006-01-02")] = true
	}
	r.Visitors = len(scans)
	for visitor, n := range scans {
		if n == 1 {
			r.Once++
		}
		if len(days[visitor]) > 1 {
			r.Days++
		}
	}
	return r
}

// OK tells whether everything was as it should be.
func (r ScanReport) OK() bool { return r.Differences == 0 }

func (p *scanPlayer) differ(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.report.Differences++
	if len(p.report.FirstDifferences) < p.o.Differences {
		p.report.FirstDifferences = append(p.report.FirstDifferences, fmt.Sprintf(format, args...))
	}
}

// Print writes the report for people.
func (r ScanReport) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "log          %d rows, seed %d, in %.1f s\n", r.Rows, r.Seed, r.Seconds)
	fmt.Fprintf(&b, "visitors     %d, of whom %d scanned once and %d came on more than one day\n", r.Visitors, r.Once, r.Days)
	c := r.Counted
	fmt.Fprintf(&b, "counted      %d scans, %d visitors of a tree, %d repeated, %d new, %d returning\n",
		c.Total, c.Unique, c.Repeated, c.New, c.Returning)
	fmt.Fprintf(&b, "differences  %d\n", r.Differences)
	for _, d := range r.FirstDifferences {
		fmt.Fprintf(&b, "  %s\n", d)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}
