package verify

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

var sevenDays = hazard{
	danger: "Safari keeps the cookie for 7 days instead of 400: whoever returns later is a new device.",
	fix:    "Serve /v1/ on the page's own host, through the same edge; or give the endpoint's host A and AAAA records beside the page's (the first 16 bits of IPv4, the first 64 of IPv6), and no CNAME to another domain.",
}

var thirdParty = hazard{
	danger: "The cookie is a third party's: Safari and Firefox keep it apart or refuse it, and SameSite=Lax never sends it.",
	fix:    "Serve the endpoint on the page's own host, or on a host below the same domain.",
}

// checkSafari is WebKit's rule for cookies that an answer to a sub-resource sets
// (Safari 16.4 on): the answers of the page's own origin are exempt.
func checkSafari(ctx context.Context, in *inspection) (finding, error) {
	if in.o.Page == "" {
		return skipped("no page was named (--page): on the endpoint's own origin the cookie lives its 400 days"), nil
	}
	page, err := url.Parse(in.o.Page)
	if err != nil {
		return finding{}, err
	}
	endpoint, err := url.Parse(in.o.URL)
	if err != nil {
		return finding{}, err
	}
	if sameOrigin(page, endpoint) {
		return safe("page and endpoint are one origin: 400 days"), nil
	}
	at, from := strings.ToLower(endpoint.Hostname()), strings.ToLower(page.Hostname())
	if site(at) != site(from) {
		return thirdParty.found("%s and %s are two sites", from, at), nil
	}
	resolver := in.o.resolver()
	if target := canonical(ctx, resolver, at); site(target) != site(from) {
		return sevenDays.found("%s is a CNAME to another domain, %s", at, site(target)), nil
	}
	ours, err := addresses(ctx, resolver, at)
	if err != nil {
		return finding{}, err
	}
	pages, err := addresses(ctx, resolver, from)
	if err != nil {
		return finding{}, err
	}
	if far := apart(pages, ours); far != "" {
		return sevenDays.found("%s and %s are far from each other: %s", from, at, far), nil
	}
	return safe("%s and %s are near each other, without a foreign CNAME: 400 days", from, at), nil
}

// site is the registrable domain of a host; an address or a single name is its own.
func site(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

// longestChain bounds how many names a host may have one after the other.
const longestChain = 10

// canonical is the end of a host's chain of CNAMEs; the host itself without one. The
// resolver goes one step at a time, or all at once, as it is built.
func canonical(ctx context.Context, resolver *net.Resolver, host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	for range longestChain {
		target, err := resolver.LookupCNAME(ctx, host)
		// The addresses are looked up next, and tell why there are none.
		if target = strings.TrimSuffix(strings.ToLower(target), "."); err != nil || target == host {
			break
		}
		host = target
	}
	return host
}

func addresses(ctx context.Context, resolver *net.Resolver, host string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip.Unmap()}, nil
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", host, err)
	}
	for i := range found {
		found[i] = found[i].Unmap().WithZone("")
	}
	return found, nil
}

// apart says which addresses of a page and of an endpoint a browser could meet that
// are far from each other, and nothing when all are near. Where only one of the two has
// IPv6, a browser reaches the one by IPv6 and the other by IPv4: those share nothing.
func apart(page, endpoint []netip.Addr) string {
	for _, family := range []struct {
		name string
		of   func(netip.Addr) bool
		bits int
	}{{"IPv4", netip.Addr.Is4, 16}, {"IPv6", netip.Addr.Is6, 64}} {
		ours := slices.DeleteFunc(slices.Clone(endpoint), func(a netip.Addr) bool { return !family.of(a) })
		theirs := slices.DeleteFunc(slices.Clone(page), func(a netip.Addr) bool { return !family.of(a) })
		if (len(ours) == 0) != (len(theirs) == 0) {
			return "only one of them has " + family.name
		}
		for _, p := range theirs {
			near := netip.PrefixFrom(p, family.bits).Masked()
			for _, e := range ours {
				if !near.Contains(e) {
					return fmt.Sprintf("%s and %s share less than %d bits", p, e, family.bits)
				}
			}
		}
	}
	return ""
}
