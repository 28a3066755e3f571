package journey

// unfolded is a text with every escape in it undone, down to the last level, and
// for each byte of it the place in the source where what it stands for begins.
// Bytes of the source are never shared, so that byte i stands for the source
// from start[i] up to start[i+1].
type unfolded struct {
	text  []byte
	start []int32
	size  int
}

// unfold undoes percent-encoding of any depth, \u0040 and \x40, HTML entities,
// and the wide forms of @, in any mix. It is one pass with a stack: what an
// escape stands for is put in its place and looked at again, each step making
// the text shorter, so that the time is linear however deep the nesting.
func unfold(source string) unfolded {
	u := unfolded{
		text:  make([]byte, 0, len(source)),
		start: make([]int32, 0, len(source)+1),
		size:  len(source),
	}
	for i := range len(source) {
		u.text = append(u.text, source[i])
		u.start = append(u.start, int32(i))
		for u.fold() {
		}
	}
	return u
}

// source is the range of the source that the bytes from i to j stand for.
func (u *unfolded) source(i, j int) (from, to int) {
	to = u.size
	if j < len(u.start) {
		to = int(u.start[j])
	}
	return int(u.start[i]), to
}

// fold replaces an escape at the end of the text by the byte it stands for.
func (u *unfolded) fold() bool {
	b, width := escapeAtEnd(u.text)
	if width == 0 {
		return false
	}
	keep := len(u.text) - width
	u.text = append(u.text[:keep], b)
	u.start = u.start[:keep+1]
	return true
}

// escapeAtEnd finds the escape that text ends with: the byte it stands for and
// the number of bytes it takes, 0 when there is none.
func escapeAtEnd(text []byte) (b byte, width int) {
	n := len(text)
	if n < 3 {
		return 0, 0
	}
	last := text[n-1]
	switch {
	case hexValue(last) >= 0:
		return hexEscape(text)
	case last == ';':
		return entity(text)
	case last == 0xA0 && text[n-2] == 0xBC && text[n-3] == 0xEF, // U+FF20, full-width @
		last == 0xAB && text[n-2] == 0xB9 && text[n-3] == 0xEF: // U+FE6B, small @
		return '@', 3
	}
	return 0, 0
}

// hexEscape reads %40, \x40 and \u0040 at the end of a text of three bytes or more.
func hexEscape(text []byte) (byte, int) {
	n := len(text)
	high := hexValue(text[n-2])
	if high < 0 {
		return 0, 0
	}
	b := byte(high<<4 | hexValue(text[n-1]))
	switch {
	case text[n-3] == '%':
		return b, 3
	case b >= 0x80 || n < 4:
		return 0, 0
	case text[n-3] == 'x' && text[n-4] == '\\':
		return b, 4
	case n >= 6 && string(text[n-6:n-2]) == `\u00`:
		return b, 6
	}
	return 0, 0
}

func hexValue(b byte) int {
	switch {
	case '0' <= b && b <= '9':
		return int(b - '0')
	case 'a' <= b && b <= 'f':
		return int(b-'a') + 10
	case 'A' <= b && b <= 'F':
		return int(b-'A') + 10
	}
	return -1
}
