package capture

type event struct {
	id      string
	at      int64
	session string
	kind    string
	page    Page
	props   string // JSON, or nothing
}

// pair is one member of an object of strings.
type pair struct{ name, value string }

// eventJSON writes the bytes that JSON.stringify would, every text cleaned and
// cut. Only a page view has a referrer.
func eventJSON(e event) string {
	b := append([]byte(`{"id":`), quoted(e.id)...)
	b = append(b, `,"at":`...)
	b = append(b, decimal(e.at)...)
	for _, p := range []pair{{"session", e.session}, {"kind", Text(e.kind)}, {"url", Text(e.page.URL)},
		{"title", Text(e.page.Title)}, {"referrer", Text(e.page.Referrer)}} {
		if p.name != "referrer" || e.kind == PageView {
			b = appendPair(append(b, ','), p)
		}
	}
	if e.props != "" {
		b = append(append(b, `,"props":`...), e.props...)
	}
	return string(append(b, '}'))
}

// object writes an object of strings.
func object(pairs ...pair) string {
	b := []byte{'{'}
	for i, p := range pairs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendPair(b, p)
	}
	return string(append(b, '}'))
}

func appendPair(b []byte, p pair) []byte {
	return appendString(append(appendString(b, p.name), ':'), p.value)
}

func quoted(s string) string { return string(appendString(nil, s)) }

// units is a string's length as JavaScript counts it.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

const hex = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; ch {
		case '"', '\\':
			b = append(b, '\\', ch)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			if ch < ' ' {
				b = append(b, '\\', 'u', '0', '0', hex[ch>>4], hex[ch&15])
			} else {
				b = append(b, ch)
			}
		}
	}
	return append(b, '"')
}
