package identity

// LeadKey is an address as the database knows it: its HMAC, and the pepper that
// made it.
type LeadKey struct {
	Pepper string // Pepper.ID
	HMAC   EmailHMAC
}

// Peppers are the live ones, the current one first. A lead is written under each.
type Peppers []Pepper

// Keys are all the keys of one address.
func (p Peppers) Keys(email Email) []LeadKey {
	keys := make([]LeadKey, len(p))
	for i, pepper := range p {
		keys[i] = LeadKey{Pepper: pepper.ID(), HMAC: pepper.HMAC(email)}
	}
	return keys
}
