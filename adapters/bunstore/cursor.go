package bunstore

import (
	"encoding/base64"
	"encoding/json"

	"continuity/domain/fault"
)

// cursor is where a page ended, as text that callers hand back and never read.
func cursor(place any) string {
	raw, err := json.Marshal(place)
	if err != nil {
		panic("bunstore: a cursor of plain numbers cannot be written: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

// parseCursor reads a cursor into place; given is false for the first page.
func parseCursor(text string, place any) (given bool, err error) {
	if text == "" {
		return false, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, place)
	}
	if err != nil {
		return false, fault.New(fault.Invalid, "cursor", "is no cursor that a page gave")
	}
	return true, nil
}
