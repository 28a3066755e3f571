package identity

// Reset decides R17: the next visitor is somebody else. Every key that was sent
// is retired, with its unbound handoffs; link and past stay.
func (s State) Reset() Change {
	var change Change
	for _, device := range s.Devices {
		change.Anchors = append(change.Anchors, device.retired())
	}
	for _, h := range s.Handoffs {
		if !h.Bound() {
			change.Forgotten = append(change.Forgotten, h.ID)
		}
	}
	return change
}
