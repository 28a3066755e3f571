package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// What browsers send (§5).

type envelope struct {
	SentAt   any               `json:"sent_at,omitempty"`
	Session  string            `json:"session,omitempty"`
	Events   []wireEvent       `json:"events"`
	ID       string            `json:"id,omitempty"`
	Form     string            `json:"form,omitempty"`
	Identity *identity         `json:"identity,omitempty"`
	Fields   map[string]string `json:"fields,omitempty"`
}

type identity struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type wireEvent struct {
	ID       string `json:"id"`
	At       any    `json:"at"`
	Session  string `json:"session,omitempty"`
	Kind     string `json:"kind"`
	URL      string `json:"url"`
	Referrer string `json:"referrer,omitempty"`
}

const (
	pageView = "page_view"
	form     = "replay"
	// reference is the field that carries the client's name for a submission:
	// the private side need not show that name anywhere else.
	reference = "reference"
	// astray is how far wrong clocks are off.
	astray = 3*24*time.Hour + 7*time.Hour
)

// body is a step's request as sent at now; empty for a reset.
func (s script) body(st step, address string, now time.Time) ([]byte, error) {
	if st.to == toReset {
		return nil, nil
	}
	e := envelope{Session: st.session, SentAt: s.sentAt(now), Events: []wireEvent{}}
	for _, ev := range st.events {
		e.Events = append(e.Events, s.wire(ev, st.session))
	}
	if st.mishap == doubled {
		e.Events = append(e.Events, e.Events...)
	}
	if st.person != 0 {
		if st.mishap == clumsy {
			address = " " + strings.ToUpper(address) + "\u00a0"
		}
		e.ID, e.Form = st.submission, form
		e.Identity = &identity{Email: address, Name: called(st.person)}
		e.Fields = map[string]string{reference: st.submission}
	}
	text, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("write a request: %w", err)
	}
	return text, nil
}

func (s script) sentAt(now time.Time) any {
	switch s.clock {
	case silent:
		return nil
	case wrong:
		return s.stamp(now.Add(astray))
	default:
		return s.stamp(now)
	}
}

func (s script) wire(e event, session string) wireEvent {
	w := wireEvent{ID: e.id, Session: e.session, Kind: pageView, URL: e.url, Referrer: e.referrer}
	if s.terse && e.session == session {
		w.Session = ""
	}
	at := e.at
	if s.clock == wrong {
		at = at.Add(astray)
	}
	w.At = s.stamp(at)
	return w
}

func (s script) stamp(t time.Time) any {
	if s.rfc3339 {
		return t.In(time.FixedZone("", 2*60*60)).Format("2006-01-02T15:04:05.000Z07:00")
	}
	return t.UnixMilli()
}

// weigh is the octets that an event takes in a request, at most.
func (s script) weigh(e event) int {
	text, err := json.Marshal(s.wire(e, ""))
	if err != nil {
		return mostOctets // never: the fields are strings and numbers
	}
	return len(text) + 1
}
