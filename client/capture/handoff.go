package capture

// Mint asks for a token for a destination and calls done with it, or with
// nothing if there was none. Without consent, and after a reset, it never calls.
func (c *Client) Mint(host string, done func(token string)) {
	c.do(func() {
		c.request(job{path: HandoffPath, extra: `,"destination":` + quoted(host), done: done})
	})
}

// Decorate puts a token into the query of a link, before its fragment, and
// leaves the rest as it is.
func Decorate(href, token string) string {
	base := before(href, "#")
	mark := "?"
	if contains(base, "?") {
		mark = "&"
	}
	return base + mark + TokenParam + "=" + token + href[len(base):]
}

// IsDestination tells whether a host is in the site's list, exactly as it
// stands there, between white space or commas.
func IsDestination(list, host string) bool {
	word := ""
	for i := 0; i <= len(list); i++ {
		if i < len(list) && list[i] > ' ' && list[i] != ',' {
			word += list[i : i+1]
			continue
		}
		if word == host && host != "" {
			return true
		}
		word = ""
	}
	return false
}

// IsDecorated tells whether the query of a link has a token already.
func IsDecorated(search string) bool { return contains(search, TokenParam+"=") }
