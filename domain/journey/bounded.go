package journey

import "strings"

// Bounded is a text that people typed, cleaned, trimmed, and cut to limit bytes on
// a rune boundary.
func Bounded(text string, limit int) string {
	return cut(strings.TrimSpace(Clean(text)), limit)
}
