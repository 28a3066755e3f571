package verify

import (
	"net/url"
	"strings"
)

// policy is one Content-Security-Policy: the sources of each directive.
type policy map[string][]string

func parsePolicy(text string) policy {
	p := policy{}
	for directive := range strings.SplitSeq(text, ";") {
		words := strings.Fields(directive)
		if len(words) == 0 {
			continue
		}
		if name := strings.ToLower(words[0]); p[name] == nil { // the first one counts
			p[name] = append([]string{}, words[1:]...)
		}
	}
	return p
}

// sources are those of a directive, or of the one that stands for it.
func (p policy) sources(name string) (sources []string, limited bool) {
	for _, n := range []string{name, "default-src"} {
		if sources, ok := p[n]; ok {
			return sources, true
		}
	}
	return nil, false
}

// allows tells whether a page may reach target under a directive (CSP 3, 6.7.2).
func (p policy) allows(name string, page, target *url.URL) bool {
	sources, limited := p.sources(name)
	if !limited {
		return true
	}
	for _, source := range sources {
		if matchesSource(strings.ToLower(source), page, target) {
			return true
		}
	}
	return false
}

// allowsScript gives a script with a nonce, a hash or strict-dynamic the benefit of
// the doubt: whether those match shows only in a browser.
func (p policy) allowsScript(page, script *url.URL) bool {
	for _, name := range []string{"script-src-elem", "script-src", "default-src"} {
		sources, ok := p[name]
		if !ok {
			continue
		}
		for _, source := range sources {
			if source = strings.ToLower(source); strings.HasPrefix(source, "'nonce-") || strings.HasPrefix(source, "'sha") || matchesSource(source, page, script) {
				return true
			}
		}
		return false
	}
	return true
}

func matchesSource(source string, page, target *url.URL) bool {
	switch {
	case source == "'self'":
		return sameOrigin(page, target) || page.Hostname() == target.Hostname() && page.Scheme == "http" && target.Scheme == "https"
	case source == "*":
		return target.Scheme == "http" || target.Scheme == "https"
	case strings.HasSuffix(source, ":"):
		return schemeAllows(strings.TrimSuffix(source, ":"), target.Scheme)
	case strings.HasPrefix(source, "'"):
		return false
	}
	scheme, rest, named := strings.Cut(source, "://")
	if !named {
		scheme, rest = page.Scheme, source
	}
	host, path, hasPath := strings.Cut(rest, "/")
	name, port, _ := strings.Cut(host, ":")
	if !schemeAllows(scheme, target.Scheme) || !hostAllows(name, strings.ToLower(target.Hostname())) || !portAllows(port, target) {
		return false
	}
	return !hasPath || path == "" || pathAllows("/"+path, target.Path)
}

// schemeAllows lets http stand for https too.
func schemeAllows(source, target string) bool {
	return source == target || source == "http" && target == "https"
}

func hostAllows(source, target string) bool {
	if suffix, wild := strings.CutPrefix(source, "*"); wild {
		return suffix == "" || strings.HasSuffix(target, suffix)
	}
	return source == target
}

func portAllows(source string, target *url.URL) bool {
	port := portOf(target)
	return source == "*" || source == port || source == "" && (port == "443" && target.Scheme == "https" || port == "80" && target.Scheme == "http")
}

func pathAllows(source, target string) bool {
	if strings.HasSuffix(source, "/") {
		return strings.HasPrefix(target, source)
	}
	return source == target
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
