package verify

import (
	"net/http"
	"strconv"
	"strings"
)

// answer is what came back for one request.
type answer struct {
	asked   string // "POST /v1/append", for the telling
	status  int
	header  http.Header
	body    []byte
	address string // the peer's, with its port
}

// setCookie is one Set-Cookie line, taken apart as RFC 6265, 5.2, has it.
type setCookie struct {
	name, value string
	attributes  map[string]string // by lower-case name
	repeated    bool              // an attribute stands twice
}

// cookies are the Set-Cookie lines of that name.
func (a answer) cookies(name string) (all []setCookie) {
	for _, line := range a.header.Values("Set-Cookie") {
		if c := parseSetCookie(line); c.name == name {
			all = append(all, c)
		}
	}
	return all
}

// key is the value that the answer sets under name; empty without one, or where it
// only expires.
func (a answer) key(name string) string {
	for _, c := range a.cookies(name) {
		if c.value != "" && c.attributes["max-age"] != "0" {
			return c.value
		}
	}
	return ""
}

// expires tells whether the answer takes the cookie away.
func (a answer) expires(name string) bool {
	for _, c := range a.cookies(name) {
		if c.value == "" || c.attributes["max-age"] == "0" {
			return true
		}
	}
	return false
}

func parseSetCookie(line string) setCookie {
	pair, rest, _ := strings.Cut(line, ";")
	name, value, _ := strings.Cut(pair, "=")
	c := setCookie{name: strings.TrimSpace(name), value: strings.TrimSpace(value), attributes: map[string]string{}}
	for part := range strings.SplitSeq(rest, ";") {
		name, value, _ := strings.Cut(part, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if _, twice := c.attributes[name]; twice {
			c.repeated = true
		}
		c.attributes[name] = strings.TrimSpace(value)
	}
	return c
}

// directives are those of Cache-Control, by lower-case name.
func (a answer) directives() map[string]string {
	all := map[string]string{}
	for part := range strings.SplitSeq(strings.Join(a.header.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(part, "=")
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			all[name] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return all
}

// storable says why a cache could keep the answer, and nothing when none may.
func (a answer) storable() string {
	directives := a.directives()
	_, noStore := directives["no-store"]
	_, private := directives["private"]
	_, public := directives["public"]
	if !noStore || !private || public || freshFor(directives) > 0 {
		return "Cache-Control is " + quoted(strings.Join(a.header.Values("Cache-Control"), ", ")) + " and not \"private, no-store\""
	}
	for _, name := range []string{"CDN-Cache-Control", "Surrogate-Control"} {
		if value := strings.ToLower(a.header.Get(name)); strings.Contains(value, "max-age") && !strings.Contains(value, "no-store") {
			return name + " is " + quoted(value)
		}
	}
	return ""
}

func freshFor(directives map[string]string) int {
	most := 0
	for _, name := range []string{"max-age", "s-maxage"} {
		if seconds, err := strconv.Atoi(directives[name]); err == nil {
			most = max(most, seconds)
		}
	}
	return most
}

// quoted is what a header held, short enough to print.
func quoted(s string) string {
	if len(s) > 120 {
		s = s[:120] + "…"
	}
	return strconv.Quote(s)
}

// dynamic tells whether an answer depends on who asks, by where it comes from.
func dynamic(a answer) bool {
	_, path, _ := strings.Cut(a.asked, " ")
	return strings.HasPrefix(path, "/v1/") || strings.HasPrefix(path, "/t/")
}
