package replay

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"continuity/cmd/continuity/replay/accesslog"
)

// Report is what a replay did and found.
type Report struct {
	Format           string                    `json:"format"` // of the log
	Rows             int                       `json:"rows"`
	BadLines         int                       `json:"bad_lines"`
	FirstBad         []accesslog.Bad           `json:"first_bad_lines,omitempty"`
	Seed             uint64                    `json:"seed"`
	Devices          int                       `json:"devices"`
	Roles            map[string]int            `json:"roles"` // devices by the part they played
	Sessions         int                       `json:"sessions"`
	Events           int                       `json:"events"`      // distinct
	EventsSent       int                       `json:"events_sent"` // repeats included
	Requests         map[string]map[string]int `json:"requests"`    // route → status → requests
	Waits            map[string]int            `json:"waits"`       // requests sent again, by the status that made them wait
	Expected         Expected                  `json:"expected"`
	Compared         bool                      `json:"compared"` // false: there was no private side to ask
	Found            Found                     `json:"found"`
	Differences      int                       `json:"differences"`
	DifferenceKinds  map[string]int            `json:"difference_kinds"`
	FirstDifferences []Difference              `json:"first_differences,omitempty"`
	Seconds          float64                   `json:"seconds"`
}

// Expected is what the service should hold of this replay.
type Expected struct {
	Leads       int `json:"leads"`
	Submissions int `json:"submissions"`
	Anchors     int `json:"anchors"`
	Attributed  int `json:"attributed"`
	Snapshot    int `json:"snapshot"`
	Nobodys     int `json:"nobodys"` // stored and owned by nobody
	Candidates  int `json:"candidates"`
}

// OK tells whether everything was as it should be.
func (r Report) OK() bool { return r.Differences == 0 }

func newReport(log accesslog.Log, p plan) Report {
	r := Report{
		Format: string(log.Format), Rows: len(log.Rows), BadLines: log.BadLines, FirstBad: log.FirstBad, Seed: p.seed,
		Devices: len(p.scripts), Roles: map[string]int{}, Events: len(p.events), Expected: p.model.expected(),
	}
	for _, s := range p.scripts {
		r.Roles[string(s.role)]++
		r.Sessions += s.sessions
	}
	return r
}

func (m *model) expected() Expected {
	e := Expected{Leads: len(m.people), Nobodys: m.nobodys}
	for _, p := range m.people {
		e.Submissions += len(p.submissions)
		e.Anchors += p.anchors
		for _, o := range p.events {
			if o.ownership == snapshot {
				e.Snapshot++
				continue
			}
			e.Attributed++
		}
	}
	for _, anchors := range m.meetings {
		e.Candidates += len(anchors)
	}
	return e
}

// Print writes the report for people.
func (r Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "log          %d rows (%s), %d bad lines\n", r.Rows, r.Format, r.BadLines)
	for _, bad := range r.FirstBad {
		fmt.Fprintf(&b, "  line %d: %s\n", bad.Line, bad.Reason)
	}
	fmt.Fprintf(&b, "browsers     %d devices, %d sessions, seed %d\n", r.Devices, r.Sessions, r.Seed)
	for _, role := range byCount(r.Roles) {
		fmt.Fprintf(&b, "  %-20s %d\n", role, r.Roles[role])
	}
	fmt.Fprintf(&b, "events       %d, sent %d times, in %.1f s\n", r.Events, r.EventsSent, r.Seconds)
	for _, route := range slices.Sorted(maps.Keys(r.Requests)) {
		fmt.Fprintf(&b, "  %-24s%s\n", route, counts(r.Requests[route]))
	}
	if len(r.Waits) > 0 {
		fmt.Fprintf(&b, "waits       %s\n", counts(r.Waits))
	}
	r.printOutcome(&b)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}

func (r Report) printOutcome(b *strings.Builder) {
	e, f := r.Expected, r.Found
	if !r.Compared {
		fmt.Fprintf(b, "not compared: no private side was named\n")
	} else {
		fmt.Fprintf(b, "leads        %d of %d (and %d of others)\n", f.Leads, e.Leads, f.Others)
		fmt.Fprintf(b, "submissions  %d of %d\n", f.Submissions, e.Submissions)
		fmt.Fprintf(b, "attributed   %d of %d\n", f.Attributed, e.Attributed)
		fmt.Fprintf(b, "snapshot     %d of %d\n", f.Snapshot, e.Snapshot)
		fmt.Fprintf(b, "nobody's     %d expected\n", e.Nobodys)
		fmt.Fprintf(b, "candidates   %d of %d\n", f.Candidates, e.Candidates)
	}
	fmt.Fprintf(b, "differences  %d\n", r.Differences)
	for _, d := range r.FirstDifferences {
		fmt.Fprintf(b, "  %s\n", d)
	}
	if more := r.Differences - len(r.FirstDifferences); more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

// String is the difference in one line.
func (d Difference) String() string {
	s := d.Kind
	if d.Device != 0 {
		s += fmt.Sprintf(", device %d", d.Device)
	}
	if d.Lead != "" {
		s += ", " + d.Lead
	}
	return s + ": " + d.What
}

func byCount(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}

func counts(m map[string]int) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, " %s: %d", k, m[k])
	}
	return b.String()
}

// since is the time a replay took, in seconds to the tenth.
func since(start time.Time) float64 { return time.Since(start).Round(100 * time.Millisecond).Seconds() }
