package journey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxURL bounds a stored URL, in bytes.
const maxURL = 2048

// CleanURL gives a page's URL as it may be stored, and the campaign its query
// named. What is no http or https URL with a host, and no path that begins with
// a single "/", gives "".
//
// The form is that of the WHATWG URL Standard where that makes one page of two
// spellings: scheme and host in lower case, an international host in ASCII, no
// default port, no user and password, no fragment, a path of at least "/",
// everything outside printable ASCII percent-encoded as UTF-8. What is encoded
// already stays as it is, malformed or not, and so do dot segments. Then e-mail
// addresses are replaced, and the URL is cut to 2,048 bytes, never inside a
// character, plain or encoded. The result is its own CleanURL.
//
// The standard library's parser is not used: it refuses URLs that browsers visit.
func CleanURL(raw string) (url string, campaign Campaign) {
	raw = strings.TrimFunc(Clean(raw), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if strings.ContainsAny(raw, "\t\n\r") {
		raw = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
	}
	raw, _, _ = strings.Cut(raw, "#")
	origin, rest, ok := splitOrigin(raw)
	if !ok {
		return "", nil
	}
	path, query, asked := strings.Cut(rest, "?")
	campaign = campaignOf(query)

	var out strings.Builder
	out.Grow(len(path) + len(query) + 2)
	escape(&out, path, pathEscapes)
	if asked {
		out.WriteByte('?')
		escape(&out, query, queryEscapes)
	}
	return origin + cutURL(RedactEmails(out.String()), maxURL-len(origin)), campaign
}

// splitOrigin takes the scheme and the host off a URL, in their stored form. The
// rest begins with "/"; the origin of a mere path is empty.
func splitOrigin(raw string) (origin, rest string, ok bool) {
	if strings.HasPrefix(raw, "/") {
		return "", raw, len(raw) < 2 || raw[1] != '/' && raw[1] != '\\'
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok || len(scheme) > len("https") {
		return "", "", false
	}
	port := ""
	switch scheme = strings.ToLower(scheme); scheme {
	case "http":
		port = "80"
	case "https":
		port = "443"
	default:
		return "", "", false
	}
	end := strings.IndexAny(rest, `/\?`)
	if end < 0 {
		end = len(rest)
	}
	host, ok := cleanHost(rest[:end], port)
	if !ok {
		return "", "", false
	}
	rest = rest[end:]
	if rest == "" || rest[0] == '?' {
		rest = "/" + rest
	}
	return scheme + "://" + host, rest, true
}

// What is percent-encoded in a path and in a query, beside all that is not
// printable ASCII (the path and special-query sets of the URL Standard).
const (
	pathEscapes  = " \"<>^`{}"
	queryEscapes = " \"<>'"
)

// escape writes part with what must be percent-encoded; a backslash in a path is
// a slash, as in browsers.
func escape(out *strings.Builder, part, set string) {
	const digits = "0123456789ABCDEF"
	for i := range len(part) {
		b := part[i]
		switch {
		case b == '\\' && set == pathEscapes:
			out.WriteByte('/')
		case b <= ' ' || b >= 0x7f || strings.IndexByte(set, b) >= 0:
			out.WriteByte('%')
			out.WriteByte(digits[b>>4])
			out.WriteByte(digits[b&15])
		default:
			out.WriteByte(b)
		}
	}
}

// cutURL shortens an encoded URL to at most limit bytes, before the mark, the
// escape or the encoded character that does not fit whole.
func cutURL(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	short := cut(text, limit)
	if i := strings.LastIndexByte(short[max(0, len(short)-2):], '%'); i >= 0 {
		if from := max(0, len(short)-2) + i; escaped(text[from:]) >= 0 {
			short = short[:from]
		}
	}
	if b := escaped(text[len(short):]); b < 0x80 || b >= 0xC0 {
		return short
	}
	for back := 3; back <= 3*(utf8.UTFMax-1) && back <= len(short); back += 3 {
		b := escaped(short[len(short)-back:])
		if b >= 0xC0 {
			return short[:len(short)-back]
		}
		if b < 0x80 {
			break
		}
	}
	return short
}

// escaped is the byte that the escape at the beginning of text stands for, -1
// when there is none.
func escaped(text string) int {
	if len(text) < 3 || text[0] != '%' {
		return -1
	}
	high, low := hexValue(text[1]), hexValue(text[2])
	if high < 0 || low < 0 {
		return -1
	}
	return high<<4 | low
}
