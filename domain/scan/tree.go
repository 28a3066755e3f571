package scan

import (
	"math"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"continuity/domain/fault"
)

// TreeID is a tree's name in its QR code: 1 to 64 of A-Z a-z 0-9 _ and -.
type TreeID string

const (
	mostID     = 64
	mostName   = 300  // bytes
	mostTarget = 2048 // bytes
)

// reserved are ids that a path of ours has already.
var reserved = map[TreeID]bool{"metrics": true}

// ParseTreeID reads an id. ok is false for what no tree can be called.
func ParseTreeID(text string) (id TreeID, ok bool) {
	if text == "" || len(text) > mostID {
		return "", false
	}
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_', b == '-':
		default:
			return "", false
		}
	}
	return TreeID(text), true
}

// Place is where a tree stands, in degrees (WGS 84).
type Place struct{ Lat, Lon float64 }

// Tree is a tree with a sign.
type Tree struct {
	ID      TreeID
	Name    string // in any script; may be empty
	Species string
	Place   *Place // nil: not known
	Target  string // where its code leads; empty: to the tree's own page
}

// Check is nil for a tree that can be kept, else a fault that names the field.
func (t Tree) Check() error {
	if _, ok := ParseTreeID(string(t.ID)); !ok {
		return fault.New(fault.Invalid, "id", "must be 1 to 64 letters, digits, hyphens or underscores")
	}
	if reserved[t.ID] {
		return fault.New(fault.Invalid, "id", "is a word of ours that no tree can be called")
	}
	if !label(t.Name) {
		return fault.New(fault.Invalid, "name", "must be one line of text of at most 300 bytes")
	}
	if !label(t.Species) {
		return fault.New(fault.Invalid, "species", "must be one line of text of at most 300 bytes")
	}
	if err := t.Place.check(); err != nil {
		return err
	}
	if t.Target == "" {
		return nil
	}
	return CheckTarget("target_url", t.Target)
}

// label says whether a text can stand on a sign: one line, in UTF-8.
func label(text string) bool {
	return len(text) <= mostName && utf8.ValidString(text) && !strings.ContainsFunc(text, unprintable)
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}

func (p *Place) check() error {
	switch {
	case p == nil:
	case math.IsNaN(p.Lat) || math.Abs(p.Lat) > 90:
		return fault.New(fault.Invalid, "lat", "must be a number of degrees from -90 to 90")
	case math.IsNaN(p.Lon) || math.Abs(p.Lon) > 180:
		return fault.New(fault.Invalid, "lon", "must be a number of degrees from -180 to 180")
	}
	return nil
}

// CheckTarget is nil for an absolute address on the web that a browser may be sent
// to: http or https, a host, no credentials. Anything else is a fault about field.
func CheckTarget(field, text string) error {
	if !target(text) {
		return fault.New(fault.Invalid, field, "must be an absolute address that begins with http:// or https://")
	}
	return nil
}

func target(text string) bool {
	if len(text) > mostTarget || !utf8.ValidString(text) || strings.ContainsFunc(text, unfitForURL) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.User != nil || u.Hostname() == "" {
		return false
	}
	return u.Scheme == "http" || u.Scheme == "https"
}

// unfitForURL are characters that browsers drop or turn, so that an address would
// lead elsewhere than it says.
func unfitForURL(r rune) bool {
	return r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
