package httpapi

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/realclientip/realclientip-go"
	"golang.org/x/net/http/httpguts"
)

// Proxies are those in front of us whose word we take on who is calling. The zero
// value trusts nobody: the peer is the client.
type Proxies struct {
	trusted []net.IPNet
	header  string // canonical; empty: no header tells of the client
	// read gives the address in one entry of the header, empty if there is none.
	read realclientip.Strategy
	list bool // the header is a list, to which every proxy appends
}

// ParseProxies reads addresses and networks such as 192.0.2.1 or 2001:db8::/32, and
// the one header in which those proxies tell the client's address: X-Forwarded-For,
// Forwarded, or one with a single address such as X-Real-IP. Its error names what is
// wrong and neither setting.
func ParseProxies(networks []string, header string) (Proxies, error) {
	var p Proxies
	var err error
	for _, network := range networks {
		parsed, err := realclientip.AddressesAndRangesToIPNets(strings.TrimSpace(network))
		if err != nil {
			return p, ErrNetwork
		}
		p.trusted = append(p.trusted, parsed...)
	}
	if header == "" {
		return p, nil
	}
	if !httpguts.ValidHeaderFieldName(header) {
		return p, ErrHeader
	}
	p.header = http.CanonicalHeaderKey(header)
	p.list = p.header == "X-Forwarded-For" || p.header == "Forwarded"
	if p.list {
		p.read, err = realclientip.NewRightmostTrustedRangeStrategy(p.header, nil)
	} else {
		p.read, err = realclientip.NewSingleIPHeaderStrategy(p.header)
	}
	if err != nil {
		return p, ErrHeader
	}
	return p, nil
}

// What ParseProxies may object to.
var (
	ErrNetwork = errors.New("must be addresses or networks such as 192.0.2.1 or 2001:db8::/32, with commas between them")
	ErrHeader  = errors.New("must be the name of a header such as X-Forwarded-For")
)

// Client is the address that a request comes from, without port or zone: the peer's
// or, if that is a trusted proxy, what the header says. In a list that is the entry
// furthest to the right which is no trusted proxy; all lines of the header are one
// list, and entries that are no address are passed over. Empty if nobody can tell.
func (p Proxies) Client(r *http.Request) string {
	at := peer(r)
	if p.header == "" || !p.trusts(at) {
		return at
	}
	values := r.Header[p.header]
	for i := len(values) - 1; i >= 0; i-- {
		for rest, more := values[i], true; more; {
			entry := rest
			if more = p.list; more {
				rest, entry, more = cutLast(rest)
			}
			if address := p.address(entry); address != "" && !(p.list && p.trusts(address)) {
				return address
			}
		}
	}
	return at
}

// cutLast parts a list before its last entry.
func cutLast(list string) (rest, last string, more bool) {
	if i := strings.LastIndexByte(list, ','); i >= 0 {
		return list[:i], list[i+1:], true
	}
	return "", list, false
}

// address is what one entry says. One with a zone is an address on somebody else's
// link, and no client of ours.
func (p Proxies) address(entry string) string {
	told := p.read.ClientIP(http.Header{p.header: {entry}}, "")
	address, err := netip.ParseAddr(told)
	if err != nil || address.Zone() != "" {
		return ""
	}
	return address.Unmap().String()
}

// behind says whether the peer of a request is a trusted proxy.
func (p Proxies) behind(r *http.Request) bool { return p.trusts(peer(r)) }

func (p Proxies) trusts(address string) bool {
	if len(p.trusted) == 0 {
		return false
	}
	ip := net.ParseIP(address)
	for _, network := range p.trusted {
		if network.Contains(ip) {
			return true
		}
	}
	return false
}

// peer is the address of whoever is connected, without its zone.
func peer(r *http.Request) string {
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return address.Addr().Unmap().WithZone("").String()
}
