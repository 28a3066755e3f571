package verify

import (
	"context"
	"net/http"
	"regexp"
	"strings"
)

// visitorCookie is the one that a scan is counted by (R12).
const visitorCookie = "visitor_id"

var visitorID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

var oneVisitor = hazard{
	danger: "The tree's page comes out of a cache: visitors share an identity or are not counted, and the numbers are wrong for good.",
	fix:    "Cache nothing below /t/, pass Cookie there, and let Set-Cookie leave the edge unchanged.",
}

// browsed is a page load as a browser does it.
func (in *inspection) browsed(method string) request {
	return request{method: method, path: "/t/" + in.o.Tree, headers: map[string]string{
		"Accept": "text/html", "Accept-Language": "en", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "none",
	}}
}

// checkTree is CD-01 on the counting side: two visitors, two ids, and a HEAD that is
// nobody's visit. It leaves three page loads on the tree.
func checkTree(ctx context.Context, in *inspection) (finding, error) {
	if in.o.Tree == "" {
		return skipped("no tree was named (--tree; its page loads are counted)"), nil
	}
	var ids []string
	for range 2 {
		a, err := in.edge.ask(ctx, in.browsed(http.MethodGet))
		if err != nil {
			return finding{}, err
		}
		if f, ok := in.judgeTree(a); !ok {
			return f, nil
		}
		ids = append(ids, a.key(visitorCookie))
	}
	if ids[0] == ids[1] {
		return oneVisitor.found("two visitors without cookies were given one id"), nil
	}
	again, err := in.edge.ask(ctx, in.browsed(http.MethodGet).as(visitorCookie+"="+ids[0]))
	if err != nil {
		return finding{}, err
	}
	if again.key(visitorCookie) != ids[0] {
		return oneVisitor.found("a visitor who returns is given another id, or none"), nil
	}
	head, err := in.edge.ask(ctx, in.browsed(http.MethodHead))
	if err != nil {
		return finding{}, err
	}
	if len(head.cookies(visitorCookie)) > 0 {
		return oneVisitor.found("a HEAD sets %s: it is counted as a visitor, or answered out of a cache", visitorCookie), nil
	}
	return safe("two visitors, two ids; a returning one keeps theirs; HEAD sets none"), nil
}

// judgeTree looks at one page load of a visitor without cookies.
func (in *inspection) judgeTree(a answer) (finding, bool) {
	switch cookies := a.cookies(visitorCookie); {
	case a.status == http.StatusNotFound:
		return unknown("there is no tree %s", quoted(in.o.Tree)), false
	case a.status == http.StatusTooManyRequests || a.status != http.StatusOK && a.status != http.StatusFound:
		return unknown("the tree's page is answered %d", a.status), false
	case len(cookies) == 0:
		return oneVisitor.found("Set-Cookie is stripped: a visitor of the tree's page was given no %s", visitorCookie), false
	case len(cookies) > 1:
		return oneVisitor.found("%s is set %d times in one answer", visitorCookie, len(cookies)), false
	case !visitorID.MatchString(cookies[0].value):
		return attributesChanged.found("%s is no UUID of version 4", visitorCookie), false
	default:
		if wrong := cookies[0].differs(in.expected(in.o.CookieDomain), in.insecureLoopback(cookies[0])); len(wrong) > 0 {
			return attributesChanged.found("%s: %s", visitorCookie, strings.Join(wrong, "; ")), false
		}
	}
	return finding{}, true
}

// checkTreePrefetch is a browser that loads ahead, and then a person who comes.
func checkTreePrefetch(ctx context.Context, in *inspection) (finding, error) {
	if in.o.Tree == "" {
		return skipped("no tree was named (--tree)"), nil
	}
	h := hazard{
		danger: "Pages that browsers load ahead are counted as people, or the refusal of one is stored and shown to people.",
		fix:    "Pass Sec-Purpose and Purpose unchanged on /t/, and store no errors there.",
	}
	ahead, err := in.edge.ask(ctx, in.browsed(http.MethodGet).with("Sec-Purpose", "prefetch"))
	if err != nil {
		return finding{}, err
	}
	switch {
	case ahead.status == http.StatusNotFound:
		return unknown("there is no tree %s", quoted(in.o.Tree)), nil
	case ahead.status != http.StatusServiceUnavailable:
		return h.found("Sec-Purpose does not arrive: a prefetch is answered %d, and not 503", ahead.status), nil
	case len(ahead.cookies(visitorCookie)) > 0:
		return h.found("a prefetch sets %s", visitorCookie), nil
	}
	person, err := in.edge.ask(ctx, in.browsed(http.MethodHead))
	if err != nil {
		return finding{}, err
	}
	if person.status == http.StatusServiceUnavailable {
		return h.found("after a prefetch was refused, so is a person: errors are cached"), nil
	}
	return safe("a prefetch is answered 503 and not stored"), nil
}
