package journey

import (
	"strings"
	"time"
)

// The bounds of an event's texts, in bytes.
const (
	maxKind  = 64
	maxTitle = 512
)

// defaultKind is what an event is that does not say.
const defaultKind = "page_view"

// Draft is an event as a client told it, before cleaning.
type Draft struct {
	ID         string
	At         ClientTime
	Session    string
	HasSession bool // the event named a session of its own; null or absent is false
	Kind       string
	URL        string
	Title      string
	Referrer   string
	Props      map[string]any // string, json.Number, bool, nil, []any, map[string]any
}

// Envelope is what a request says for all its events.
type Envelope struct {
	Session    Session
	SentAt     ClientTime
	ReceivedAt time.Time // our clock
	Source     Source
}

// Event cleans and bounds a draft. It is unusable, and ok is false, only when it
// has no usable id; any other field that is wrong is dropped or cut.
//
// An event without a session of its own has the envelope's. One that named an
// unusable session has none: it was in another session than the envelope's.
// Instants are stored in UTC and whole milliseconds.
func (d Draft) Event(in Envelope) (event Event, ok bool) {
	id, ok := ParseEventID(d.ID)
	if !ok {
		return Event{}, false
	}
	session := in.Session
	if d.HasSession {
		session, _ = ParseSession(d.Session)
	}
	occurred, clamped := Correct(d.At, in.SentAt, in.ReceivedAt)
	kind := strings.TrimSpace(scrub(d.Kind, maxKind))
	if kind == "" {
		kind = defaultKind
	}
	url, campaign := CleanURL(d.URL)
	referrer, _ := CleanURL(d.Referrer)
	return Event{
		ID:         id,
		Session:    session,
		OccurredAt: occurred,
		ReceivedAt: time.UnixMilli(in.ReceivedAt.UnixMilli()).UTC(),
		Clamped:    clamped,
		Source:     in.Source,
		Kind:       kind,
		URL:        url,
		Title:      scrub(d.Title, maxTitle),
		Referrer:   referrer,
		Campaign:   campaign.JSON(),
		Props:      propsJSON(d.Props),
	}, true
}

// Events cleans the drafts of one request. skipped counts the unusable ones.
func (in Envelope) Events(drafts []Draft) (events []Event, skipped int) {
	events = make([]Event, 0, len(drafts))
	for _, draft := range drafts {
		event, ok := draft.Event(in)
		if !ok {
			skipped++
			continue
		}
		events = append(events, event)
	}
	return events, skipped
}
