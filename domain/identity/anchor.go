package identity

import "time"

// AnchorID, LeadID, SubmissionID and CandidateID are our own names for rows. Zero
// is none. They come from one sequence, so that an id of one kind is never a
// valid id of another.
type (
	AnchorID     int64
	LeadID       int64
	SubmissionID int64
	CandidateID  int64
)

// Provenance says why a device points at a person (R4, R9).
type Provenance string

// The provenances.
const (
	ByKey    Provenance = "key"        // the submission that created the lead came from this device
	ByEmail  Provenance = "email_hmac" // an existing lead was matched by its address
	ByPerson Provenance = "manual"     // somebody resolved it by hand
)

// Status tells an anchor that a handoff minted and nothing has saved from the others.
type Status string

// The statuses. A saved anchor never falls back.
const (
	Held  Status = "held"
	Saved Status = "saved"
)

// Anchor is a device: one visitor key and what is known of it.
type Anchor struct {
	ID         AnchorID
	Key        KeyHash // zero: retired, no browser can name this anchor any more
	Lead       LeadID
	FirstLead  LeadID // set once, by the first link (R6)
	Provenance Provenance
	Shared     bool // two identities came from it; only a person clears this (R5, R9)
	Status     Status
	CreatedAt  time.Time
	LastSeenAt time.Time // moved once per expiry grain, not by every append
	ExpiresAt  time.Time // zero: never
}

// Mint makes the anchor of a new device (R2).
func Mint(id AnchorID, key KeyHash, status Status, m Moment) Anchor {
	return Anchor{
		ID: id, Key: key, Status: status,
		CreatedAt: m.Now, LastSeenAt: m.Now, ExpiresAt: m.Keep.expiry(status, m.Now),
	}
}

// Linked says whether the anchor points, or ever pointed, at a lead.
func (a Anchor) Linked() bool { return a.Lead != 0 || a.FirstLead != 0 }

// meet is R4 and R5: what an identity does to the device it was submitted on.
func (a Anchor) meet(lead LeadID, how Provenance) Anchor {
	a.Status = Saved
	switch {
	case a.Shared:
	case !a.Linked():
		a.Lead, a.FirstLead, a.Provenance = lead, lead, how
	case a.Lead != lead:
		a.Shared = true
	}
	return a
}

// seen slides the expiry, which moves in grains so that most appends leave the
// row alone. changed says whether it moved; it never moves back.
func (a Anchor) seen(m Moment) (seen Anchor, changed bool) {
	expires := m.Keep.expiry(a.Status, m.Now)
	if !later(expires, a.ExpiresAt) {
		return a, false
	}
	a.LastSeenAt, a.ExpiresAt = m.Now, expires
	return a, true
}

// retired is the anchor after its key died (R17): link and past stay.
func (a Anchor) retired() Anchor {
	a.Key = KeyHash{}
	return a
}
