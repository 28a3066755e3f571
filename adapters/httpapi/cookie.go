package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"continuity/domain/identity"
	"continuity/ports/capture"
)

// Cookie says how the visitor key travels (§5).
type Cookie struct {
	Name   string
	Domain string        // empty: host-only
	MaxAge time.Duration // at most 400 days, more than which no browser keeps
	// InsecureLoopback drops Secure for plain http on the machine itself, where one
	// browser would not keep the cookie otherwise.
	InsecureLoopback bool
}

// sentKeys are the visitor keys of a request, in the order they were sent, and
// how many cookies of the name there were, malformed ones among them.
func (c Cookie) sentKeys(r *http.Request) (keys []identity.Key, sent int) {
	values := c.sent(r)
	for _, value := range values {
		if key, ok := identity.ParseKey(value); ok {
			keys = append(keys, key)
		}
	}
	return keys, len(values)
}

// sent are the values of all cookies of the name, without quotes.
//
// The header is read here because net/http forgets a malformed cookie, beside
// which a path of its own may be shadowing ours.
func (c Cookie) sent(r *http.Request) (values []string) {
	for _, line := range r.Header["Cookie"] {
		for pair := range strings.SplitSeq(line, ";") {
			name, value, _ := strings.Cut(strings.Trim(pair, " \t"), "=")
			if name == c.Name {
				values = append(values, unquoted(value))
			}
		}
	}
	return values
}

func unquoted(value string) string {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}

// answer sets the cookie of an answer, expires it, or leaves it alone.
func (c Cookie) answer(w http.ResponseWriter, r *http.Request, answer capture.Answer) {
	switch {
	case answer.Issue != nil:
		c.issue(w, r, answer.Issue.String())
	case answer.Expire:
		c.expire(w, r, "/", c.Domain)
	default:
		return
	}
	c.clearShadows(w, r, answer.Issue == nil)
}

// issue sets the cookie, or sets it again.
func (c Cookie) issue(w http.ResponseWriter, r *http.Request, value string) {
	age := strconv.FormatInt(int64(c.MaxAge/time.Second), 10)
	c.set(w, r, value, age, "/", c.Domain)
}

// clearShadows expires the cookies that could hide ours for ever: those of the
// same name on a part of the path, and the host-only one where a domain is
// configured. A request shows them only by how many it sent; an expiry names the
// host-only one in any case, since the dead key may well be that.
func (c Cookie) clearShadows(w http.ResponseWriter, r *http.Request, expired bool) {
	sent := len(c.sent(r))
	if c.Domain != "" && (sent > 1 || expired) {
		c.expire(w, r, "/", "")
	}
	if sent < 2 {
		return
	}
	for _, path := range shadowPaths(r.URL.Path) {
		c.expire(w, r, path, "")
		if c.Domain != "" {
			c.expire(w, r, path, c.Domain)
		}
	}
}

// shadowPaths are the cookie paths other than / that match a request's path,
// which is one of our own routes: of /v1/append, itself, /v1 and /v1/.
func shadowPaths(path string) []string {
	paths := []string{path}
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			paths = append(paths, path[:i], path[:i+1])
		}
	}
	return paths
}

func (c Cookie) expire(w http.ResponseWriter, r *http.Request, path, domain string) {
	c.set(w, r, "", "0", path, domain)
}

func (c Cookie) set(w http.ResponseWriter, r *http.Request, value, age, path, domain string) {
	line := c.Name + "=" + value + "; Max-Age=" + age + "; Path=" + path
	if domain != "" {
		line += "; Domain=" + domain
	}
	line += "; HttpOnly"
	if !c.InsecureLoopback || r.TLS != nil || !loopback(r.Host) {
		line += "; Secure"
	}
	w.Header().Add("Set-Cookie", line+"; SameSite=Lax")
}

func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && ip.IsLoopback()
}
