package handoff

import (
	"crypto/sha256"
	"encoding/base64"

	"continuity/domain/journey"
)

// Token is 144 bits from the system's random source, which a link carries to a
// destination. It is never stored; TokenHash is.
type Token [18]byte

// TokenHash is the SHA-256 of a token, the only form of it that is stored.
type TokenHash [sha256.Size]byte

// tokenText is base64url without padding; Strict refuses a second spelling of the same bits.
var tokenText = base64.RawURLEncoding.Strict()

const tokenLength = 24

// ParseToken reads the 24 base64url characters of a token. ok is false for anything else.
func ParseToken(text string) (token Token, ok bool) {
	if len(text) != tokenLength {
		return Token{}, false
	}
	n, err := tokenText.Decode(token[:], []byte(text))
	return token, err == nil && n == len(token)
}

// String is the token as a link carries it: a secret, not to be logged.
func (t Token) String() string { return tokenText.EncodeToString(t[:]) }

// Hash is what may be stored of a token.
func (t Token) Hash() TokenHash { return sha256.Sum256(t[:]) }

// ClaimID is the name under which one browser claims one token: the first binds
// it. It says nothing to us beyond being the same again.
type ClaimID string

// ParseClaimID reads a claim id; it obeys the same bounds as an event's.
func ParseClaimID(raw string) (id ClaimID, ok bool) {
	event, ok := journey.ParseEventID(raw)
	return ClaimID(event), ok
}
