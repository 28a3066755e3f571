package identity

import (
	"time"

	"continuity/domain/handoff"
	"continuity/domain/journey"
)

// MintHandoff is a visitor about to follow a link to a destination (R2).
type MintHandoff struct {
	Moment
	TTL         time.Duration // for how long the token may be claimed
	Token       handoff.TokenHash
	Destination handoff.Destination // a configured one
	Session     journey.Session
	Events      []journey.Event
	FreshKey    KeyHash // the key of the anchor that an unknown device gets
}

// MintHandoff appends like R1 and makes a handoff, of a known device or of a new
// one, whose anchor is held until an identity saves it. It takes the place of an
// unbound handoff of the same device to the same destination, with the snapshot
// that was set aside for it if the session is the same: of a double click the second
// token is as good as the first.
func (s State) MintHandoff(c MintHandoff) Change {
	var change Change
	device := Mint(s.Fresh.Anchor, c.FreshKey, Held, c.Moment)
	if len(s.Devices) > 0 {
		device = s.Devices[0]
		change.touch(device, c.Moment)
	} else {
		change.Anchors = append(change.Anchors, device)
	}
	change.Stamp = device.Key
	h := Handoff{
		ID: s.Fresh.Handoff, Token: c.Token, Anchor: device.ID, Destination: c.Destination, Session: c.Session,
		Planted: s.planted(), MintedAt: c.Now, ExpiresAt: c.Now.Add(c.TTL), Submission: s.Fresh.Submission,
	}
	if s.Handoff != nil { // a repetition of a commit whose answer was lost
		h = *s.Handoff
	} else {
		s.replace(&change, &h, c.Now)
	}
	change.Handoffs = append(change.Handoffs, h)
	s.carry(&change, h, device, c.Session, c.Events)
	return change
}

// replace forgets the unbound handoff whose place the new one takes, and those of
// the device that have expired.
func (s State) replace(change *Change, fresh *Handoff, now time.Time) {
	for _, old := range s.Handoffs {
		if old.Anchor != fresh.Anchor {
			continue
		}
		replaced := !old.Bound() && old.Destination == fresh.Destination
		if replaced && old.Session == fresh.Session {
			fresh.Submission = old.Submission
		}
		if replaced || !now.Before(old.ExpiresAt) {
			change.Forgotten = append(change.Forgotten, old.ID)
		}
	}
}
