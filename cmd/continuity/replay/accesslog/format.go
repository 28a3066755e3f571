package accesslog

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Format is the way a log writes its lines.
type Format string

// The formats that are understood.
const (
	Common   Format = "common"   // NCSA: host ident user [time] "request" status bytes
	Combined Format = "combined" // Common, then "referrer" "agent"
	Table    Format = "table"    // tab-separated, with or without its header line
)

var (
	errLong    = errors.New("longer than 64 KiB")
	errShape   = errors.New("not in the log's format")
	errTime    = errors.New("the time cannot be read")
	errRequest = errors.New("the request line cannot be read")
	errStatus  = errors.New("the status is no number")
)

const commonTime = "02/Jan/2006:15:04:05 -0700"

const quoted = `"((?:[^"\\]|\\.)*)"`

var ncsa = regexp.MustCompile(`^(\S+) \S+ .*?\[([^\]]+)\] ` + quoted + ` (\d{3}) (?:\d+|-)(?: ` + quoted + ` ` + quoted + `)?(?: .*)?$`)

// detect takes the format that reads most of the first lines.
func detect(lines []line) Format {
	var table, combined, common int
	for _, l := range lines[:min(sampled, len(lines))] {
		if _, err := parseTable(l.text); err == nil || isHeader(l.text) {
			table++
			continue
		}
		if m := ncsa.FindStringSubmatchIndex(l.text); m != nil {
			common++
			if m[10] >= 0 {
				combined++
			}
		}
	}
	switch {
	case table > common:
		return Table
	case combined*2 >= common && combined > 0:
		return Combined
	default:
		return Common
	}
}

func (f Format) parse(text string) (Row, error) {
	if len(text) > longest {
		return Row{}, errLong
	}
	if f == Table {
		return parseTable(text)
	}
	return parseNCSA(text)
}

func parseNCSA(text string) (Row, error) {
	m := ncsa.FindStringSubmatch(text)
	if m == nil {
		return Row{}, errShape
	}
	at, err := time.Parse(commonTime, m[2])
	if err != nil {
		return Row{}, errTime
	}
	method, path, ok := request(unescape(m[3]))
	if !ok {
		return Row{}, errRequest
	}
	status, err := strconv.Atoi(m[4])
	if err != nil {
		return Row{}, errStatus
	}
	return Row{
		At: at.UTC(), Addr: m[1], Method: method, Path: path, Status: status,
		Referrer: undash(unescape(m[5])), Agent: undash(unescape(m[6])),
	}, nil
}

// request takes "GET /a b HTTP/1.1" apart; targets with blanks do occur in logs.
func request(s string) (method, path string, ok bool) {
	method, rest, found := strings.Cut(s, " ")
	if !found || method == "" {
		return "", "", false
	}
	if i := strings.LastIndex(rest, " HTTP/"); i >= 0 {
		rest = rest[:i]
	}
	return method, rest, rest != ""
}

const columns = 9

func parseTable(text string) (Row, error) {
	c := strings.Split(text, "\t")
	if len(c) != columns {
		return Row{}, errShape
	}
	at, err := time.Parse(time.RFC3339, c[1])
	if err != nil {
		return Row{}, errTime
	}
	if c[2] == "" || c[3] == "" || c[4] == "" {
		return Row{}, errRequest
	}
	status, err := strconv.Atoi(c[5])
	if err != nil {
		return Row{}, errStatus
	}
	return Row{
		At: at.UTC(), Addr: c[2], Method: c[3], Path: c[4], Status: status,
		Referrer: undash(c[7]), Agent: undash(c[8]),
	}, nil
}

func isHeader(text string) bool { return strings.HasPrefix(text, "seq\tts\t") }

func undash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

var escape = regexp.MustCompile(`\\x[0-9A-Fa-f]{2}|\\.`)

// unescape undoes what Apache and nginx write for quotes, backslashes and
// octets that are not printable.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	plain := escape.ReplaceAllStringFunc(s, func(e string) string {
		if len(e) == 4 {
			n, _ := strconv.ParseUint(e[2:], 16, 8) // the pattern lets hex digits through only
			return string([]byte{byte(n)})
		}
		switch e[1] {
		case 'n':
			return "\n"
		case 't':
			return "\t"
		case 'r':
			return "\r"
		}
		return e[1:]
	})
	return strings.ToValidUTF8(plain, "\uFFFD")
}
