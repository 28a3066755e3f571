package httpapi

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/journey"
	"continuity/ports/capture"
)

// mostEvents bounds one body (§5).
const mostEvents = 300

// beacon is the part of a body that carries a journey. What is wrong in the
// envelope refuses the body, what is wrong in an event concerns that event alone.
type beacon struct {
	capture.Beacon
	skipped int // events that could not even be read
}

// DecodeBeacon reads the body of an append as its route does, for who measures what
// the route does besides.
func DecodeBeacon(w http.ResponseWriter, r *http.Request) (capture.Beacon, error) {
	body, err := decode(w, r, decodeBeacon)
	if err != nil {
		return capture.Beacon{}, err
	}
	return body.Beacon, nil
}

func decodeBeacon(w *walker) (*beacon, error) {
	b := &beacon{}
	return b, w.document(func(name string) error { return b.member(w, name) })
}

func (b *beacon) member(w *walker, name string) (err error) {
	switch name {
	case "sent_at":
		b.SentAt, err = w.clientTime()
	case "session":
		b.Session, err = w.session()
	case "events":
		err = b.events(w)
	default:
		err = w.skip()
	}
	return err
}

// session is the request's own. One that is there must be usable: the events
// that lean on it would lose their place in the journey.
func (w *walker) session() (journey.Session, error) {
	text, err := w.optional("session")
	if err != nil || text == "" {
		return "", err
	}
	session, ok := journey.ParseSession(text)
	if !ok {
		return "", fault.New(fault.Invalid, "session", "must be plain text of 1 to 128 bytes")
	}
	return session, nil
}

// optional reads a string of the envelope that may be null.
func (w *walker) optional(field string) (string, error) {
	text, is, err := w.text()
	if err == nil && is != jsontext.KindString && is != jsontext.KindNull {
		err = fault.New(fault.Invalid, field, "must be a string")
	}
	return text, err
}

// clientTime reads a time of the client's; what is none says nothing (R11).
func (w *walker) clientTime() (journey.ClientTime, error) {
	switch w.dec.PeekKind() {
	case jsontext.KindNumber:
		literal, err := w.number()
		return journey.ClientTimeFromNumber(literal), err
	case jsontext.KindString:
		text, _, err := w.text()
		return journey.ClientTimeFromString(text), err
	default:
		return journey.ClientTime{}, w.skip()
	}
}

func (b *beacon) events(w *walker) error {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginArray:
	case jsontext.KindNull:
		return w.skip()
	default:
		if err := w.skip(); err != nil {
			return err
		}
		return fault.New(fault.Invalid, "events", "must be a list")
	}
	return w.elements(func() error {
		if len(b.Events)+b.skipped == mostEvents {
			return fault.New(fault.TooLarge, "events", "must be at most 300")
		}
		draft, ok, err := w.draft()
		if ok {
			b.Events = append(b.Events, draft)
		} else {
			b.skipped++
		}
		return err
	})
}

// draft reads an event. ok is false for what is no object, or has a key twice.
func (w *walker) draft() (draft journey.Draft, ok bool, err error) {
	if w.dec.PeekKind() != jsontext.KindBeginObject {
		return draft, false, w.skip()
	}
	ok = true
	err = w.members(func(name string, again bool) error {
		if again {
			ok = false
			return w.skip()
		}
		return w.draftMember(&draft, name)
	})
	return draft, ok, err
}

// draftMember reads one field of an event; one of a wrong type is dropped.
func (w *walker) draftMember(draft *journey.Draft, name string) (err error) {
	switch name {
	case "id":
		draft.ID, _, err = w.text()
	case "at":
		draft.At, err = w.clientTime()
	case "session":
		var is jsontext.Kind
		// What is no string leaves the empty name, which is unusable, so that the
		// event has no session rather than the request's.
		draft.Session, is, err = w.text()
		draft.HasSession = is != jsontext.KindNull
	case "kind":
		draft.Kind, _, err = w.text()
	case "url":
		draft.URL, _, err = w.text()
	case "title":
		draft.Title, _, err = w.text()
	case "referrer":
		draft.Referrer, _, err = w.text()
	case "props":
		draft.Props, err = w.props()
	default:
		err = w.skip()
	}
	return err
}

// props is nil for what is no object, or has a key twice at any depth.
func (w *walker) props() (map[string]any, error) {
	if w.dec.PeekKind() != jsontext.KindBeginObject {
		return nil, w.skip()
	}
	w.repeated = false
	props, err := w.object()
	if w.repeated {
		return nil, err
	}
	return props, err
}
