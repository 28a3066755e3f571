package handoff

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// Destination is a host that a handoff may name, with its port where that goes not
// without saying: portal.example.org, or localhost:8082.
type Destination string

// Verify is the destination of a checking tool: always accepted, and what is
// minted for it is stored like any other and can never be claimed.
const Verify Destination = "verify.invalid"

const mostHost = 253

var hostForm = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

// ParseDestination reads a configured destination, in any case. ok is false for
// what no browser would call a link's host: a scheme, a path, a wildcard, a name that
// is not in ASCII, the default port.
func ParseDestination(text string) (d Destination, ok bool) {
	text = strings.ToLower(text)
	host, port := text, ""
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') {
		host, port = text[:i], text[i+1:]
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 || n == 443 || strconv.FormatUint(n, 10) != port {
			return "", false
		}
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		ip, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return Destination(text), err == nil && ip.Is6() && ip.Zone() == "" && host == "["+ip.String()+"]"
	}
	return Destination(text), len(host) <= mostHost && hostForm.MatchString(host)
}

// Origins are those that a page of the destination can have: https and, on the
// machine itself, http.
func (d Destination) Origins() []string {
	origins := []string{"https://" + string(d)}
	if d.loopback() {
		origins = append(origins, "http://"+strings.TrimSuffix(string(d), ":80"))
	}
	return origins
}

func (d Destination) loopback() bool {
	host := string(d)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}
