package verify

import (
	"context"
	"net/http"
	"strings"
)

// unreadable is a body that the service refuses once it has let the request in.
const unreadable = "{"

// checkMethods is TR-12: nothing but a POST may reach a visitor's key.
func checkMethods(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "A key that a GET can set or renew is set by prefetching, by previews and out of caches.",
		fix:    "Route every method of /v1/ to the service and let it refuse; answer nothing in its place.",
	}
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := request{method: method, path: "/v1/append"}
		if key, err := in.key(); err == nil {
			r = r.as(in.cookie(key))
		}
		a, err := in.edge.ask(ctx, r)
		if err != nil {
			return finding{}, err
		}
		if a.status != http.StatusMethodNotAllowed {
			return h.found("%s /v1/append is answered %d, and not 405", method, a.status), nil
		}
		if !strings.Contains(a.header.Get("Allow"), http.MethodPost) {
			return h.found("the 405 to %s /v1/append does not tell which methods there are", method), nil
		}
		if len(a.cookies(in.o.CookieName)) > 0 {
			return h.found("%s /v1/append sets %s", method, in.o.CookieName), nil
		}
	}
	return safe("GET and HEAD on append are answered 405, without a cookie"), nil
}

// checkOrigin holds the gate by requests whose body is refused once they are in: 400
// is inside, 403 is outside (TR-13).
func checkOrigin(ctx context.Context, in *inspection) (finding, error) {
	knock := post("/v1/append", unreadable)
	own, err := in.edge.ask(ctx, knock)
	if err != nil {
		return finding{}, err
	}
	if own.status == http.StatusForbidden {
		return silenced.found("a page of %s is refused: 403", in.edge.origin), nil
	}
	if f, wrong, err := in.checkForeign(ctx, knock); wrong || err != nil {
		return f, err
	}
	old, err := in.edge.ask(ctx, knock.with("Sec-Fetch-Site", ""))
	if err != nil {
		return finding{}, err
	}
	if old.status == http.StatusForbidden {
		return hazard{
			danger: "Browsers that send no Sec-Fetch-Site (Safari before 16.4) are refused: the site is silent for them, and nobody sees it.",
			fix:    silenced.fix,
		}.found("Host does not arrive as %s: a page of its own is taken for a foreign one", in.edge.host), nil
	}
	fetched, err := in.edge.ask(ctx, knock.with("Origin", ""))
	if err == nil && fetched.status == http.StatusForbidden {
		in.advise("Pass Sec-Fetch-Site too: it does not arrive, and tells the service most surely which requests are the site's own.")
	}
	return safe("Origin and Host arrive; foreign pages are refused"), err
}

func (in *inspection) checkForeign(ctx context.Context, knock request) (f finding, wrong bool, err error) {
	h := hazard{
		danger: "Any page on the internet can write under the keys of this site's visitors.",
		fix:    "Pass Origin and Sec-Fetch-Site unchanged, and add no Origin; take \"absent\" out of CONTINUITY_ORIGINS if only browsers call.",
	}
	// Even beside same-origin, which no such page can send, the service refuses null.
	opaque, err := in.edge.ask(ctx, knock.with("Origin", "null"))
	if err != nil {
		return finding{}, true, err
	}
	if opaque.status != http.StatusForbidden {
		return h.found("Origin does not arrive: one that is null is answered %d, and not 403", opaque.status), true, nil
	}
	foreign, err := in.edge.ask(ctx, knock.with("Origin", "https://verify.invalid").with("Sec-Fetch-Site", "cross-site"))
	if err != nil {
		return finding{}, true, err
	}
	if foreign.status != http.StatusForbidden {
		return h.found("a page of another site is answered %d, and not 403", foreign.status), true, nil
	}
	if allowed := foreign.header.Get("Access-Control-Allow-Origin"); allowed != "" {
		return h.found("a page of another site is told Access-Control-Allow-Origin: %s", quoted(allowed)), true, nil
	}
	return finding{}, false, nil
}

var bodyLost = hazard{
	danger: "Journeys that a browser carried for months are refused or cut on the way, and are lost.",
	fix:    "Pass bodies of up to 64 KiB unchanged (nginx: client_max_body_size 128k; WAF: no body rules on /v1/).",
}

// checkBody sends nearly as much as the service takes, and more.
func checkBody(ctx context.Context, in *inspection) (finding, error) {
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	// A member that the service does not know is ignored, and stores nothing.
	filled := func(octets int) request {
		return post("/v1/append", `{"events":[],"filler":"`+strings.Repeat("ž", octets/2)+`"}`).as(in.cookie(key))
	}
	large, err := in.edge.ask(ctx, filled(63<<10))
	if err != nil {
		return finding{}, err
	}
	if large.status != http.StatusNoContent {
		return bodyLost.found("a body of 63 KiB is answered %d, and not 204", large.status), nil
	}
	huge, err := in.edge.ask(ctx, filled(66<<10))
	if err != nil {
		return finding{}, err
	}
	if huge.status != http.StatusRequestEntityTooLarge {
		return bodyLost.found("a body of 66 KiB is answered %d, and not 413: it does not arrive as it was sent", huge.status), nil
	}
	return safe("63 KiB arrive whole, 66 KiB are refused"), nil
}

// checkForeignCookies sends what a busy site's other cookies may weigh.
func checkForeignCookies(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "Visitors with many cookies of other tools are refused: the most loyal ones vanish.",
		fix:    "Accept 32 KiB of request headers (nginx: large_client_header_buffers 4 32k; Varnish: -p http_req_hdr_len=32k -p http_req_size=64k; Apache: LimitRequestFieldSize 32768).",
	}
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	var cookies strings.Builder
	for i := range 16 {
		cookies.WriteString("_verify_" + string(rune('a'+i)) + "=" + strings.Repeat("x", 1024) + "; ")
	}
	a, err := in.edge.ask(ctx, beacon().as(cookies.String()+in.cookie(key)))
	if err != nil {
		return h.found("16 KiB of foreign cookies break the connection: %v", err), ctx.Err()
	}
	if a.status != http.StatusNoContent {
		return h.found("a return visit with 16 KiB of foreign cookies is answered %d, and not 204", a.status), nil
	}
	if a.key(in.o.CookieName) != key {
		return h.found("a return visit with 16 KiB of foreign cookies loses its key"), nil
	}
	return safe("16 KiB of foreign cookies are accepted"), nil
}
