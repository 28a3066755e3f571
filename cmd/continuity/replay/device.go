package replay

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	"continuity/cmd/continuity/replay/accesslog"
)

// event is one page view as a browser keeps it.
type event struct {
	id       string // 22 characters, base64url of 16 octets
	session  string // the browser session it happened in; empty for a client that knows none
	at       time.Time
	url      string
	referrer string
}

// device is one address and User-Agent of the log with its visits in order of time.
type device struct {
	number int // from 1, in the order of first appearance
	addr   string
	agent  string
	visits [][]event // one slice per session, without session names
}

type deviceKey struct{ addr, agent string }

// devices sorts a log's rows by device and splits each at silences over gap.
func devices(rows []accesslog.Row, site string, gap time.Duration, seed uint64) []device {
	var order []deviceKey
	byKey := map[deviceKey][]accesslog.Row{}
	for _, row := range rows {
		k := deviceKey{row.Addr, row.Agent}
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = append(byKey[k], row)
	}
	found := make([]device, 0, len(order))
	for i, k := range order {
		d := device{number: i + 1, addr: k.addr, agent: k.agent}
		d.visits = visits(byKey[k], d.number, site, gap, seed)
		found = append(found, d)
	}
	return found
}

func visits(rows []accesslog.Row, number int, site string, gap time.Duration, seed uint64) [][]event {
	slices.SortStableFunc(rows, func(a, b accesslog.Row) int { return a.At.Compare(b.At) })
	var all [][]event
	for i, row := range rows {
		if i == 0 || row.At.Sub(rows[i-1].At) > gap {
			all = append(all, nil)
		}
		last := &all[len(all)-1]
		*last = append(*last, event{
			id: name(seed, "event", number, i), at: row.At, url: clip(site + rooted(row.Path)), referrer: clip(row.Referrer),
		})
	}
	return all
}

// rooted is a request's target as a path: proxies log whole addresses, and OPTIONS a star.
func rooted(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	return "/" + target
}

// clip keeps one absurd line of the log from filling a whole request.
func clip(address string) string {
	const most = 8 << 10
	if len(address) <= most {
		return address
	}
	return strings.ToValidUTF8(address[:most], "")
}

// name is a client's own name for something: random to look at, and the same
// for the same seed, kind and numbers.
func name(seed uint64, kind string, numbers ...int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %v", seed, kind, numbers))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
