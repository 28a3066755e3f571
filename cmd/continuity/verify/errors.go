package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// checkErrors is CD-04: what follows an error at the same address is not answered by it.
func checkErrors(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "One visitor's error is stored and given to all who follow: nothing is kept until it expires.",
		fix:    "Store no errors and no answers to POST (nginx: no proxy_cache_valid for errors with proxy_ignore_headers Cache-Control; Varnish: no ttl where Cache-Control says no-store; CDN: error caching 0).",
	}
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	for _, m := range mistakes {
		refused, err := in.edge.ask(ctx, m.request.as(in.cookie(key)))
		if err != nil {
			return finding{}, err
		}
		right, err := in.edge.ask(ctx, beacon().as(in.cookie(key)))
		if err != nil {
			return finding{}, err
		}
		if wrong := m.told(refused, right); wrong != "" {
			return h.found("%s", wrong), nil
		}
		if len(refused.cookies(in.o.CookieName)) > 0 {
			return h.found("the %d to %s sets %s", refused.status, m.what, in.o.CookieName), nil
		}
	}
	return in.checkMissing(ctx, h)
}

// mistake is a request that is refused, and how.
type mistake struct {
	what    string
	request request
	status  int
}

var mistakes = []mistake{
	{"an unreadable body", post("/v1/append", unreadable), http.StatusBadRequest},
	{"another medium", post("/v1/append", "<a/>").with("Content-Type", "application/xml"), http.StatusUnsupportedMediaType},
	{
		"a foreign page",
		beacon().with("Origin", "https://verify.invalid").with("Sec-Fetch-Site", "cross-site"), http.StatusForbidden,
	},
	{"a GET", get("/v1/append"), http.StatusMethodNotAllowed},
}

// told says what is wrong with a refusal and the return visit right after it.
func (m mistake) told(refused, right answer) string {
	switch {
	case right.status == refused.status && right.status >= http.StatusBadRequest:
		return fmt.Sprintf("after %s was refused with %d, so is a return visit: errors are cached", m.what, refused.status)
	case right.status != http.StatusNoContent:
		return fmt.Sprintf("after %s was refused with %d, a return visit is answered %d", m.what, refused.status, right.status)
	case refused.status < http.StatusBadRequest:
		return fmt.Sprintf("%s is answered %d, and not %d: answers to others are replayed, or the request is changed on the way", m.what, refused.status, m.status)
	case refused.status != m.status:
		return fmt.Sprintf("%s is answered %d, and not %d: an earlier error is replayed, or another one takes its place", m.what, refused.status, m.status)
	}
	return ""
}

// checkMissing asks twice for what is not there.
func (in *inspection) checkMissing(ctx context.Context, h hazard) (finding, error) {
	for range 2 {
		a, err := in.edge.ask(ctx, get("/v1/verify-"+in.nonce))
		if err != nil {
			return finding{}, err
		}
		if a.status == http.StatusNotFound && errorCode(a) == "" && !json.Valid(a.body) {
			return unknown("what is missing below /v1/ is answered by something else than the service"), nil
		}
		if mark := a.fromCache(); mark != "" {
			return h.found("a 404 is stored (%s): errors are cached", mark), nil
		}
	}
	stored, err := in.missingTreeStored(ctx)
	if err != nil {
		return finding{}, err
	}
	if stored {
		return h.found("a page below /t/ is given in the language of who asked before: errors and pages are cached there"), nil
	}
	return safe("what follows an error is answered afresh"), nil
}

// missingTreeStored finds a cache that tells nothing of itself: the page of a tree that
// is not there speaks the language of who asks. A HEAD leaves no trace.
func (in *inspection) missingTreeStored(ctx context.Context) (bool, error) {
	var spoken [3]string
	for i, at := range []struct{ tree, language string }{{"-1", "en"}, {"-1", "sk"}, {"-2", "sk"}} {
		a, err := in.edge.ask(ctx, request{method: http.MethodHead, path: "/t/verify-" + in.nonce + at.tree}.with("Accept-Language", at.language))
		if err != nil {
			return false, err
		}
		spoken[i] = a.header.Get("Content-Language")
	}
	return spoken[0] == spoken[1] && spoken[1] != spoken[2], nil
}

// checkNoStore looks at all answers that came, whatever they were asked for.
func checkNoStore(_ context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "Caches on the way and in browsers may keep the answer, and give one visitor's key or another's error to whoever comes next.",
		fix:    "Leave Cache-Control as the service sets it: no \"browser cache TTL\", no expires or add_header Cache-Control on /v1/ and /t/.",
	}
	n := 0
	for _, a := range in.edge.answers() {
		if !dynamic(a) {
			continue
		}
		if a.status == http.StatusBadGateway || a.status == http.StatusGatewayTimeout {
			continue // the edge's own, and by their nature kept by nobody (RFC 9110, 15.1)
		}
		n++
		if why := a.storable(); why != "" {
			return h.found("%s is answered %d, and %s", a.asked, a.status, why), nil
		}
	}
	if n == 0 {
		return unknown("nothing was answered"), nil
	}
	return safe("%d answers, errors among them, may be stored by nobody", n), nil
}

// checkNoHit looks at all answers for signs of a cache.
func checkNoHit(_ context.Context, in *inspection) (finding, error) {
	n := 0
	for _, a := range in.edge.answers() {
		if !dynamic(a) {
			continue
		}
		n++
		if mark := a.fromCache(); mark != "" {
			return oneKey.found("%s was answered by a cache (%s)", a.asked, mark), nil
		}
	}
	if n == 0 {
		return unknown("nothing was answered"), nil
	}
	return safe("%d answers, none of them out of a cache", n), nil
}
