package httpapi

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
)

// mostDepth bounds how deep a body may nest, its own object being the first level.
const mostDepth = 32

// The refusals that concern a body as a whole.
var (
	errSyntax   = fault.New(fault.Invalid, "", "the body is no valid JSON")
	errNoObject = fault.New(fault.Invalid, "", "the body must be a JSON object")
	errTrailing = fault.New(fault.Invalid, "", "the body must be one JSON object and nothing after it")
	errTooDeep  = fault.New(fault.Invalid, "", "the body nests deeper than 32 levels")
)

// walker goes once through a JSON text, member by member, without reflection.
// Every method that reads a value consumes exactly that one value, usable or not,
// so that what is wrong with it stays a matter of its own.
type walker struct {
	dec   jsontext.Decoder
	body  bytes.Buffer
	depth int
	// repeated is set when an object inside a value that was read had a key twice.
	repeated bool
}

// start begins with what is in body, whose bytes the decoder uses in place.
func (w *walker) start() {
	w.depth, w.repeated = 0, false
	w.dec.Reset(&w.body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// document reads the whole body, an object, with member called for each of its
// keys. A key that is there twice refuses the body.
func (w *walker) document(member func(name string) error) error {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject:
	case jsontext.KindInvalid:
		return errSyntax
	default:
		return errNoObject
	}
	err := w.members(func(name string, again bool) error {
		if !again {
			return member(name)
		}
		if _, known := known[name]; !known {
			name = "" // a message never repeats the input
		}
		return fault.New(fault.Invalid, name, "a key must not be there twice")
	})
	if err != nil {
		return err
	}
	if _, err := w.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

// members reads an object. each must consume the value of the key that it is
// given; again says that the object had that key before.
func (w *walker) members(each func(name string, again bool) error) error {
	if err := w.descend(); err != nil {
		return err
	}
	var had names
	for w.dec.PeekKind() != jsontext.KindEndObject {
		raw, err := w.dec.ReadValue()
		if err != nil {
			return errSyntax
		}
		name, again := had.note(raw)
		if err := each(name, again); err != nil {
			return err
		}
	}
	return w.ascend()
}

// elements reads a list. each must consume one element.
func (w *walker) elements(each func() error) error {
	if err := w.descend(); err != nil {
		return err
	}
	for w.dec.PeekKind() != jsontext.KindEndArray {
		if err := each(); err != nil {
			return err
		}
	}
	return w.ascend()
}

func (w *walker) descend() error {
	if w.depth++; w.depth > mostDepth {
		return errTooDeep
	}
	return w.token()
}

func (w *walker) ascend() error {
	w.depth--
	return w.token()
}

func (w *walker) token() error {
	if _, err := w.dec.ReadToken(); err != nil {
		return errSyntax
	}
	return nil
}

// skip passes over any value.
func (w *walker) skip() error {
	for outside := w.depth; ; {
		var err error
		switch w.dec.PeekKind() {
		case jsontext.KindBeginObject, jsontext.KindBeginArray:
			err = w.descend()
		case jsontext.KindEndObject, jsontext.KindEndArray:
			err = w.ascend()
		default:
			err = w.token()
		}
		if err != nil || w.depth <= outside {
			return err
		}
	}
}

// text reads a string; is tells what was there instead, which is then skipped.
func (w *walker) text() (text string, is jsontext.Kind, err error) {
	is = w.dec.PeekKind()
	if is != jsontext.KindString {
		return "", is, w.skip()
	}
	raw, err := w.dec.ReadValue()
	if err != nil {
		return "", is, errSyntax
	}
	return unquote(raw), is, nil
}

// unquote is what a JSON string says; broken UTF-8 and lone surrogates are U+FFFD.
func unquote(raw []byte) string {
	inside := raw[1 : len(raw)-1]
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside)
	}
	// The error only repeats that there was broken UTF-8; the syntax is checked.
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}
