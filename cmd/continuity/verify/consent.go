package verify

import (
	"context"
	"net/http"
	"strings"
)

// checkGPC asks as a visitor who wants no recognition (R16). Whether the service is
// set to respect that shows only by its doing so.
func checkGPC(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "Visitors who said by law-backed signal that they do not want to be recognised are recognised.",
		fix:    "Pass Sec-GPC unchanged on /v1/ and /t/ (CloudFront: in the origin request policy).",
	}
	asked := mint().with("Sec-GPC", "1")
	a, err := in.edge.ask(ctx, asked)
	if err != nil {
		return finding{}, err
	}
	key := a.key(in.o.CookieName)
	if key != "" {
		in.keys = append(in.keys, key)
	}
	switch {
	case a.status == http.StatusOK && len(a.body) == 0 && key == "":
		return safe("Sec-GPC arrives, and is respected"), nil
	case a.status != http.StatusCreated:
		return unknown("a mint with Sec-GPC is answered %d", a.status), nil
	case in.o.GPC:
		return h.found("Sec-GPC does not arrive, or is not respected: a visitor who sent it is recognised"), nil
	case in.direct == nil:
		return skipped("the service does not respect it, or it does not arrive; --gpc or --origin tells which"), nil
	}
	direct, err := in.direct.ask(ctx, asked)
	if err != nil {
		return finding{}, err
	}
	if key := direct.key(in.o.CookieName); key != "" {
		in.keys = append(in.keys, key)
	}
	if direct.status != a.status {
		return h.found("Sec-GPC does not arrive: the origin answers it %d, the edge %d", direct.status, a.status), nil
	}
	return skipped("the service is not set to respect it"), nil
}

// checkReset is a visitor who leaves the device to the next one (R17).
func checkReset(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "Who takes over a device goes on under the key of whoever had it before.",
		fix:    "Pass POST /v1/reset with its Cookie to the service, and its Set-Cookie back; cache no POST.",
	}
	if _, err := in.key(); err != nil {
		return finding{}, err
	}
	minted, err := in.edge.ask(ctx, mint())
	if err != nil {
		return finding{}, err
	}
	key := minted.key(in.o.CookieName)
	if key == "" {
		return finding{}, errNoKey
	}
	in.keys = append(in.keys, key)
	var got [3]answer
	for i, r := range []request{beacon(), post("/v1/reset", ""), beacon()} {
		if got[i], err = in.edge.ask(ctx, r.as(in.cookie(key))); err != nil {
			return finding{}, err
		}
	}
	if again := got[2].key(in.o.CookieName); again != "" && again != key { // anonymous anchors are on
		in.keys = append(in.keys, again)
	}
	switch alive, reset, dead := got[0], got[1], got[2]; {
	case alive.status != http.StatusNoContent:
		return unknown("a new key is answered %d, and not 204", alive.status), nil
	case reset.status != http.StatusNoContent || !reset.expires(in.o.CookieName) || len(reset.body) > 0:
		return h.found("a reset is answered %d, and does not take the cookie away", reset.status), nil
	case dead.key(in.o.CookieName) == key:
		return h.found("a key that was reset is still answered as known: answers are replayed, or the reset did not arrive"), nil
	}
	return safe("a key that was reset is dead, and its cookie gone"), nil
}

// checkLimited looks at a refusal for asking too often, if one came.
func checkLimited(_ context.Context, in *inspection) (finding, error) {
	a := in.edge.refused
	if a == nil {
		return skipped("no limit was met"), nil
	}
	switch {
	case a.header.Get("Retry-After") == "":
		return hazard{
			danger: "Clients that are told no time come back at once, or never.",
			fix:    "Leave Retry-After on a 429; limits of the edge's own should send it too.",
		}.found("a 429 has no Retry-After"), nil
	case len(a.cookies(in.o.CookieName)) > 0:
		return oneKey.found("a 429 sets %s", in.o.CookieName), nil
	case a.storable() != "":
		return hazard{
			danger: "One visitor's 429 is stored and given to all who follow.",
			fix:    "Leave Cache-Control on a 429 as the service sets it; limits of the edge's own must send no-store.",
		}.found("a 429 may be stored: %s", a.storable()), nil
	}
	return safe("a 429 names its Retry-After, sets no cookie, and is not stored (%s)", strings.ToLower(a.asked)), nil
}
