package httpapi

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/journey"
)

// value reads anything: nil, bool, json.Number, string, []any or map[string]any,
// with clean strings and keys. A key that is there twice sets w.repeated.
func (w *walker) value() (any, error) {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject:
		return w.object()
	case jsontext.KindBeginArray:
		list := []any{}
		err := w.elements(func() error {
			element, err := w.value()
			list = append(list, element)
			return err
		})
		return list, err
	case jsontext.KindString:
		text, _, err := w.text()
		return journey.Clean(text), err
	case jsontext.KindNumber:
		number, err := w.number()
		return json.Number(number), err
	case jsontext.KindTrue:
		return true, w.token()
	case jsontext.KindFalse:
		return false, w.token()
	default:
		return nil, w.skip()
	}
}

// object reads an object as value does.
func (w *walker) object() (map[string]any, error) {
	object := map[string]any{}
	err := w.members(func(name string, again bool) error {
		name = journey.Clean(name)
		if _, same := object[name]; same || again {
			w.repeated = true
		}
		value, err := w.value()
		object[name] = value
		return err
	})
	return object, err
}

func (w *walker) number() (string, error) {
	raw, err := w.dec.ReadValue()
	if err != nil {
		return "", errSyntax
	}
	return string(raw), nil
}

// compact appends the next value to dst as compact JSON, its keys in the order
// they came in, its strings clean. A key that is there twice sets w.repeated.
func (w *walker) compact(dst []byte) ([]byte, error) {
	var err error
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject:
		return w.compactObject(dst)
	case jsontext.KindBeginArray:
		dst = append(dst, '[')
		err = w.elements(func() (err error) {
			dst, err = w.compact(separate(dst))
			return err
		})
		return append(dst, ']'), err
	case jsontext.KindString:
		text, _, err := w.text()
		return quote(dst, text), err
	default:
		raw, err := w.dec.ReadValue()
		if err != nil {
			return dst, errSyntax
		}
		return append(dst, raw...), nil
	}
}

func (w *walker) compactObject(dst []byte) ([]byte, error) {
	had := map[string]struct{}{}
	dst = append(dst, '{')
	err := w.members(func(name string, again bool) (err error) {
		name = journey.Clean(name)
		if _, same := had[name]; same || again {
			w.repeated = true
		}
		had[name] = struct{}{}
		dst, err = w.compact(append(quote(separate(dst), name), ':'))
		return err
	})
	return append(dst, '}'), err
}

// separate puts a comma where an element or a member has gone before.
func separate(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '[' || last == '{' {
		return dst
	}
	return append(dst, ',')
}

func quote(dst []byte, text string) []byte {
	// Clean text is valid UTF-8, the only thing that quoting could refuse.
	dst, _ = jsontext.AppendQuote(dst, journey.Clean(text))
	return dst
}
