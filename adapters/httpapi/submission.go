package httpapi

import (
	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
)

// mostFormName bounds the name of a form, in bytes.
const mostFormName = 200

// submission is a body that carries an identity beside a journey.
type submission struct {
	beacon
	capture.Form
	// key is the visitor key of a form backend's body, nil if it has none.
	key *identity.Key
	// rejected is what is wrong with the identity. It is told last and as 422,
	// since a browser then keeps its events, and a 400 makes it drop them.
	rejected error
}

// decodeSubmission reads the body of a submission. Only a form backend may name a
// visitor key in it; elsewhere the cookie speaks and the key is an unknown one.
func decodeSubmission(w *walker, backend bool) (*submission, error) {
	body := newSubmission()
	s := &body
	err := w.document(func(name string) error {
		if name == "visitor_key" && backend {
			return s.visitorKey(w)
		}
		return s.member(w, name)
	})
	if err != nil {
		return nil, err
	}
	return s, s.whole()
}

// newSubmission is one that nothing has been read of.
func newSubmission() submission {
	return submission{rejected: fault.New(fault.Rejected, "identity", "is needed")}
}

// whole says what is missing, or wrong with the identity.
func (s *submission) whole() error {
	if s.ID == "" {
		return fault.New(fault.Invalid, "id", "is needed")
	}
	return s.rejected
}

func (s *submission) member(w *walker, name string) (err error) {
	switch name {
	case "id":
		return s.id(w)
	case "form":
		return s.form(w)
	case "identity":
		return s.person(w)
	case "fields":
		s.Fields, err = w.fields()
		return err
	}
	return s.beacon.member(w, name)
}

func (s *submission) id(w *walker) error {
	text, err := w.optional("id")
	if err != nil {
		return err
	}
	id, ok := identity.ParseClientID(text)
	if !ok {
		return fault.New(fault.Invalid, "id", "must be plain text of 1 to 128 bytes")
	}
	s.ID = id
	return nil
}

func (s *submission) form(w *walker) error {
	text, err := w.optional("form")
	if err != nil {
		return err
	}
	s.Form.Form = journey.Clean(text)
	if len(s.Form.Form) > mostFormName {
		return fault.New(fault.Invalid, "form", "must be at most 200 bytes")
	}
	return nil
}

// person reads the identity. Name and phone of a wrong type are dropped.
func (s *submission) person(w *walker) error {
	if w.dec.PeekKind() != jsontext.KindBeginObject {
		s.rejected = fault.New(fault.Rejected, "identity", "must be an object")
		return w.skip()
	}
	s.rejected = fault.New(fault.Rejected, "identity.email", "is needed")
	twice := false
	err := w.members(func(name string, again bool) (err error) {
		var is jsontext.Kind
		switch {
		case again:
			twice = true
			return w.skip()
		case name == "email":
			if s.Email, is, err = w.text(); is == jsontext.KindString {
				s.rejected = nil
			}
		case name == "name":
			s.Name, _, err = w.text()
		case name == "phone":
			s.Phone, _, err = w.text()
		default:
			return w.skip()
		}
		return err
	})
	if twice {
		s.rejected = fault.New(fault.Rejected, "identity", "a key must not be there twice")
	}
	return err
}

// fields keeps what else was typed, as compact JSON; empty for none.
func (w *walker) fields() (string, error) {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject:
	case jsontext.KindNull:
		return "", w.skip()
	default:
		if err := w.skip(); err != nil {
			return "", err
		}
		return "", fault.New(fault.Invalid, "fields", "must be an object")
	}
	w.repeated = false
	kept, err := w.compact(nil)
	if err == nil && w.repeated {
		err = fault.New(fault.Invalid, "fields", "a key must not be there twice")
	}
	return string(kept), err
}

func (s *submission) visitorKey(w *walker) error {
	text, err := w.optional("visitor_key")
	if err != nil || text == "" {
		return err
	}
	key, ok := identity.ParseKey(text)
	if !ok {
		return fault.New(fault.Invalid, "visitor_key", "is no visitor key")
	}
	s.key = &key
	return nil
}
