package journey

import "strings"

// redacted stands in a stored text where an e-mail address was.
const redacted = "[redacted]"

// span is a range of bytes, from and including the first up to the second.
type span struct{ from, to int }

// RedactEmails replaces every e-mail address in a text by "[redacted]": plain,
// percent-encoded to any depth, with entities or \u escapes for its characters,
// or in any mix of them. All other bytes stay as they are.
//
// A local part reaches back to white space or to a character that separates
// things in a URL or a sentence, so that "/u/ana@example.org/settings" keeps its
// neighbours and "ana+shop@example.org" goes whole. In doubt it takes too much
// rather than too little. What has no dotted name behind its @ is no address:
// hosts without a dot, map coordinates, package versions and "@2x.png" stay.
//
// The time is linear in the length of the text.
func RedactEmails(text string) string {
	if !mayHideAddress(text) {
		return text
	}
	plain := unfold(text)
	spans := addresses(plain.text)
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for _, s := range spans {
		from, to := plain.source(s.from, s.to)
		out.WriteString(text[done:from])
		out.WriteString(redacted)
		done = to
	}
	out.WriteString(text[done:])
	return out.String()
}

// addresses finds the e-mail addresses in a plain text, in order; those that
// overlap are one.
func addresses(text []byte) (found []span) {
	for i, b := range text {
		if b != '@' {
			continue
		}
		from := localStart(text, i)
		to := domainEnd(text, i+1)
		if from == i || to == 0 {
			continue
		}
		if n := len(found); n > 0 && found[n-1].to >= from {
			found[n-1].to = max(found[n-1].to, to)
			continue
		}
		found = append(found, span{from, to})
	}
	return found
}
