package app

import (
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"continuity/adapters/httpapi"
	"continuity/domain/handoff"
	"continuity/ports/scanning"
)

const (
	mostCookieAge = 400 * day // browsers keep no cookie longer
	leastPepper   = 8         // bytes
)

// problems are what is wrong with the settings; those of names are told by Load.
func (c Config) problems() []string {
	var p problems
	p.database(c)
	p.address("LISTEN", c.Listen)
	p.address("ADMIN_LISTEN", c.AdminListen)
	p.pepper(c)
	if _, err := httpapi.ParseOrigins(c.Origins); err != nil {
		p.say("ORIGINS", err.Error())
	}
	p.cookie(c)
	p.handoffs(c)
	if c.PublicURL != "" && scanning.CheckBase(c.PublicURL) != nil {
		p.say("PUBLIC_URL", "must be a public address such as https://www.example.org")
	}
	p.directory("DATA_DIR", c.DataDir)
	p.directory("SECRETS_DIR", c.SecretsDir)
	if c.LogFormat != "text" && c.LogFormat != "json" {
		p.say("LOG_FORMAT", "must be text or json")
	}
	p.limits(c)
	return p
}

type problems []string

func (p *problems) say(name, what string) { *p = append(*p, prefix+"_"+name+" "+what) }

func (p *problems) directory(name, path string) {
	if strings.TrimSpace(path) == "" || strings.Contains(path, "\x00") {
		p.say(name, "must name a directory")
	}
}

func (p *problems) database(c Config) {
	scheme, rest, _ := strings.Cut(c.DatabaseURL, "://")
	switch {
	case scheme == "sqlite" && rest != "" && !strings.ContainsAny(rest, "?#"):
	case c.postgres():
		if u, err := url.Parse(c.DatabaseURL); err != nil || u.Host == "" && u.Query().Get("host") == "" {
			p.say("DATABASE_URL", "must be postgres://user:password@host/database")
		}
	default:
		p.say("DATABASE_URL", "must be sqlite://path or postgres://user:password@host/database")
	}
}

func (p *problems) address(name, address string) {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		p.say(name, "must be an address such as :8080 or 127.0.0.1:8080")
	}
}

func (p *problems) pepper(c Config) {
	if c.SealKeys.set && c.SealKeysFile != "" {
		p.say("SEAL_KEYS", "and "+prefix+"_SEAL_KEYS_FILE must not both be set")
	}
	switch {
	case c.Pepper.set && c.PepperFile != "":
		p.say("PEPPER", "and "+prefix+"_PEPPER_FILE must not both be set")
	case c.Pepper.set && len(c.Pepper.text) < leastPepper:
		p.say("PEPPER", "must be at least 8 bytes")
	case !c.Pepper.set && c.PepperFile == "" && c.postgres():
		p.say("PEPPER", "or "+prefix+"_PEPPER_FILE is required with Postgres: every node needs the same one")
	}
}

func (p *problems) handoffs(c Config) {
	if _, err := c.destinations(); err != nil {
		p.say("DESTINATIONS", err.Error())
	}
	if c.HandoffTTL <= 0 || c.HandoffTTL > day {
		p.say("HANDOFF_TTL", "must be at most 1d: who has the link within that time may claim it")
	}
	if c.HeldFor <= 0 {
		p.say("HELD_FOR", "must not be unlimited: nobody has asked to be remembered yet")
	}
	if portal, ok := handoff.ParseDestination(c.DemoListen); c.Demo && (!ok || !strings.Contains(string(portal), ":")) {
		p.say("DEMO_LISTEN", "must be the host and port of the demonstration's portal, such as 127.0.0.1:8082")
	}
}

var (
	cookieName   = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")
	cookieDomain = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$`)
)

func (p *problems) cookie(c Config) {
	host, secure := strings.HasPrefix(c.CookieName, "__Host-"), strings.HasPrefix(c.CookieName, "__Secure-")
	if !cookieName.MatchString(c.CookieName) {
		p.say("COOKIE_NAME", "must be a token of at most 64 characters")
	}
	if host && c.CookieDomain != "" {
		p.say("COOKIE_DOMAIN", "must not be set with a __Host- cookie, which has none")
	}
	if (host || secure) && c.CookieInsecureLoopback {
		p.say("COOKIE_INSECURE_LOOPBACK", "must not be set with a __Host- or __Secure- cookie, which is always secure")
	}
	_, notIP := netip.ParseAddr(c.CookieDomain)
	if c.CookieDomain != "" && (notIP == nil || !cookieDomain.MatchString(c.CookieDomain)) {
		p.say("COOKIE_DOMAIN", "must be a domain such as example.org")
	}
	if c.CookieMaxAge < Period(1e9) || c.CookieMaxAge > mostCookieAge {
		p.say("COOKIE_MAX_AGE", "must be from 1s to 400d: browsers keep no cookie longer")
	}
}
