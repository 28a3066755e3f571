package journey

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxID bounds the names that clients give to sessions and events, in bytes.
const maxID = 128

// ParseSession takes a client's name for a session; see ParseEventID.
func ParseSession(raw string) (Session, bool) {
	if !usableID(raw) {
		return "", false
	}
	return Session(raw), true
}

// ParseEventID takes a client's name for an event as it is, or not at all: names
// of 1 to 128 bytes that cleaning would change are unusable, because two
// different broken names must never become one.
func ParseEventID(raw string) (EventID, bool) {
	if !usableID(raw) {
		return "", false
	}
	return EventID(raw), true
}

func usableID(raw string) bool {
	if raw == "" || len(raw) > maxID || !utf8.ValidString(raw) {
		return false
	}
	broken := strings.ContainsFunc(raw, func(r rune) bool {
		return unicode.IsControl(r) || r == utf8.RuneError
	})
	return !broken && strings.TrimSpace(raw) == raw && RedactEmails(raw) == raw
}
