package scan

import (
	"encoding/hex"
	"strings"
)

// VisitorID is a UUID of version 4 that a browser holds in the cookie visitor_id.
type VisitorID [16]byte

// NewVisitorID makes an id of 16 random bytes (RFC 9562, 5.4).
func NewVisitorID(random [16]byte) VisitorID {
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	return random
}

// visitorIDLength is the length of a UUID's text: 32 digits and four hyphens.
const visitorIDLength = 36

// ParseVisitorID reads the canonical text of a UUID of version 4, in either case.
// ok is false for anything else.
func ParseVisitorID(text string) (id VisitorID, ok bool) {
	if len(text) != visitorIDLength || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return VisitorID{}, false
	}
	n, err := hex.Decode(id[:], []byte(strings.ReplaceAll(text, "-", "")))
	if err != nil || n != len(id) || id[6]>>4 != 4 || id[8]>>6 != 2 {
		return VisitorID{}, false
	}
	return id, true
}

// String is the canonical text, in lower case.
func (v VisitorID) String() string {
	h := hex.EncodeToString(v[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}
