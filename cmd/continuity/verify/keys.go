package verify

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// strangers is how many visitors without cookies ask, so that a cache which keeps
// only the second answer to a question is met too.
const strangers = 3

var silenced = hazard{
	danger: "The service refuses the site's own pages, so that nobody is recognised and nothing is kept.",
	fix:    "Pass Host, Origin and Sec-Fetch-Site unchanged (nginx: proxy_set_header Host $http_host; Apache: ProxyPreserveHost On), or list the site in CONTINUITY_ORIGINS.",
}

var methodLost = hazard{
	danger: "A POST that arrives as something else stores nothing.",
	fix:    "Pass POST on /v1/ through as it is: no redirect, no rewriting, no method filter.",
}

// checkMint asks as a visitor without cookies whose page leads to a destination.
func checkMint(ctx context.Context, in *inspection) (finding, error) {
	a, err := in.edge.ask(ctx, mint())
	if err != nil {
		return finding{}, err
	}
	in.first = a
	switch code := errorCode(a); {
	case a.status == http.StatusCreated:
		in.keys = append(in.keys, a.key(in.o.CookieName))
		return safe("201, a handoff to verify.invalid"), nil
	case a.status == http.StatusForbidden && code == "forbidden":
		return silenced.found("the service answers 403 to a request of %s", in.edge.origin), nil
	case a.status == http.StatusMethodNotAllowed:
		return methodLost.found("POST /v1/handoffs is answered 405"), nil
	case a.status >= http.StatusMultipleChoices && a.status < http.StatusBadRequest:
		return methodLost.found("POST /v1/handoffs is redirected to %s", quoted(a.header.Get("Location"))), nil
	case a.status == http.StatusBadRequest && code == "invalid":
		return bodyLost.found("the body of POST /v1/handoffs did not arrive: 400"), nil
	case a.status == http.StatusOK && len(a.body) == 0:
		return unknown("the service recognises nobody: CONTINUITY_APPENDS is false, or Sec-GPC is added on the way and respected"), nil
	}
	return unknown("POST /v1/handoffs is answered %d: is this Continuity?", a.status), nil
}

// errorCode is that of one of the service's own errors.
func errorCode(a answer) string {
	var body struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(a.body, &body) != nil {
		return ""
	}
	return body.Error.Code
}

var oneKey = hazard{
	danger: "A shared cache gives one visitor's key to the next: their named histories run together, and nothing can part them again.",
	fix:    "Never cache POST, nor an answer with Set-Cookie; remove what ignores Set-Cookie or Cache-Control (nginx: proxy_ignore_headers; Varnish: return(hash) for POST; CDN: \"cache everything\") from /v1/ and /t/, and purge the cache.",
}

// checkTwoKeys is CD-01: strangers that ask the very same get keys of their own.
func checkTwoKeys(ctx context.Context, in *inspection) (finding, error) {
	if in.first.status != http.StatusCreated {
		return finding{}, errNoKey
	}
	tokens := map[string]bool{token(in.first): true}
	keys := map[string]bool{in.first.key(in.o.CookieName): true}
	for range strangers - 1 {
		a, err := in.edge.ask(ctx, mint())
		if err != nil {
			return finding{}, err
		}
		key := a.key(in.o.CookieName)
		if key != "" && keys[key] {
			in.shared = true
			return oneKey.found("two visitors without cookies were given one key"), nil
		}
		if tokens[token(a)] {
			in.shared = true
			return oneKey.found("two visitors without cookies were given one handoff: the answer to a POST is cached"), nil
		}
		in.keys = append(in.keys, key)
		keys[key], tokens[token(a)] = true, true
	}
	if keys[""] {
		return finding{}, errNoKey
	}
	return safe("%d visitors without cookies, %d keys", strangers, len(keys)), nil
}

// token is that of a minted handoff, or all of an answer that has none.
func token(a answer) string {
	var body struct{ Token string }
	if json.Unmarshal(a.body, &body) != nil || body.Token == "" {
		return string(a.body)
	}
	return body.Token
}

var notForwarded = hazard{
	danger: "The visitor's Cookie does not reach the service: nobody is ever recognised, and every visit makes a new device.",
	fix:    "Forward the Cookie header on /v1/ and /t/ (CloudFront: an origin request policy with cookies; Varnish: no unset req.http.Cookie; nginx: no proxy_set_header Cookie).",
}

var notStamped = hazard{
	danger: "The key is not renewed: a returning visitor's cookie ends 400 days after the first visit, however often they return.",
	fix:    "Let Set-Cookie leave the edge on every answer to a POST on /v1/.",
}

// checkReturn is a visitor who comes back, and must stay the same.
func checkReturn(ctx context.Context, in *inspection) (finding, error) {
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	a, err := in.edge.ask(ctx, mint().as(in.cookie(key)))
	if err != nil {
		return finding{}, err
	}
	switch again := a.key(in.o.CookieName); again {
	case key:
		return safe("the third call keeps its key and is stamped again"), nil
	case "":
		return notStamped.found("the answer to a known visitor carries no Set-Cookie"), nil
	default:
		in.keys = append(in.keys, again)
		return notForwarded.found("a visitor who sent a key was given another one"), nil
	}
}

// checkAppend is a return visit (TR-12).
func checkAppend(ctx context.Context, in *inspection) (finding, error) {
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	a, err := in.edge.ask(ctx, beacon().as(in.cookie(key)))
	if err != nil {
		return finding{}, err
	}
	switch {
	case a.status == http.StatusOK && len(a.body) == 0:
		return notForwarded.found("a return visit is answered as a stranger's"), nil
	case a.status == http.StatusForbidden:
		return silenced.found("a return visit is refused: 403"), nil
	case a.status != http.StatusNoContent:
		return unknown("a return visit is answered %d, and not 204", a.status), nil
	case len(a.body) > 0:
		return readable.found("the answer to a return visit has a body"), nil
	case len(a.cookies(in.o.CookieName)) != 1 || a.key(in.o.CookieName) != key:
		return notStamped.found("a return visit does not get its key again"), nil
	}
	if wrong := in.wrongAttributes(a); len(wrong) > 0 {
		return attributesChanged.found("after a return visit: %s", strings.Join(wrong, "; ")), nil
	}
	return safe("204, empty, stamped again"), nil
}
