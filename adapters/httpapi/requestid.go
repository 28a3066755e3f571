package httpapi

import (
	"crypto/rand"
	"net/http"
	"regexp"
)

// passed is an id that a proxy gave a request, as far as it is fit for a log.
var passed = regexp.MustCompile("^[A-Za-z0-9._:/+=-]{1,128}$")

// requestID is what the log names a request by: the X-Request-ID of a trusted proxy,
// else one of our own. No answer shows it, so that answers tell nobody apart.
func (p Proxies) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-ID"); p.behind(r) && passed.MatchString(id) {
		return id
	}
	return rand.Text()[:16]
}
