package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"

	"continuity/domain/fault"
)

// absent is the word in the list that lets in requests which say nothing of where
// they come from.
const absent = "absent"

// preflightAge is how long a browser may remember a preflight's answer, in seconds.
const preflightAge = 600

var errForeign = fault.New(fault.Forbidden, "", "requests from this origin are not accepted")

// Origins are the sites besides our own whose pages may write (§5).
type Origins struct {
	listed map[string]struct{}
	absent bool
}

// ParseOrigins reads a list of origins such as https://www.example.org or
// http://localhost:3000, and of the word absent, which accepts requests with neither an
// Origin nor a Sec-Fetch-Site: old clients and servers. A wildcard is refused.
func ParseOrigins(list []string) (Origins, error) {
	origins := Origins{listed: map[string]struct{}{}}
	for _, entry := range list {
		entry = strings.TrimSpace(entry)
		if entry == absent {
			origins.absent = true
			continue
		}
		normal, ok := normalOrigin(entry)
		if !ok {
			return Origins{}, errors.New("an origin is written as https://host or https://host:port, with nothing after it")
		}
		origins.listed[normal] = struct{}{}
	}
	return origins, nil
}

// guard lets through what comes from our own origin or from a listed one, and
// answers to a listed one so that its browser shows the page the answer.
func (o Origins) guard(next http.Handler) http.Handler {
	shared := cors.New(cors.Options{
		AllowOriginFunc:  o.lists,
		AllowedMethods:   []string{http.MethodPost},
		AllowedHeaders:   []string{"Content-Type"},
		AllowCredentials: true,
		MaxAge:           preflightAge,
	}).Handler(next)
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", neverCached)
		if !o.accepts(r) {
			w.Header().Set("Vary", "Origin")
			return errForeign
		}
		shared.ServeHTTP(w, r)
		return nil
	})
}

func (o Origins) accepts(r *http.Request) bool {
	sent, site := r.Header["Origin"], r.Header.Get("Sec-Fetch-Site")
	switch {
	case len(sent) > 1 || len(sent) == 1 && sent[0] == "null":
		return false
	case site == "same-origin":
		return true
	case len(sent) == 0:
		return site == "" && o.absent
	}
	return o.lists(sent[0]) || sameHost(sent[0], r.Host)
}

func (o Origins) lists(origin string) bool {
	normal, ok := normalOrigin(origin)
	if !ok {
		return false
	}
	_, listed := o.listed[normal]
	return listed
}

// sameHost compares an Origin with a Host header. Which scheme the Host was asked
// under is not known behind a proxy, so the Origin's own says which port goes
// without saying.
func sameHost(origin, host string) bool {
	normal, ok := normalOrigin(origin)
	if !ok || host == "" {
		return false
	}
	scheme, _, _ := strings.Cut(normal, "://")
	ours, ok := normalOrigin(scheme + "://" + host)
	return ok && ours == normal
}

// normalOrigin is scheme://host[:port] in lower case, without the scheme's own port.
func normalOrigin(text string) (string, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || strings.Contains(u.Host, "*") {
		return "", false
	}
	// Anything behind the host would make the text longer than this.
	if !strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", false
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	default:
		return "", false
	}
	return scheme + "://" + strings.TrimSuffix(host, ":"), true
}
