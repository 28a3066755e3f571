package app

// Secret is a setting that must not be printed. It tells an empty value from none.
type Secret struct {
	text string
	set  bool
}

// NewSecret holds text, which may be empty.
func NewSecret(text string) Secret { return Secret{text: text, set: true} }

// Decode takes the text as it is.
func (s *Secret) Decode(text string) error {
	*s = NewSecret(text)
	return nil
}

// String tells only whether there is one.
func (s Secret) String() string {
	if s.set {
		return "[set]"
	}
	return "[not set]"
}

// GoString is String, for the same reason.
func (s Secret) GoString() string { return s.String() }
