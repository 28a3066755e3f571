package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Verdict is what came of one check, or of all.
type Verdict string

// The verdicts. A check that was not asked for, or that nothing applies to, is
// Skipped and counts for nothing; one that should have told and could not is Unknown.
const (
	Safe    Verdict = "safe"
	Unsafe  Verdict = "unsafe"
	Unknown Verdict = "could not tell"
	Skipped Verdict = "skipped"
)

// Result is one check. Danger and Fix are told when the verdict is Unsafe.
type Result struct {
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	Found   string  `json:"found"`
	Danger  string  `json:"danger,omitempty"`
	Fix     string  `json:"fix,omitempty"`
}

// Report is one verification.
type Report struct {
	URL     string    `json:"url"`
	At      time.Time `json:"at"`
	Verdict Verdict   `json:"verdict"`
	Results []Result  `json:"checks"`
	Advice  []string  `json:"advice,omitempty"` // what would be better still
	Seconds float64   `json:"seconds"`
}

// conclude is Unsafe if one check is, else Unknown if one is.
func conclude(results []Result) Verdict {
	verdict := Safe
	for _, r := range results {
		switch {
		case r.Verdict == Unsafe:
			return Unsafe
		case r.Verdict == Unknown:
			verdict = Unknown
		}
	}
	return verdict
}

// Print writes the report as a table for people.
func (r Report) Print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, result := range r.Results {
		fmt.Fprintf(table, "%s\t%s\t%s\n", strings.ToUpper(string(result.Verdict)), result.Check, result.Found)
		if result.Danger != "" {
			fmt.Fprintf(table, "\t  danger\t%s\n", result.Danger)
		}
		if result.Fix != "" {
			fmt.Fprintf(table, "\t  fix\t%s\n", result.Fix)
		}
	}
	for _, advice := range r.Advice {
		fmt.Fprintf(table, "\tadvice\t%s\n", advice)
	}
	fmt.Fprintf(table, "%s\t%s\tin %.1f s, at %s\n", strings.ToUpper(string(r.Verdict)), r.URL, r.Seconds, r.At.Format(time.RFC3339))
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}

// PrintJSON writes the report as one line of JSON.
func (r Report) PrintJSON(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(r); err != nil {
		return fmt.Errorf("print the report: %w", err)
	}
	return nil
}

// Summary is the report in one line, and what is unsafe or unknown one line each.
func (r Report) Summary(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\n", r.At.Format(time.RFC3339), strings.ToUpper(string(r.Verdict)), r.URL)
	for _, result := range r.Results {
		if result.Verdict == Unsafe || result.Verdict == Unknown {
			fmt.Fprintf(&b, "  %s: %s: %s\n", result.Verdict, result.Check, result.Found)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	return nil
}
