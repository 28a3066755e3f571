package identity

import (
	"continuity/domain/handoff"
	"continuity/domain/journey"
)

// ClaimHandoff is a browser that arrived at a destination with a token.
type ClaimHandoff struct {
	Moment
	Claim       handoff.ClaimID
	Destination handoff.Destination // where the browser is
	Session     journey.Session
	Events      []journey.Event
}

// ClaimHandoff binds the token to the first browser and appends what it carries to
// the device that minted. For any other browser, for a token that is dead or was
// never there, and at another destination, nothing changes and Change.Handoffs is empty.
func (s State) ClaimHandoff(c ClaimHandoff) Change {
	h, ok := s.handoff(c.Claim, c.Destination, c.Moment)
	if !ok {
		return Change{}
	}
	h = h.bind(c.Claim, c.Moment)
	if h.ClaimSession == "" {
		h.ClaimSession = c.Session
	}
	change := Change{Handoffs: []Handoff{h}}
	change.touch(*s.Carrier, c.Moment)
	s.carry(&change, h, *s.Carrier, c.Session, c.Events)
	return change
}
