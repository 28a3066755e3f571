package identity

// Email is a canonical address; only NormalizeEmail makes one.
type Email string

// EmailHMAC is the stitching key of a person.
type EmailHMAC [32]byte

func NormalizeEmail(raw string) (Email, error) { return Email(raw), nil }

type Pepper struct{}

func (Pepper) ID() string               { return "" }
func (Pepper) HMAC(Email) (h EmailHMAC) { return h }
