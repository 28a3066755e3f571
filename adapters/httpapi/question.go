package httpapi

import (
	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

// decodeText reads a body whose one field is a string that must be there.
func decodeText(field string) func(*walker) (string, error) {
	return func(w *walker) (text string, err error) {
		is := jsontext.KindNull
		err = w.document(func(name string) (err error) {
			if name != field {
				return w.skip()
			}
			text, is, err = w.text()
			return err
		})
		if err == nil && is != jsontext.KindString {
			err = fault.New(fault.Invalid, field, "must be a string")
		}
		return text, err
	}
}

// noLead is an id that no lead has: what a text stands for that is no id of ours.
const noLead identity.LeadID = -1

func decodeVerdict(w *walker) (verdict reporting.Verdict, err error) {
	err = w.document(func(name string) (err error) {
		switch name {
		case "keep_shared":
			verdict.KeepShared, err = w.flag("keep_shared")
			return err
		case "lead_id":
			return w.leadID(&verdict)
		}
		return w.skip()
	})
	return verdict, err
}

// flag reads true or false; null is false.
func (w *walker) flag(field string) (bool, error) {
	switch w.dec.PeekKind() {
	case jsontext.KindTrue:
		return true, w.token()
	case jsontext.KindFalse, jsontext.KindNull:
		return false, w.token()
	}
	if err := w.skip(); err != nil {
		return false, err
	}
	return false, fault.New(fault.Invalid, field, "must be true or false")
}

func (w *walker) leadID(verdict *reporting.Verdict) error {
	text, err := w.optional("lead_id")
	if err != nil || text == "" {
		return err
	}
	verdict.Lead = noLead
	if id, ok := parseID(text); ok {
		verdict.Lead = identity.LeadID(id)
	}
	return nil
}
