package httpapi

import (
	"bytes"
	"encoding/csv"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

type (
	countsView struct {
		TotalScans        int            `json:"total_scans"`
		UniqueVisitors    int            `json:"unique_visitors"`
		RepeatedScans     int            `json:"repeated_scans"`
		NewVisitors       int            `json:"new_visitors"`
		ReturningVisitors int            `json:"returning_visitors"`
		Excluded          map[string]int `json:"excluded"`
		AllRows           int            `json:"all_rows"`
	}
	metricsView struct {
		Tree string `json:"tree"`
		countsView
		Days []dayView `json:"days"`
	}
	dayView struct {
		Day string `json:"day"`
		countsView
	}
	allMetricsView struct {
		Trees []metricsView `json:"trees"`
		Next  string        `json:"next,omitempty"`
	}
)

// viewCounts names every reason, those that excluded nothing too.
func viewCounts(c scan.Counts) countsView {
	view := countsView{
		TotalScans: c.Total, UniqueVisitors: c.Unique, RepeatedScans: c.Repeated(),
		NewVisitors: c.New, ReturningVisitors: c.Returning, Excluded: map[string]int{}, AllRows: c.AllRows,
	}
	for _, reason := range scan.Exclusions {
		view.Excluded[string(reason)] = c.Excluded[reason]
	}
	return view
}

func viewMetrics(m scan.Metrics) metricsView {
	return metricsView{Tree: string(m.Tree), countsView: viewCounts(m.Counts), Days: each(m.Days, func(d scan.Day) dayView {
		return dayView{Day: d.Day, countsView: viewCounts(d.Counts)}
	})}
}

func (a treesAPI) metrics(w http.ResponseWriter, r *http.Request) error {
	id, err := treeID(r)
	if err != nil {
		return err
	}
	of, err := a.rangeOf(r)
	if err != nil {
		return err
	}
	asCSV, err := wantsCSV(r)
	if err != nil {
		return err
	}
	counted, err := a.service.Metrics(r.Context(), id, of)
	if err != nil {
		return err
	}
	if asCSV {
		return respondCSV(w, []scan.Metrics{counted})
	}
	return respond(w, http.StatusOK, viewMetrics(counted))
}

// allMetrics is a page of trees; as CSV, which knows no pages, it is all of them.
func (a treesAPI) allMetrics(w http.ResponseWriter, r *http.Request) error {
	of, err := a.rangeOf(r)
	if err != nil {
		return err
	}
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	asCSV, err := wantsCSV(r)
	if err != nil {
		return err
	}
	all, next, err := a.service.AllMetrics(r.Context(), of, scanning.Page(page))
	for asCSV && err == nil && next != "" {
		var more []scan.Metrics
		more, next, err = a.service.AllMetrics(r.Context(), of, scanning.Page{After: next, Limit: page.Limit})
		all = append(all, more...)
	}
	if err != nil {
		return err
	}
	if asCSV {
		return respondCSV(w, all)
	}
	return respond(w, http.StatusOK, allMetricsView{Trees: each(all, viewMetrics), Next: next})
}

func (a treesAPI) rangeOf(r *http.Request) (scan.Range, error) {
	query := r.URL.Query()
	zone, err := zoneOf(query)
	if err != nil {
		return scan.Range{}, err
	}
	return scan.ParseRange(query.Get("from"), query.Get("to"), query.Get("fold"), zone, a.service.Now())
}

// zoneOf is the zone whose days are counted. Local would be the server's own, which
// no report should depend on.
func zoneOf(query url.Values) (*time.Location, error) {
	name := query.Get("tz")
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fault.New(fault.Invalid, "tz", "is no time zone that we know; try one such as Europe/Bratislava")
	}
	return zone, nil
}

func wantsCSV(r *http.Request) (bool, error) {
	switch r.URL.Query().Get("format") {
	case "csv":
		return true, nil
	case "json":
		return false, nil
	case "":
		first, _, _ := strings.Cut(r.Header.Get("Accept"), ",")
		media, _, err := mime.ParseMediaType(first)
		return err == nil && media == "text/csv", nil
	}
	return false, fault.New(fault.Invalid, "format", "must be json or csv")
}

// wholeRange stands for the day in the line of a whole range.
const wholeRange = "total"

// respondCSV writes a line for each tree's whole range, whose visitors are no sum,
// and one for each of its days.
func respondCSV(w http.ResponseWriter, all []scan.Metrics) error {
	var text bytes.Buffer
	table := csv.NewWriter(&text)
	heads := []string{
		"tree", "day", "total_scans", "unique_visitors", "repeated_scans", "new_visitors", "returning_visitors", "all_rows",
	}
	for _, reason := range scan.Exclusions {
		heads = append(heads, "excluded_"+string(reason))
	}
	lines := [][]string{heads}
	for _, m := range all {
		lines = append(lines, line(m.Tree, wholeRange, m.Counts))
		for _, day := range m.Days {
			lines = append(lines, line(m.Tree, day.Day, day.Counts))
		}
	}
	if err := table.WriteAll(lines); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Cache-Control", neverCached)
	header.Set("Content-Type", "text/csv; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="scans.csv"`)
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(text.Bytes())
	return nil
}

func line(tree scan.TreeID, day string, c scan.Counts) []string {
	fields := []string{string(tree), day}
	for _, n := range []int{c.Total, c.Unique, c.Repeated(), c.New, c.Returning, c.AllRows} {
		fields = append(fields, strconv.Itoa(n))
	}
	for _, reason := range scan.Exclusions {
		fields = append(fields, strconv.Itoa(c.Excluded[reason]))
	}
	return fields
}
