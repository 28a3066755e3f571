package identity

import "continuity/domain/journey"

// Append is a return visit: events under the keys that a browser sent (R1).
type Append struct {
	Moment
	Events []journey.Event
	// FreshKey is set where anonymous anchors are allowed: the key of the anchor
	// that an unknown device then gets.
	FreshKey KeyHash
}

// Append decides R1. No identity logic runs here: the events are whose the device
// says they are. An unknown device changes nothing and gets no key, unless
// anonymous anchors are allowed.
func (s State) Append(c Append) Change {
	var change Change
	switch {
	case len(s.Devices) > 0:
		change.Stamp = s.Devices[0].Key
		s.appendTo(&change, c.Moment, c.Events)
	case c.FreshKey != KeyHash{}:
		device := Mint(s.Fresh.Anchor, c.FreshKey, Saved, c.Moment)
		change.Anchors = append(change.Anchors, device)
		change.Stamp = c.FreshKey
		change.write(device.ID, device.browsing(), c.Events)
	}
	return change
}

// appendTo writes events to the first device. With a planted key beside it they
// are nobody's (§5).
func (s State) appendTo(change *Change, m Moment, events []journey.Event) {
	device, owner := s.Devices[0], s.Devices[0].browsing()
	if s.planted() {
		owner = Owner{Ownership: Nobodys}
	}
	change.touch(device, m)
	change.write(device.ID, owner, events)
}
