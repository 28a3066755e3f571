package journey

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxHost bounds a host name, in bytes: no longer one resolves.
const maxHost = 253

// hosts is UTS-46 as browsers apply it: non-transitional, with underscores and
// with hyphens anywhere.
var hosts = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.StrictDomainName(false),
	idna.CheckHyphens(false),
	idna.BidiRule(),
)

// cleanHost gives the host and port of a URL's authority in their stored form,
// without user and password and without the scheme's default port.
func cleanHost(authority, defaultPort string) (string, bool) {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i+1:]
	}
	port, ok := cleanPort(port, defaultPort)
	if !ok {
		return "", false
	}
	if strings.HasPrefix(host, "[") {
		ip, err := netip.ParseAddr(strings.TrimSuffix(host[1:], "]"))
		if err != nil || !ip.Is6() || ip.Zone() != "" || !strings.HasSuffix(host, "]") {
			return "", false
		}
		return "[" + ip.String() + "]" + port, true
	}
	host, ok = hostName(host)
	return host + port, ok
}

// cleanPort gives ":port", or nothing for the default.
func cleanPort(port, defaultPort string) (string, bool) {
	if port == "" {
		return "", true
	}
	if strings.Trim(port, "0123456789") != "" {
		return "", false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", false
	}
	if port = strconv.FormatUint(n, 10); port == defaultPort {
		return "", true
	}
	return ":" + port, true
}

// hostName gives a host's name in lower-case ASCII.
func hostName(host string) (string, bool) {
	if isStored(host) && !strings.Contains(host, "xn--") {
		return host, host != "" && len(host) <= maxHost
	}
	if len(host) > 8*maxHost {
		return "", false
	}
	host, err := url.PathUnescape(host)
	if err != nil {
		return "", false
	}
	host, err = hosts.ToASCII(host)
	if err != nil || !isStored(host) {
		return "", false
	}
	// A label may map to text that the mapping refuses, or maps further.
	again, err := hosts.ToASCII(host)
	return host, err == nil && again == host && host != "" && len(host) <= maxHost
}

// isStored reports a name of the characters that a stored one may have.
func isStored(host string) bool {
	for i := range len(host) {
		switch b := host[i]; {
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9', b == '.', b == '-', b == '_':
		default:
			return false
		}
	}
	return true
}
