package httpapi

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/scan"
)

// treeSaid is what a body says of a tree. What it does not mention stays as it is.
type treeSaid struct {
	id       scan.TreeID
	named    bool
	edits    []func(*scan.Tree)
	lat, lon *float64 // NaN: null
}

func decodeTree(w *walker) (*treeSaid, error) {
	said := &treeSaid{}
	err := w.document(func(name string) error {
		switch name {
		case "id":
			return said.readID(w)
		case "name":
			return said.text(w, name, func(tree *scan.Tree, text string) { tree.Name = text })
		case "species":
			return said.text(w, name, func(tree *scan.Tree, text string) { tree.Species = text })
		case "target_url":
			return said.text(w, name, func(tree *scan.Tree, text string) { tree.Target = text })
		case "lat":
			return readDegrees(w, name, &said.lat)
		case "lon":
			return readDegrees(w, name, &said.lon)
		}
		return w.skip()
	})
	return said, err
}

func (s *treeSaid) readID(w *walker) error {
	text, err := textOf(w, "id")
	if err != nil || text == "" {
		return err
	}
	s.id, s.named = scan.TreeID(text), true
	return nil
}

func (s *treeSaid) text(w *walker, field string, set func(*scan.Tree, string)) error {
	text, err := textOf(w, field)
	if err != nil {
		return err
	}
	if field != "target_url" {
		text = strings.TrimSpace(text)
	}
	s.edits = append(s.edits, func(tree *scan.Tree) { set(tree, text) })
	return nil
}

// textOf reads a string, or null as an empty one.
func textOf(w *walker, field string) (string, error) {
	text, is, err := w.text()
	if err == nil && is != jsontext.KindString && is != jsontext.KindNull {
		err = fault.New(fault.Invalid, field, "must be a string")
	}
	return text, err
}

func readDegrees(w *walker, field string, into **float64) error {
	value := math.NaN()
	switch w.dec.PeekKind() {
	case jsontext.KindNull:
		*into = &value
		return w.skip()
	case jsontext.KindNumber:
	default:
		if err := w.skip(); err != nil {
			return err
		}
		return fault.New(fault.Invalid, field, "must be a number of degrees, or null")
	}
	text, err := w.number()
	if err != nil {
		return err
	}
	if value, err = strconv.ParseFloat(text, 64); err != nil {
		return fault.New(fault.Invalid, field, "must be a number of degrees, or null")
	}
	*into = &value
	return nil
}

// apply makes the tree as it was said to be. A latitude without a longitude stays
// one that is no number, which the tree's own check refuses.
func (s *treeSaid) apply(tree *scan.Tree) {
	for _, edit := range s.edits {
		edit(tree)
	}
	if s.lat == nil && s.lon == nil {
		return
	}
	place := scan.Place{Lat: math.NaN(), Lon: math.NaN()}
	if tree.Place != nil {
		place = *tree.Place
	}
	if s.lat != nil {
		place.Lat = *s.lat
	}
	if s.lon != nil {
		place.Lon = *s.lon
	}
	tree.Place = &place
	if math.IsNaN(place.Lat) && math.IsNaN(place.Lon) {
		tree.Place = nil
	}
}
