package capture

import "unicode/utf8"

// redacted stands where an e-mail address stood.
const redacted = "[redacted]"

// TokenParam is the query parameter that carries a handoff's token.
const TokenParam = name

// cut shortens a text to so many bytes on a rune boundary. What is no UTF-8
// becomes U+FFFD.
func cut(s string, limit int) string {
	s = wellFormed(s)
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

// Text is a title or a property as it may be stored: no e-mail address, no half
// emoji, at most MaxValue bytes.
func Text(s string) string { return cut(scrub(s), MaxValue) }

// scrub replaces every run of characters that holds an e-mail address, plain or
// percent-encoded any number of times.
func scrub(s string) string {
	var b []byte
	for s != "" {
		run := runLength(s)
		if run == 0 {
			_, size := utf8.DecodeRuneInString(s)
			b = append(b, s[:size]...)
			s = s[size:]
			continue
		}
		if holdsAddress(s[:run]) {
			b = append(b, redacted...)
		} else {
			b = append(b, s[:run]...)
		}
		s = s[run:]
	}
	return string(b)
}

// runLength counts the bytes before the next character that ends an address.
func runLength(s string) int {
	for i, r := range s {
		if r <= ' ' || endsAddress(r) {
			return i
		}
	}
	return len(s)
}

func endsAddress(r rune) bool {
	for _, end := range "\"#&(),/:;<=>?[\\]|\u00a0\u3000" {
		if r == end {
			return true
		}
	}
	return false
}

// holdsAddress finds an at sign with something on either side of it.
func holdsAddress(run string) bool {
	for i := 1; i < len(run); i++ {
		if n := atSign(run[i:]); n > 0 && i+n < len(run) {
			return true
		}
	}
	return false
}

// atSign is the length of the at sign that s begins with: @, %40, %2540, ….
func atSign(s string) int {
	if s[0] == '@' {
		return 1
	}
	if s[0] != '%' {
		return 0
	}
	i := 1
	for hasPrefix(s[i:], "25") {
		i += 2
	}
	if hasPrefix(s[i:], "40") {
		return i + 2
	}
	return 0
}

// address is a URL as it may be stored, but for Text: http or https, without
// fragment and token. Of a long one the path and the campaign stay.
func address(url string) string {
	if !hasPrefix(url, "http") {
		return ""
	}
	url = withoutToken(before(url, "#"))
	if units(url) > MaxValue {
		url = campaignOnly(url)
	}
	if n := len(url); n > 0 && (url[n-1] == '?' || url[n-1] == '&') {
		url = url[:n-1]
	}
	return url
}

// withoutToken removes the first handoff token, which is a secret.
func withoutToken(url string) string {
	for i := 0; i < len(url); i++ {
		if startsParam(url[i]) && hasPrefix(url[i+1:], TokenParam+"=") {
			token := before(url[i+1:], "&")
			return url[:i+1] + url[min(i+1+len(token)+1, len(url)):]
		}
	}
	return url
}

// campaignOnly removes the parameters that do not say where the visitor came
// from.
func campaignOnly(url string) string {
	var b []byte
	for i := 0; i < len(url); i++ {
		b = append(b, url[i])
		for startsParam(url[i]) && i+1 < len(url) && !isCampaign(url[i+1:]) {
			i += len(before(url[i+1:], "&"))
			if i+1 == len(url) {
				break
			}
			i++
		}
	}
	return string(b)
}

func startsParam(ch byte) bool { return ch == '?' || ch == '&' }

// isCampaign knows utm_… and the click ids that end in clid.
func isCampaign(param string) bool {
	if hasPrefix(lowered(param[:min(len(param), 4)]), "utm_") {
		return true
	}
	end := 0
	for end < len(param) && isWord(param[end]) {
		end++
	}
	return end >= 4 && lowered(param[end-4:end]) == "clid" && hasPrefix(param[end:], "=")
}

// routeOf tells pages apart: a fragment counts only where it is a route.
func routeOf(url string) string {
	base := before(url, "#")
	if fragment := url[len(base):]; hasPrefix(fragment, "#/") || hasPrefix(fragment, "#!/") {
		return url
	}
	return base
}
