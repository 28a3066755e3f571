package replay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"continuity/cmd/continuity/replay/accesslog"
)

// visit is one row of a log as a scan: who stood where, and when.
type visit struct {
	visitor string
	at      time.Time
	path    string
}

// readersHead is the first line of a table that names its visitors itself.
const readersHead = "ts\tvisitor\tpath"

// readVisits reads the rows of a log in order of time. A log that names visitors is
// taken at its word; in any other, an address with a User-Agent is a visitor.
func readVisits(name string, stdin io.Reader) ([]visit, error) {
	var raw []byte
	var err error
	if name == "-" {
		raw, err = io.ReadAll(stdin)
	} else {
		raw, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	var found []visit
	if bytes.HasPrefix(raw, []byte(readersHead)) {
		found, err = readers(raw)
	} else {
		found, err = requesters(raw)
	}
	slices.SortStableFunc(found, func(a, b visit) int { return a.at.Compare(b.at) })
	return found, err
}

func readers(raw []byte) ([]visit, error) {
	var found []visit
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for number := 1; lines.Scan(); number++ {
		columns := strings.Split(lines.Text(), "\t")
		if number == 1 {
			continue
		}
		if len(columns) != 3 {
			return nil, fmt.Errorf("log: line %d has no three columns", number)
		}
		at, err := time.Parse(time.RFC3339, columns[0])
		if err != nil {
			return nil, fmt.Errorf("log: line %d: %w", number, err)
		}
		found = append(found, visit{visitor: columns[1], at: at, path: columns[2]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	if len(found) == 0 {
		return nil, errors.New("log: there is no row in it")
	}
	return found, nil
}

func requesters(raw []byte) ([]visit, error) {
	log, err := accesslog.Read(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	found := make([]visit, len(log.Rows))
	for i, row := range log.Rows {
		found[i] = visit{visitor: row.Addr + "\t" + row.Agent, at: row.At, path: row.Path}
	}
	return found, nil
}
