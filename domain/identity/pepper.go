package identity

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// EmailHMAC is HMAC-SHA256(secret, canonical address in UTF-8): the stitching
// key (R3). Two are compared for equality and nothing else.
type EmailHMAC [32]byte

// Pepper is one secret under which addresses are hashed. Printing one shows its
// id, never the secret.
type Pepper struct {
	secret []byte
	id     string
}

// NewPepper takes a copy of secret, whose bytes are used as they are.
func NewPepper(secret []byte) Pepper {
	sum := hmacSHA256(secret, "continuity pepper id")
	id := "n" + strconv.Itoa(NormaliserVersion) + "-" + hex.EncodeToString(sum[:8])
	return Pepper{secret: bytes.Clone(secret), id: id}
}

// ID names the pepper and the normaliser's version, e.g. "n1-0123456789abcdef".
// It is stable, may be shown, and tells nothing about the secret.
func (p Pepper) ID() string { return p.id }

// HMAC is the stitching key of an address under this pepper.
func (p Pepper) HMAC(e Email) EmailHMAC { return hmacSHA256(p.secret, string(e)) }

// String is the id, so that a logged pepper gives no secret away.
func (p Pepper) String() string { return p.id }

// GoString is the id, for the same reason.
func (p Pepper) GoString() string { return p.id }

func hmacSHA256(secret []byte, text string) (sum [32]byte) {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	mac.Sum(sum[:0])
	return sum
}
