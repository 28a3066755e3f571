// Package treefile reads lists of trees as their owners keep them: CSV from a
// spreadsheet or from a city's open data, with whatever names the columns have.
//
// Decisions taken here:
//
//   - The columns are found by the names that such lists use; a name given for one
//     must be there.
//   - The separator is a comma, a semicolon or a tab, whichever the first line has most
//     of. Beside semicolons a decimal comma is a decimal point.
//   - A list is read to its end whatever is wrong with a row, so that all bad rows are
//     told at once, by the lines that an editor shows.
package treefile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"continuity/domain/fault"
	"continuity/domain/scan"
)

// Field is what a column may be about.
type Field string

// The fields, in the order of a tree's own.
const (
	ID      Field = "id"
	Name    Field = "name"
	Species Field = "species"
	Lat     Field = "lat"
	Lon     Field = "lon"
	Target  Field = "target_url"
)

// usual are the names that columns go by, the likeliest first.
var usual = map[Field][]string{
	ID:      {"id", "tree_id", "treeid", "code", "tree_code", "number", "tree_number", "asset_id", "objectid", "object_id"},
	Name:    {"name", "common_name", "tree_name", "title", "label"},
	Species: {"species", "botanical_name", "scientific_name", "latin_name", "taxon"},
	Lat:     {"lat", "latitude"},
	Lon:     {"lon", "lng", "long", "longitude"},
	Target:  {"target_url", "target", "url", "link"},
}

// Fields are all that there are.
var Fields = []Field{ID, Name, Species, Lat, Lon, Target}

// List is what a file holds.
type List struct {
	Rows    []Row
	Bad     []Bad
	Columns map[Field]string // the name of each column that was found
}

// Row is a tree as its line tells it.
type Row struct {
	Line int
	Tree scan.Tree
}

// Bad is a line that cannot be used.
type Bad struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Apply makes a tree as its row says. What the list has no column for stays as it is.
func (l List) Apply(row Row, tree *scan.Tree) {
	if l.Columns[Name] != "" {
		tree.Name = row.Tree.Name
	}
	if l.Columns[Species] != "" {
		tree.Species = row.Tree.Species
	}
	if l.Columns[Lat] != "" {
		tree.Place = row.Tree.Place
	}
	if l.Columns[Target] != "" {
		tree.Target = row.Tree.Target
	}
}

// Read reads a list. named are the names of columns that are not to be guessed. An
// error is about the list as a whole; what is wrong with a row is in Bad.
func Read(from io.Reader, named map[Field]string) (List, error) {
	buffered := bufio.NewReader(from)
	head, err := buffered.Peek(4096)
	if err != nil && !errors.Is(err, io.EOF) {
		return List{}, fmt.Errorf("read the list: %w", err)
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(head, mark) {
		if _, err := buffered.Discard(len(mark)); err != nil {
			return List{}, fmt.Errorf("read the list: %w", err)
		}
		head = head[len(mark):]
	}
	table := csv.NewReader(buffered)
	table.Comma = separator(head)
	names, err := table.Read()
	if err != nil {
		return List{}, fault.New(fault.Invalid, "file", "has no first line with the names of its columns")
	}
	r := reader{table: table, lines: map[scan.TreeID]int{}}
	if r.columns, err = columns(names, named); err != nil {
		return List{}, err
	}
	if err := r.read(); err != nil {
		return List{}, err
	}
	r.Columns = map[Field]string{}
	for field, i := range r.columns {
		r.Columns[field] = names[i]
	}
	return r.List, nil
}

func separator(head []byte) rune {
	first, _, _ := bytes.Cut(head, []byte("\n"))
	best := ','
	for _, candidate := range []rune{';', '\t'} {
		if bytes.Count(first, []byte(string(candidate))) > bytes.Count(first, []byte(string(best))) {
			best = candidate
		}
	}
	return best
}

func columns(names []string, named map[Field]string) (map[Field]int, error) {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = simple(name)
	}
	found := map[Field]int{}
	for _, field := range Fields {
		candidates := usual[field]
		if named[field] != "" {
			candidates = []string{simple(named[field])}
		}
		for _, candidate := range candidates {
			if i := slices.Index(plain, candidate); i >= 0 {
				found[field] = i
				break
			}
		}
		if _, ok := found[field]; !ok && named[field] != "" {
			return nil, fault.New(fault.Invalid, string(field), "names a column that the file does not have")
		}
	}
	if _, ok := found[ID]; !ok {
		return nil, fault.New(fault.Invalid, "id", "has no column; name it with --id")
	}
	_, lat := found[Lat]
	_, lon := found[Lon]
	if lat != lon {
		return nil, fault.New(fault.Invalid, "lat", "and lon are needed together; name both with --lat and --lon")
	}
	return found, nil
}

func simple(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
}

type reader struct {
	List
	table   *csv.Reader
	columns map[Field]int
	lines   map[scan.TreeID]int
}

func (r *reader) read() error {
	for {
		record, err := r.table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			r.bad(wrong.StartLine, wrong.Err.Error())
			continue
		}
		if err != nil {
			return fmt.Errorf("read the list: %w", err)
		}
		line, _ := r.table.FieldPos(0)
		r.row(line, record)
	}
}

func (r *reader) bad(line int, reason string) { r.Bad = append(r.Bad, Bad{Line: line, Reason: reason}) }

func (r *reader) row(line int, record []string) {
	tree := scan.Tree{
		ID: scan.TreeID(r.text(record, ID)), Name: r.text(record, Name), Species: r.text(record, Species), Target: r.text(record, Target),
	}
	var err error
	if tree.Place, err = r.place(record); err == nil {
		err = tree.Check()
	}
	if err != nil {
		r.bad(line, err.Error())
		return
	}
	if before := r.lines[tree.ID]; before != 0 {
		r.bad(line, "id: is that of line "+strconv.Itoa(before)+" already")
		return
	}
	r.lines[tree.ID] = line
	r.Rows = append(r.Rows, Row{Line: line, Tree: tree})
}

func (r *reader) text(record []string, field Field) string {
	i, ok := r.columns[field]
	if !ok {
		return ""
	}
	return strings.TrimSpace(record[i])
}

func (r *reader) place(record []string) (*scan.Place, error) {
	lat, lon := r.text(record, Lat), r.text(record, Lon)
	if lat == "" && lon == "" {
		return nil, nil //nolint:nilnil // a tree need not say where it stands
	}
	var place scan.Place
	var err error
	if place.Lat, err = r.degrees(Lat, lat); err != nil {
		return nil, err
	}
	if place.Lon, err = r.degrees(Lon, lon); err != nil {
		return nil, err
	}
	return &place, nil
}

func (r *reader) degrees(field Field, text string) (float64, error) {
	if r.table.Comma != ',' {
		text = strings.Replace(text, ",", ".", 1)
	}
	degrees, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fault.New(fault.Invalid, string(field), "must be a number of degrees")
	}
	return degrees, nil
}
