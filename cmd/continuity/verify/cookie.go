package verify

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// maxAge is 400 days, in seconds (§5).
const maxAge = "34560000"

var stripped = hazard{
	danger: "No visitor gets a key: nobody is ever recognised. Where an edge strips Set-Cookie, it mostly does so to cache the answer.",
	fix:    "Let Set-Cookie pass on /v1/ and /t/, and turn caching off there (Cloudflare: no \"cache everything\" with a forced edge TTL; nginx: no proxy_hide_header Set-Cookie).",
}

var attributesChanged = hazard{
	danger: "A cookie whose attributes were changed lives shorter, travels to hosts or pages that it is not meant for, can be read by scripts, or is refused by browsers.",
	fix:    "Leave Set-Cookie unchanged on the way (nginx: no proxy_cookie_domain, _path or _flags; Apache: no Header edit Set-Cookie, ProxyPassReverseCookie…); the service sets every attribute by itself.",
}

var wellFormed = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// checkCookie looks at the attributes of a new key's cookie.
func checkCookie(_ context.Context, in *inspection) (finding, error) {
	if in.first.status != http.StatusCreated {
		return finding{}, errNoKey
	}
	switch n := len(in.first.cookies(in.o.CookieName)); {
	case n == 0 && in.first.otherwiseCalled() != "":
		return unknown("the key comes in %s, and not in %s: name it (--cookie-name)", in.first.otherwiseCalled(), in.o.CookieName), nil
	case n == 0:
		return stripped.found("Set-Cookie is stripped: a visitor was given a handoff, and no %s", in.o.CookieName), nil
	case n > 1:
		return attributesChanged.found("%s is set %d times in one answer", in.o.CookieName, n), nil
	}
	if wrong := in.wrongAttributes(in.first); len(wrong) > 0 {
		return attributesChanged.found("%s", strings.Join(wrong, "; ")), nil
	}
	if in.insecureLoopback(in.first.cookies(in.o.CookieName)[0]) {
		in.advise("Secure is left out, as for a browser on the machine itself; never offer that beyond loopback.")
	}
	if !strings.HasPrefix(in.o.CookieName, "__Host-") && in.o.CookieDomain == "" {
		in.advise("Name the cookie __Host-" + strings.TrimPrefix(in.o.CookieName, "__Secure-") + " (CONTINUITY_COOKIE_NAME): then no other host of the domain can plant a key.")
	}
	return safe("%s, Max-Age=%s, and every attribute as it was set", in.o.CookieName, maxAge), nil
}

// otherwiseCalled is the name of another cookie that looks like a key's. Edges set
// cookies of their own, which do not.
func (a answer) otherwiseCalled() string {
	for _, line := range a.header.Values("Set-Cookie") {
		if c := parseSetCookie(line); wellFormed.MatchString(c.value) && c.attributes["max-age"] == maxAge {
			return c.name
		}
	}
	return ""
}

// wrongAttributes says what is not as it should be in the cookie that an answer sets.
func (in *inspection) wrongAttributes(a answer) (wrong []string) {
	for _, c := range a.cookies(in.o.CookieName) {
		if !wellFormed.MatchString(c.value) {
			wrong = append(wrong, "the value is no key")
		}
		wrong = append(wrong, c.differs(in.expected(in.o.CookieDomain), in.insecureLoopback(c))...)
	}
	return wrong
}

// expected are the attributes that a cookie of the service has.
func (in *inspection) expected(domain string) map[string]string {
	want := map[string]string{"max-age": maxAge, "path": "/", "httponly": "", "secure": "", "samesite": "Lax"}
	if domain != "" {
		want["domain"] = domain
	}
	return want
}

func (c setCookie) differs(want map[string]string, insecure bool) (wrong []string) {
	for _, name := range []string{"max-age", "path", "domain", "httponly", "secure", "samesite"} {
		value, there := c.attributes[name]
		wanted, needed := want[name]
		switch {
		case name == "secure" && insecure:
		case needed && !there:
			wrong = append(wrong, spelled(name, wanted)+" is missing")
		case there && !needed:
			wrong = append(wrong, spelled(name, value)+" was added")
		case there && !strings.EqualFold(strings.TrimPrefix(value, "."), wanted):
			wrong = append(wrong, spelled(name, value)+" instead of "+spelled(name, wanted))
		}
	}
	for name, value := range c.attributes {
		switch name {
		case "max-age", "path", "domain", "httponly", "secure", "samesite":
		default:
			wrong = append(wrong, spelled(name, value)+" was added")
		}
	}
	if c.repeated {
		wrong = append(wrong, "an attribute stands twice")
	}
	return wrong
}

var spelling = map[string]string{
	"max-age": "Max-Age", "path": "Path", "domain": "Domain", "httponly": "HttpOnly", "secure": "Secure", "samesite": "SameSite",
	"expires": "Expires", "partitioned": "Partitioned", "priority": "Priority",
}

func spelled(name, value string) string {
	if s, ok := spelling[name]; ok {
		name = s
	}
	if value == "" {
		return name
	}
	return name + "=" + value
}

// insecureLoopback is the one case in which Secure may be missing: plain http to the
// machine itself (CK-04).
func (in *inspection) insecureLoopback(c setCookie) bool {
	u, err := url.Parse(in.o.URL)
	if _, secure := c.attributes["secure"]; err != nil || secure || u.Scheme != "http" {
		return false
	}
	return loopback(u.Hostname())
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func (in *inspection) advise(text string) { in.advice = append(in.advice, text) }
