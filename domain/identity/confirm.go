package identity

import "continuity/domain/handoff"

// ConfirmHandoff is an identity that arrives from a destination's server, for the
// browser that claimed.
type ConfirmHandoff struct {
	Submit      // without events and without a key
	Claim       handoff.ClaimID
	Destination handoff.Destination // whose server speaks
}

// ConfirmHandoff decides R4–R7 as a submission on the device that minted, and
// binds a token that no claim has bound. With a token that is dead, or bound to
// another browser, it is a submission without a device: the person is kept, and
// the device is not theirs.
func (s State) ConfirmHandoff(c ConfirmHandoff) Change {
	h, ok := s.handoff(c.Claim, c.Destination, c.Moment)
	if !ok {
		return s.Submit(c.Submit)
	}
	h, c.Session = h.bind(c.Claim, c.Moment), h.Session
	first := h.ConfirmedAt.IsZero()
	if !h.Planted {
		s.Devices = []Anchor{*s.Carrier}
	}
	if first && s.Prior == nil && !s.othersIn(s.leadID()) {
		s.Fresh.Submission = h.Submission // and with it the snapshot
	}
	change := s.Submit(c.Submit)
	change.Stamp = KeyHash{} // no browser is listening
	if h.Planted && h.Session != "" {
		change.Doubtful = append(change.Doubtful, SessionOn{Anchor: h.Anchor, Session: h.Session})
	}
	if first {
		h.ConfirmedAt, h.Lead, h.Submission = c.Now, s.leadID(), s.submissionID()
	}
	change.Handoffs = append(change.Handoffs, h)
	return change
}

// leadID is of the person that the decision is about.
func (s State) leadID() LeadID {
	if s.Lead != nil {
		return s.Lead.ID
	}
	return s.Fresh.Lead
}

// submissionID is of the submission that the decision is about.
func (s State) submissionID() SubmissionID {
	if s.Prior != nil {
		return s.Prior.ID
	}
	return s.Fresh.Submission
}
