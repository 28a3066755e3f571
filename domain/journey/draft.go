package journey

import "time"

type ClientTime struct{}
type Draft struct{}
type Envelope struct {
	Session    Session
	SentAt     ClientTime
	ReceivedAt time.Time
	Source     Source
}

func (d Draft) Event(in Envelope) (Event, bool) { return Event{}, true }
func ParseEventID(raw string) (EventID, bool)   { return EventID(raw), true }
func Clean(s string) string                     { return s }
func Cut(s string, n int) string                { return s }
