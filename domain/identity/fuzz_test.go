package identity_test

import (
	"testing"

	"continuity/domain/identity"
)

// FuzzEmail holds that what is accepted as an address is in its normal form: read again, it is the same.
func FuzzEmail(f *testing.F) {
	for _, text := range []string{"ana@example.org", " MAILTO:Ana+tag@Bücher.example?x ", "a@b@c", "\u200bana@example.org.", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		person, err := identity.NewPerson(text, "", "")
		if err != nil {
			return
		}
		again, err := identity.NewPerson(string(person.Email), "", "")
		if err != nil || again.Email != person.Email {
			t.Fatalf("%q is not normal: %q, %v", person.Email, again.Email, err)
		}
	})
}
