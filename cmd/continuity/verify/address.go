package verify

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// claims are headers in which proxies say who the client is.
var claims = []struct {
	name   string
	format string
}{
	{"X-Forwarded-For", "%s"}, {"X-Real-IP", "%s"}, {"CF-Connecting-IP", "%s"}, {"True-Client-IP", "%s"},
	{"X-Client-IP", "%s"}, {"Fastly-Client-IP", "%s"}, {"Forwarded", "for=%s"},
}

// believedTimes is how often a forged address has to bring what the true one was just
// refused, so that a limit which opens by itself in between is not taken for belief.
const believedTimes = 3

// checkAddressBelieved uses up what this machine's address may create, and then says
// that it is another one: who is believed then is let in again.
func checkAddressBelieved(ctx context.Context, in *inspection) (finding, error) {
	if in.o.Flood == 0 {
		return skipped("no creations were allowed for it (--flood)"), nil
	}
	if in.shared {
		return finding{}, errShared
	}
	limited, err := in.exhaust(ctx)
	if err != nil {
		return finding{}, err
	}
	if !limited {
		return skipped("no limit was met within %d creations, so that nothing can be told from here", in.o.Flood), nil
	}
	for i, claim := range claims {
		believed, err := in.believes(ctx, claim.name, claim.format, i)
		if err != nil {
			return finding{}, err
		}
		if believed {
			return in.convict(claim.name), nil
		}
	}
	names := make([]string, 0, len(claims))
	for _, claim := range claims {
		names = append(names, claim.name)
	}
	return safe("a forged %s is not believed", strings.Join(names, ", ")), nil
}

// convict is the verdict on a header that was believed. A machine that asks over
// loopback may be a trusted proxy itself, which may say what it likes.
func (in *inspection) convict(name string) finding {
	host, _, err := net.SplitHostPort(in.first.address)
	if err == nil && loopback(host) && in.o.From == "" {
		return skipped("%s is believed from loopback, where this machine may be a trusted proxy itself: ask from another one, or --from another address", name)
	}
	return hazard{
		danger: "Whoever writes a header has any number of addresses: no limit holds, and what is stored for audit is made up.",
		fix:    "Set CONTINUITY_CLIENT_IP_HEADER to the one header that your edge overwrites or appends to, and CONTINUITY_TRUSTED_PROXIES to the edge's addresses alone (nginx: proxy_set_header X-Forwarded-For $remote_addr).",
	}.found("a forged %s is believed", name)
}

// exhaust creates until the service says that it is enough, or the flood is spent.
func (in *inspection) exhaust(ctx context.Context) (bool, error) {
	for range in.o.Flood {
		if enough, err := in.refuses(ctx, mint()); enough || err != nil {
			return enough, err
		}
	}
	return false, nil
}

func (in *inspection) refuses(ctx context.Context, r request) (bool, error) {
	r.impatient = true
	a, err := in.edge.ask(ctx, r)
	return a.status == http.StatusTooManyRequests, err
}

// believes tells whether a forged address is let in each time that the true one has
// just been refused.
func (in *inspection) believes(ctx context.Context, name, format string, salt int) (bool, error) {
	for i := range believedTimes {
		refused, err := in.exhaust(ctx)
		if err != nil || !refused {
			return false, err
		}
		address := fmt.Sprintf("203.0.113.%d", 1+salt*believedTimes+i)
		stopped, err := in.refuses(ctx, mint().with(name, fmt.Sprintf(format, address)))
		if err != nil || stopped {
			return false, err
		}
	}
	return true, nil
}
