package replay

import (
	"net/http"
	"time"
)

// jar holds the one cookie that matters. The standard library's jar would not
// send a Secure cookie over http, and a replay on loopback has to.
type jar struct {
	name    string
	value   string // empty: no cookie
	retired string // what was held before the last reset
}

// keep does what a browser does with an answer's cookies.
func (j *jar) keep(a answer) {
	if a.cookie == nil {
		return
	}
	j.value = a.cookie.Value
	if a.expires() {
		j.value = ""
	}
}

// answer is what a browser sees of a response.
type answer struct {
	status  int
	body    int          // octets
	cookie  *http.Cookie // the last one of the key's name; nil without
	noStore bool
}

func (a answer) expires() bool {
	c := a.cookie
	return c != nil && (c.Value == "" || c.MaxAge < 0 || (c.MaxAge == 0 && !c.Expires.IsZero() && c.Expires.Before(time.Now())))
}

// gives tells whether the answer sets a key that lives.
func (a answer) gives() bool { return a.cookie != nil && !a.expires() }
