package identity

import "continuity/domain/journey"

// Submit is identity arriving, with or without a device (R4).
type Submit struct {
	Moment
	Client  ClientID
	Person  Person
	Session journey.Session
	Form    string
	Fields  string
	Events  []journey.Event
	// FreshKey is the key of the anchor that a device without a known key gets;
	// zero where no device is speaking (a form backend without a visitor key).
	FreshKey KeyHash
}

// Submit decides R2 and R4–R7: the lead is matched or created, the device linked,
// left, or found to be shared, and only then the events get their owners, so that
// what arrives with the second person's submission is never the first person's.
func (s State) Submit(c Submit) Change {
	if s.Prior != nil && s.Prior.Anchor != 0 {
		return s.repeat(c)
	}
	var change Change
	lead, how := s.person(c)
	sub := s.submission(c, lead, how)
	if s.Prior == nil {
		change.Leads = append(change.Leads, lead.told(c.Person, c.Moment))
	} else {
		change.Seen = append(change.Seen, lead.seen(c.Moment))
	}
	if s.planted() {
		s.submitPlanted(&change, c)
	} else if device, ok := s.device(c); ok {
		sub.Anchor, sub.Session = device.ID, c.Session
		s.submitOn(&change, device, sub, c)
	}
	if s.Prior == nil || sub.Anchor != 0 {
		change.Submissions = append(change.Submissions, sub)
	}
	return change
}

// person matches the lead or creates it; it never merges two (R4, R8).
func (s State) person(c Submit) (Lead, Provenance) {
	if s.Lead != nil {
		return *s.Lead, ByEmail
	}
	return Lead{
		ID: s.Fresh.Lead, Person: c.Person, FirstSeen: c.Now,
	}, ByKey
}

func (s State) submission(c Submit, lead Lead, how Provenance) Submission {
	if s.Prior != nil {
		return *s.Prior
	}
	return Submission{
		ID: s.Fresh.Submission, Lead: lead.ID, Client: c.Client, Form: c.Form,
		Person: c.Person, Fields: c.Fields, Provenance: how, At: c.Now,
	}
}

// device is the one that the submission came from: a known one, or one minted for it (R2).
func (s State) device(c Submit) (Anchor, bool) {
	if len(s.Devices) > 0 {
		return s.Devices[0], true
	}
	if c.FreshKey == (KeyHash{}) {
		return Anchor{}, false
	}
	return Mint(s.Fresh.Anchor, c.FreshKey, Saved, c.Moment), true
}

// submitOn links or guards the device, then gives the events their owner.
func (s State) submitOn(change *Change, before Anchor, sub Submission, c Submit) {
	how := ByKey
	if s.Lead != nil {
		how = ByEmail
	}
	device := before.meet(sub.Lead, how)
	device.LastSeenAt, device.ExpiresAt = c.Now, c.Keep.expiry(Saved, c.Now)
	change.Anchors = append(change.Anchors, device)
	change.Stamp = device.Key
	if s.newPair(before, sub.Lead) {
		change.Candidates = append(change.Candidates, Candidate{
			ID: s.Fresh.Candidate, Anchor: device.ID, First: device.Lead, Second: sub.Lead,
			Submission: sub.ID, State: Open, At: c.Now,
		})
	}
	for _, e := range c.Events {
		change.write(device.ID, s.ownerOf(e, device, sub), []journey.Event{e})
	}
}

// newPair says whether two people met here whom nobody has to look at yet (R5): no
// such pair is open, and nobody decided to keep it on a device that is shared
// still. Whom somebody told apart by pointing the device at one of them may meet anew.
func (s State) newPair(before Anchor, lead LeadID) bool {
	if before.Lead == 0 || before.Lead == lead {
		return false
	}
	for _, c := range s.Candidates {
		same := c.First == before.Lead && c.Second == lead
		if same && (c.State == Open || c.State == KeptShared && before.Shared) {
			return false
		}
	}
	return true
}

// ownerOf is R6 and R7 for an event that a submission carries.
func (s State) ownerOf(e journey.Event, device Anchor, sub Submission) Owner {
	if !device.Shared {
		return device.browsing()
	}
	if e.Session == "" || e.Session != sub.Session || s.othersIn(sub.Lead) {
		return Owner{Ownership: Nobodys}
	}
	return Owner{Ownership: InSnapshot, Submission: sub.ID}
}

// othersIn says whether anybody else submitted, or may have, in the submission's session.
func (s State) othersIn(lead LeadID) bool {
	if s.Doubtful {
		return true
	}
	for _, l := range s.InSession {
		if l != lead {
			return true
		}
	}
	return false
}

// submitPlanted keeps the person without a device. The session becomes doubtful
// on every device named, since somebody submitted there whom we cannot place.
func (s State) submitPlanted(change *Change, c Submit) {
	change.Stamp = s.Devices[0].Key
	s.appendTo(change, c.Moment, c.Events)
	if c.Session == "" {
		return
	}
	for _, d := range s.Devices {
		change.Doubtful = append(change.Doubtful, SessionOn{Anchor: d.ID, Session: c.Session})
	}
}

// repeat is a submission that is stored already, with its device: nobody learns
// anything new. Its events are an append, so that a browser whose answer was lost
// loses none of them; one that never got its key speaks of the device it was given.
func (s State) repeat(c Submit) Change {
	var change Change
	switch {
	case len(s.Devices) > 0:
		change.Stamp = s.Devices[0].Key
		s.appendTo(&change, c.Moment, c.Events)
	case c.FreshKey != KeyHash{} && s.Home != nil:
		change.write(s.Home.ID, s.Home.browsing(), c.Events)
	}
	return change
}
