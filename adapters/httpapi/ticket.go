package httpapi

import (
	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/handoff"
)

// ticket is the part of a body that names a token and the browser that has it. A
// token of a wrong form is nobody's, which is not told here.
type ticket struct {
	token string
	claim handoff.ClaimID
}

// member reads one of the two; mine is false for any other key, which is then not read.
func (t *ticket) member(w *walker, name string) (mine bool, err error) {
	switch name {
	case "token":
		t.token, err = w.needed("token")
		return true, err
	case "claim":
		text, err := w.needed("claim")
		if err != nil {
			return true, err
		}
		id, ok := handoff.ParseClaimID(text)
		if !ok {
			err = fault.New(fault.Invalid, "claim", "must be plain text of 1 to 128 bytes")
		}
		t.claim = id
		return true, err
	}
	return false, nil
}

// whole says what is missing.
func (t *ticket) whole() error {
	if t.token == "" {
		return fault.New(fault.Invalid, "token", "is needed")
	}
	if t.claim == "" {
		return fault.New(fault.Invalid, "claim", "is needed")
	}
	return nil
}

// needed reads a string that must be one.
func (w *walker) needed(field string) (string, error) {
	text, is, err := w.text()
	if err == nil && is != jsontext.KindString {
		err = fault.New(fault.Invalid, field, "must be a string")
	}
	return text, err
}

type mint struct {
	beacon
	destination string
}

func decodeMint(w *walker) (*mint, error) {
	m := &mint{}
	err := w.document(func(name string) (err error) {
		if name != "destination" {
			return m.beacon.member(w, name)
		}
		m.destination, err = w.needed("destination")
		return err
	})
	if err == nil && m.destination == "" {
		err = fault.New(fault.Invalid, "destination", "is needed")
	}
	return m, err
}

type claim struct {
	beacon
	ticket
}

func decodeClaim(w *walker) (*claim, error) {
	c := &claim{}
	err := w.document(func(name string) error {
		if mine, err := c.ticket.member(w, name); mine {
			return err
		}
		return c.beacon.member(w, name)
	})
	if err == nil {
		err = c.whole()
	}
	return c, err
}

func decodeRedeem(w *walker) (*ticket, error) {
	t := &ticket{}
	err := w.document(func(name string) error {
		if mine, err := t.member(w, name); mine {
			return err
		}
		return w.skip()
	})
	if err == nil {
		err = t.whole()
	}
	return t, err
}

type confirm struct {
	submission
	ticket
}

// decodeConfirm reads a submission that a server speaks for. It carries no journey:
// the browser's claims do.
func decodeConfirm(w *walker) (*confirm, error) {
	c := &confirm{submission: newSubmission()}
	err := w.document(func(name string) error {
		if mine, err := c.ticket.member(w, name); mine {
			return err
		}
		switch name {
		case "sent_at", "session", "events":
			return w.skip()
		}
		return c.submission.member(w, name)
	})
	if err == nil {
		err = c.ticket.whole()
	}
	if err == nil {
		err = c.submission.whole()
	}
	return c, err
}
