package journey

import (
	"bytes"
	"strconv"
)

// maxEntity is the longest entity looked for, in bytes.
const maxEntity = 12

// entity reads the HTML entity of an ASCII character, or of the full-width @, at
// the end of text.
func entity(text []byte) (byte, int) {
	from := max(0, len(text)-maxEntity)
	i := bytes.LastIndexByte(text[from:], '&')
	if i < 0 {
		return 0, 0
	}
	name := string(text[from+i+1 : len(text)-1])
	width := len(text) - from - i
	switch name {
	case "commat":
		return '@', width
	case "period":
		return '.', width
	case "plus":
		return '+', width
	case "amp":
		return '&', width
	case "percnt":
		return '%', width
	}
	if b, ok := numericEntity(name); ok {
		return b, width
	}
	return 0, 0
}

// numericEntity reads "#64" or "#x40" as an ASCII character; the code points of
// a wide @ count as @.
func numericEntity(name string) (byte, bool) {
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil:
		return 0, false
	case code == 0xFF20 || code == 0xFE6B:
		return '@', true
	}
	return byte(code), 0 < code && code < 0x80
}
