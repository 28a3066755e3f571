package journey

import (
	"strings"
	"unicode/utf8"
)

// Clean gives text that every database takes: broken UTF-8 becomes U+FFFD, and
// NUL is dropped. Any other text is given back byte for byte.
func Clean(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return text
}

// scrub is the text of an event as it may be stored: clean, without e-mail
// addresses, and of at most limit bytes.
func scrub(text string, limit int) string {
	return cut(RedactEmails(Clean(text)), limit)
}

// cut shortens text to at most limit bytes, inside neither a rune nor the mark
// that stands for an address.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	from := max(0, limit-len(redacted)+1)
	around := text[from:min(len(text), limit+len(redacted)-1)]
	if i := strings.Index(around, redacted); i >= 0 && from+i < limit {
		limit = from + i
	}
	return text[:limit]
}
