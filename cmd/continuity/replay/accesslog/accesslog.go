// Package accesslog reads what a web server wrote down about its visitors: who
// asked for what, when, and where they came from. It understands the Common and
// the Combined log format and a table with the columns seq, ts, ip, method,
// path, status, bytes, referrer and ua, each of them gzipped or plain.
//
// The format is told from the first lines. A line that cannot be read is counted
// and the first few are named with their numbers; only a log without a single
// readable line is an error, because logs of real sites are never all clean.
package accesslog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Row is one request as the log tells it. Referrer and Agent are empty where
// the log has none or a dash.
type Row struct {
	Line     int // counted from 1
	At       time.Time
	Addr     string
	Method   string
	Path     string // the request's target as written, escapes and query included
	Status   int
	Referrer string
	Agent    string
}

// Bad is a line that could not be read, and why.
type Bad struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// Log is what was read: the rows in the order of the lines, and what was not.
type Log struct {
	Format   Format
	Rows     []Row
	BadLines int
	FirstBad []Bad // at most ten
}

// ErrEmpty is returned for a log without a single line.
var ErrEmpty = errors.New("the log has no lines")

const (
	named     = 10        // bad lines that are named
	sampled   = 20        // lines that decide on the format
	longest   = 64 << 10  // octets of a line; more is no request
	buffer    = 256 << 10 // octets read at once
	gzipMagic = "\x1f\x8b"
)

// Open reads the log of that name; "-" is stdin.
func Open(name string, stdin io.Reader) (Log, error) {
	if name == "-" {
		return Read(stdin)
	}
	f, err := os.Open(name) //nolint:gosec // reading the file that somebody named is what this is for
	if err != nil {
		return Log{}, fmt.Errorf("open the log: %w", err)
	}
	defer func() { _ = f.Close() }()
	return Read(f)
}

// Read reads a whole log, gzipped or plain. It fails when r does, on an empty
// log (ErrEmpty), and when not one line can be read.
func Read(r io.Reader) (Log, error) {
	lines, err := split(r)
	if err != nil {
		return Log{}, fmt.Errorf("read the log: %w", err)
	}
	if len(lines) == 0 {
		return Log{}, ErrEmpty
	}
	log := Log{Format: detect(lines)}
	for _, l := range lines {
		log.add(l)
	}
	if len(log.Rows) == 0 {
		return log, log.unreadable()
	}
	return log, nil
}

func (l *Log) add(ln line) {
	if l.Format == Table && isHeader(ln.text) {
		return
	}
	row, err := l.Format.parse(ln.text)
	if err == nil {
		row.Line = ln.number
		l.Rows = append(l.Rows, row)
		return
	}
	l.BadLines++
	if len(l.FirstBad) < named {
		l.FirstBad = append(l.FirstBad, Bad{Line: ln.number, Reason: err.Error()})
	}
}

func (l *Log) unreadable() error {
	if len(l.FirstBad) == 0 {
		return ErrEmpty
	}
	first := l.FirstBad[0]
	return fmt.Errorf("none of %d lines can be read: line %d: %s", l.BadLines, first.Line, first.Reason)
}

type line struct {
	number int
	text   string
}

// split cuts r into its non-blank lines; bytes that are no UTF-8 become U+FFFD.
func split(r io.Reader) ([]line, error) {
	in, err := plain(r)
	if err != nil {
		return nil, err
	}
	var lines []line
	for number := 1; ; number++ {
		text, err := in.ReadString('\n')
		text = strings.TrimRight(text, "\r\n")
		if strings.TrimSpace(text) != "" {
			lines = append(lines, line{number, strings.ToValidUTF8(text, "\uFFFD")})
		}
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, fmt.Errorf("after line %d: %w", number, err)
		}
	}
}

func plain(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, buffer)
	head, _ := in.Peek(len(gzipMagic)) // what cannot be read now, reading will tell
	if !bytes.Equal(head, []byte(gzipMagic)) {
		return in, nil
	}
	unzipped, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("gunzip: %w", err)
	}
	return bufio.NewReaderSize(unzipped, buffer), nil
}
