package identity

import (
	"crypto/sha256"
	"encoding/base64"
)

// Key is a visitor key: 128 bits from the system's random source, held by a
// browser. It can append and never read. It is never stored; KeyHash is.
type Key [16]byte

// KeyHash is the SHA-256 of a visitor key, the only form of it that is stored.
type KeyHash [sha256.Size]byte

// keyText is base64url without padding; Strict refuses a second spelling of the same bits.
var keyText = base64.RawURLEncoding.Strict()

// KeyLength is the length of a key's text form.
const KeyLength = 22

// ParseKey reads the 22 base64url characters of a key. ok is false for anything else.
func ParseKey(text string) (key Key, ok bool) {
	if len(text) != KeyLength {
		return Key{}, false
	}
	n, err := keyText.Decode(key[:], []byte(text))
	return key, err == nil && n == len(key)
}

// String is the key as a cookie carries it: a secret, not to be logged.
func (k Key) String() string { return keyText.EncodeToString(k[:]) }

// Hash is what may be stored of a key.
func (k Key) Hash() KeyHash { return sha256.Sum256(k[:]) }
