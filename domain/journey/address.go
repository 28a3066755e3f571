package journey

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// localStart is where the local part that ends before at begins; at itself when
// there is none. Signs in front of the first letter, digit or "_" belong to the
// sentence, unless there is nothing else.
func localStart(text []byte, at int) int {
	if at > 0 && text[at-1] == '"' {
		return quotedStart(text, at)
	}
	from := at
	for from > 0 {
		r, size := utf8.DecodeLastRune(text[:from])
		if !inLocal(r) {
			break
		}
		from -= size
	}
	for i := from; i < at; {
		r, size := utf8.DecodeRune(text[i:])
		if r == '_' || isWord(r) {
			return i
		}
		i += size
	}
	return from
}

// maxQuoted bounds how far back a quoted local part is looked for.
const maxQuoted = 66

// quotedStart finds the opening quote of a quoted local part.
func quotedStart(text []byte, at int) int {
	floor := max(0, at-1-maxQuoted)
	i := bytes.LastIndexByte(text[floor:at-1], '"')
	if i < 0 || floor+i == at-2 {
		return at
	}
	return floor + i
}

// inLocal reports a character that a local part may hold here: of the ASCII ones
// those that separate nothing in a URL or a sentence, of the others all but
// white space and punctuation. Lost bytes (U+FFFD) count as letters.
func inLocal(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(r) || bytes.IndexByte([]byte("!$%'*+-.^_`{|}~"), byte(r)) >= 0
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r)
}

// domainEnd is where the domain that begins at from ends: the longest run of
// labels that ends in a top-level name. It is 0 when there is none. Signs that
// are no letters may stand in the first label only: behind it an emoji or a
// zero-width mark is the sentence going on.
func domainEnd(text []byte, from int) int {
	if from < len(text) && text[from] == '[' {
		return literalEnd(text, from)
	}
	end, labels, label := 0, 0, from
	lettered := false // the label before has a letter
	for i := from; ; {
		r, size := rune(0), 0
		if i < len(text) {
			r, size = utf8.DecodeRune(text[i:])
		}
		if inLabel(r) && (labels == 0 || r < utf8.RuneSelf || isWord(r)) {
			i += size
			continue
		}
		stop := trimHyphens(text, label, i)
		if stop == label {
			return end
		}
		if labels++; labels > 1 && isTopLevel(text[label:stop], lettered) && !isPicture(text[from:stop]) {
			end = stop
		}
		if !isDot(r) || stop < i || (end != 0 && r != '.') {
			return end
		}
		lettered = hasLetter(text[label:stop])
		i += size
		label = i
	}
}

// literalEnd is where an IP address in brackets ends.
func literalEnd(text []byte, from int) int {
	const longest = 64
	rest := text[from:min(len(text), from+longest)]
	i := bytes.IndexByte(rest, ']')
	if i < 2 || bytes.IndexFunc(rest[1:i], func(r rune) bool { return '0' <= r && r <= '9' }) < 0 {
		return 0
	}
	for _, b := range rest[1:i] {
		if !isASCIIWord(rune(b)) && b != '.' && b != ':' {
			return 0
		}
	}
	return from + i + 1
}

func trimHyphens(text []byte, from, to int) int {
	for to > from && (text[to-1] == '-' || text[to-1] == '_') {
		to--
	}
	return to
}

// inLabel reports a character of a domain's label.
func inLabel(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(r) || r == '-' || r == '_'
	}
	return !isDot(r) && !unicode.IsSpace(r) && !unicode.IsPunct(r)
}

// isDot reports what separates labels: UTS-46 knows three more full stops.
func isDot(r rune) bool {
	return r == '.' || r == '\u3002' || r == '\uff0e' || r == '\uff61'
}

// isTopLevel reports a name that can end a domain: it begins with a letter and
// has two characters, or one if the label before it is no number ("16.x").
func isTopLevel(label []byte, lettered bool) bool {
	first, size := utf8.DecodeRune(label)
	if '0' <= first && first <= '9' || first == '-' || first == '_' {
		return false
	}
	return len(label) > size || lettered
}

func hasLetter(label []byte) bool {
	return bytes.ContainsFunc(label, func(r rune) bool { return r < '0' || r > '9' })
}

// isPicture reports the end of a file name like "logo@2x.png".
func isPicture(domain []byte) bool {
	if len(domain) < 4 || domain[0] < '1' || domain[0] > '9' || domain[1]|0x20 != 'x' || domain[2] != '.' {
		return false
	}
	switch string(bytes.ToLower(domain[3:])) {
	case "png", "jpg", "jpeg", "gif", "webp", "avif", "svg":
		return true
	}
	return false
}

func isASCIIWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(r)
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N) || r == utf8.RuneError
}
