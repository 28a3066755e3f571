package identity

import (
	"time"

	"continuity/domain/journey"
)

// State is what a decision needs to know, loaded together and under one lock.
type State struct {
	// Devices are the anchors of the known keys that were sent, distinct, in the
	// order they were sent. More than one means that a key was planted.
	Devices []Anchor
	// Lead is the person that the submitted address resolves to, nil if it is new.
	Lead *Lead
	// Prior is the submission already stored for (lead, client id), nil if none.
	Prior *Submission
	// Home is the anchor of Prior, nil if it has none or it is gone.
	Home *Anchor
	// InSession are the leads that submitted on Devices[0] in the session asked
	// about, or for whom a handoff was confirmed that was claimed in it.
	InSession []LeadID
	// Doubtful says that a submission we can tell no more about was made in that
	// session on that device, so that no snapshot may be taken there (R7).
	Doubtful bool
	// Candidates are those of Devices[0], open and closed.
	Candidates []Candidate
	// Handoffs are those of Devices that nobody has confirmed, alive or not.
	Handoffs []Handoff
	// Handoff is the one whose token was named, nil if there is none. Where it is
	// named, InSession, Doubtful and Candidates are of its device instead, in the
	// session of its mint and in that of its claim or, for a claim, the one asked about.
	Handoff *Handoff
	// Carrier is the anchor of Handoff, nil if it is gone.
	Carrier *Anchor
	// Fresh are ids that nothing else has, for what the decision creates.
	Fresh Fresh
}

// Fresh are ids for what one decision may create.
type Fresh struct {
	Anchor     AnchorID
	Lead       LeadID
	Submission SubmissionID
	Candidate  CandidateID
	Handoff    HandoffID
}

// Change is what a decision found: facts to record together, or not at all. Rows
// are given whole, as they are from now on.
type Change struct {
	Anchors     []Anchor
	Leads       []Lead
	Seen        []LeadSeen
	Submissions []Submission
	Candidates  []Candidate
	Doubtful    []SessionOn
	Events      []OwnedEvent
	Handoffs    []Handoff
	Forgotten   []HandoffID // handoffs whose tokens are dead from now on
	// Stamp is the key whose cookie is issued or issued again; zero for none.
	Stamp KeyHash
}

// LeadSeen slides a lead's expiry forward without a look at the lead.
type LeadSeen struct {
	Lead      LeadID
	At        time.Time
	ExpiresAt time.Time // zero: never
}

// SessionOn is one session of one device.
type SessionOn struct {
	Anchor  AnchorID
	Session journey.Session
}

// Ownership says whose an event is; decided when it is first written, stored with
// it, and never rewritten (R6).
type Ownership string

// The ownerships.
const (
	// Attributed events belong to the lead they name or, naming none, to the first
	// lead that their anchor will ever have.
	Attributed Ownership = "attributed"
	// InSnapshot events belong to the submission that carried them.
	InSnapshot Ownership = "snapshot"
	// Nobodys events are attributed to nobody, for good.
	Nobodys Ownership = "nobody"
)

// Owner is whose an event is.
type Owner struct {
	Ownership  Ownership
	Lead       LeadID       // of Attributed; zero until the anchor's first link
	Submission SubmissionID // of InSnapshot
}

// OwnedEvent is an event with its place and its owner.
type OwnedEvent struct {
	Anchor AnchorID
	// Position is where in its request it stood; of events of one instant the
	// journey keeps that order.
	Position int
	// Handoff is the one that carried it, zero for none. An event that is stored
	// already is carried all the same.
	Handoff HandoffID
	Owner
	journey.Event
}

// browsing is whose the events are that a device appends (R5, R6). A device that
// was linked once and points at nobody now is in doubt, so they are nobody's.
func (a Anchor) browsing() Owner {
	if a.Shared || a.Lead == 0 && a.FirstLead != 0 {
		return Owner{Ownership: Nobodys}
	}
	return Owner{Ownership: Attributed, Lead: a.Lead}
}

// planted says that two different known keys were sent (§5): nothing that
// arrives so is anybody's.
func (s State) planted() bool { return len(s.Devices) > 1 }

func (c *Change) write(anchor AnchorID, owner Owner, events []journey.Event) {
	for _, e := range events {
		c.Events = append(c.Events, OwnedEvent{Anchor: anchor, Position: len(c.Events), Owner: owner, Event: e})
	}
}

// touch records that the device was here, and with it the person it points at.
func (c *Change) touch(a Anchor, m Moment) {
	seen, changed := a.seen(m)
	if !changed {
		return
	}
	c.Anchors = append(c.Anchors, seen)
	if seen.Lead != 0 && !seen.Shared {
		c.Seen = append(c.Seen, Lead{ID: seen.Lead}.seen(m))
	}
}
