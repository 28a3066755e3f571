package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// checkOriginCompared is CD-02: the same question past the edge and through it.
func checkOriginCompared(ctx context.Context, in *inspection) (finding, error) {
	if in.direct == nil {
		return skipped("no origin was named (--origin)"), nil
	}
	key, err := in.key()
	if err != nil && in.shared {
		return finding{}, err
	}
	for _, r := range []request{
		mint(), beacon().as(in.cookie(key)), post("/v1/append", unreadable), get("/v1/append"), get("/v1/verify-" + in.nonce),
	} {
		direct, err := in.direct.ask(ctx, r)
		if err != nil {
			return finding{}, fmt.Errorf("the origin: %w", err)
		}
		edge, err := in.edge.ask(ctx, r)
		if err != nil {
			return finding{}, err
		}
		if r.cookie == "" {
			in.keys = append(in.keys, direct.key(in.o.CookieName), edge.key(in.o.CookieName))
		}
		if f, ok := in.compare(direct, edge); !ok {
			return f, nil
		}
	}
	return safe("status, Set-Cookie and Cache-Control are the origin's"), nil
}

func (in *inspection) compare(direct, edge answer) (finding, bool) {
	ours, theirs := direct.cookies(in.o.CookieName), edge.cookies(in.o.CookieName)
	switch {
	case direct.status != edge.status:
		return methodLost.found("%s is answered %d by the origin, and %d by the edge", edge.asked, direct.status, edge.status), false
	case len(ours) > 0 && len(theirs) == 0:
		return stripped.found("Set-Cookie is stripped at the edge: %s", edge.asked), false
	case len(ours) != len(theirs) || !slices.EqualFunc(ours, theirs, sameAttributes):
		return attributesChanged.found("Set-Cookie is changed at the edge: %s", edge.asked), false
	}
	for _, name := range []string{"Cache-Control", "Content-Type", "Allow"} {
		d, e := strings.Join(direct.header.Values(name), ", "), strings.Join(edge.header.Values(name), ", ")
		if d != e {
			return hazard{
				danger: "What the service says of caching and of itself is not what browsers hear.",
				fix:    "Leave the headers of /v1/ as they come from the origin.",
			}.found("%s of %s is %s at the origin, and %s at the edge", name, edge.asked, quoted(d), quoted(e)), false
		}
	}
	return finding{}, true
}

// sameAttributes compares all but the value, which is another visitor's.
func sameAttributes(a, b setCookie) bool {
	if len(a.attributes) != len(b.attributes) || (a.value == "") != (b.value == "") {
		return false
	}
	for name, value := range a.attributes {
		if got, ok := b.attributes[name]; !ok || got != value {
			return false
		}
	}
	return true
}
