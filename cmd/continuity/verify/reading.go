package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

var readable = hazard{
	danger: "Whoever holds a cookie, or a script on a page, could read of somebody's journey or identity.",
	fix:    "Serve /v1/ by this service alone; let nothing on the way add bodies or headers that depend on a visitor.",
}

// volatile are headers that differ from one answer to the next, whoever asks.
var volatile = map[string]bool{"Set-Cookie": true, "Date": true, "Age": true, "X-Varnish": true, "Cf-Ray": true, "Etag": true, "Report-To": true, "Nel": true}

// checkReadNothing compares a known visitor's answers with a new one's on every
// public route (R14): neither a byte nor a header may tell them apart.
func checkReadNothing(ctx context.Context, in *inspection) (finding, error) {
	key, err := in.key()
	if err != nil {
		return finding{}, err
	}
	fresh, err := in.edge.ask(ctx, mint())
	if err != nil {
		return finding{}, err
	}
	other := fresh.key(in.o.CookieName)
	if other == "" {
		return finding{}, errNoKey
	}
	in.keys = append(in.keys, other)
	routes := []request{
		beacon(), mint(), get("/v1/append"), get("/v1/submissions"), get("/v1/handoffs"), get("/v1/handoffs/claim"), get("/v1/reset"),
		post("/v1/append", unreadable),
		post("/v1/submissions", `{"events":[],"id":"verify","form":"verify","identity":{"email":"nobody"}}`),
		post("/v1/handoffs/claim", `{"events":[],"token":"verify","claim":"verify"}`),
	}
	for _, r := range routes {
		one, err := in.edge.ask(ctx, r.as(in.cookie(key)))
		if err != nil {
			return finding{}, err
		}
		two, err := in.edge.ask(ctx, r.as(in.cookie(other)))
		if err != nil {
			return finding{}, err
		}
		if difference := tellApart(one, two); difference != "" {
			return readable.found("%s tells two visitors apart: %s", one.asked, difference), nil
		}
		if what := in.spilled(one, key); what != "" {
			return readable.found("%s: %s", one.asked, what), nil
		}
	}
	return safe("%d routes tell a known visitor nothing", len(routes)), nil
}

func tellApart(one, two answer) string {
	switch {
	case one.status != two.status:
		return fmt.Sprintf("%d and %d", one.status, two.status)
	case len(one.body) != len(two.body):
		return fmt.Sprintf("%d and %d octets", len(one.body), len(two.body))
	}
	for _, name := range slices.Sorted(maps.Keys(one.header)) {
		if steady(name) && !slices.Equal(one.header[name], two.header[name]) {
			return name
		}
	}
	for name := range two.header {
		if _, both := one.header[name]; steady(name) && !both {
			return name
		}
	}
	return ""
}

// steady leaves out what edges number their requests by.
func steady(name string) bool {
	lower := strings.ToLower(name)
	for _, part := range []string{"request-id", "trace", "timing", "amz-cf", "served-by", "timer", "x-cache", "ratelimit"} {
		if strings.Contains(lower, part) {
			return false
		}
	}
	return !volatile[name]
}

// spilled says what an answer tells that it should not.
func (in *inspection) spilled(a answer, key string) string {
	if bytes.Contains(a.body, []byte(key)) {
		return "the body repeats the visitor's key"
	}
	for name, values := range a.header {
		if name != "Set-Cookie" && strings.Contains(strings.Join(values, " "), key) {
			return name + " repeats the visitor's key"
		}
	}
	if len(a.body) == 0 {
		return ""
	}
	var body map[string]json.RawMessage
	if json.Unmarshal(a.body, &body) != nil {
		return "" // an edge's own error page
	}
	names := strings.Join(slices.Sorted(maps.Keys(body)), " ")
	if a.status == http.StatusCreated && names == "expires_at token" || a.status >= http.StatusBadRequest && names == "error" {
		return ""
	}
	return "the body has more than it should: " + quoted(names)
}

// checkPrivate looks for the owners' interface where browsers are.
func checkPrivate(ctx context.Context, in *inspection) (finding, error) {
	h := hazard{
		danger: "The interface that shows people, exports and erases them stands open to the internet, behind nothing but a token.",
		fix:    "Route CONTINUITY_LISTEN alone through the edge, and keep CONTINUITY_ADMIN_LISTEN on loopback or a private network.",
	}
	for _, path := range []string{"/v1/leads", "/v1/candidates"} {
		a, err := in.edge.ask(ctx, get(path))
		if err != nil {
			return finding{}, err
		}
		if a.status == http.StatusUnauthorized || a.status == http.StatusOK || errorCode(a) == "unauthorized" {
			return h.found("%s is answered %d: the private interface can be reached here", path, a.status), nil
		}
	}
	a, err := in.edge.ask(ctx, get("/metrics"))
	if err != nil {
		return finding{}, err
	}
	if a.status == http.StatusOK && bytes.Contains(a.body, []byte("continuity_")) {
		return h.found("/metrics of the service can be read here"), nil
	}
	return safe("the private interface cannot be reached here"), nil
}
