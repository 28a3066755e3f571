package scan_test

import (
	"testing"

	"continuity/domain/scan"
)

// FuzzTreeID holds that an id that is accepted is the text itself.
func FuzzTreeID(f *testing.F) {
	for _, text := range []string{"oak", "%00", "../x", "a\x00b", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if id, ok := scan.ParseTreeID(text); ok && string(id) != text {
			t.Fatalf("%q became %q", text, id)
		}
	})
}
