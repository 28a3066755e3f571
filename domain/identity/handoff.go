package identity

import (
	"time"

	"continuity/domain/handoff"
	"continuity/domain/journey"
)

// HandoffID is our own name for a handoff, from the same sequence as the others.
type HandoffID int64

// Handoff carries the journey of one device to one destination, for one browser.
type Handoff struct {
	ID          HandoffID
	Token       handoff.TokenHash
	Anchor      AnchorID
	Destination handoff.Destination
	Session     journey.Session // of the mint
	Planted     bool            // minted beside a planted key: good for events that are nobody's (§5)

	Claim        handoff.ClaimID // the browser that the token is bound to; empty: none yet
	ClaimSession journey.Session // the first that a claim named
	MintedAt     time.Time
	ExpiresAt    time.Time

	// Submission is the one that the snapshot events of this handoff belong to. Until
	// the confirm the id is only set aside, and what bears it is nobody's.
	Submission  SubmissionID
	ConfirmedAt time.Time // zero: not yet
	// Lead is whose Submission is; zero while nobody's. It stands with the
	// submission, not with the handoff, so that an erased person is gone from both.
	Lead LeadID
}

// Bound says whether a browser has the token for itself.
func (h Handoff) Bound() bool { return h.Claim != "" }

// Answers says whether the handoff can be redeemed: it is alive, for that
// destination, and bound to that browser.
func (h Handoff) Answers(claim handoff.ClaimID, at handoff.Destination, now time.Time) bool {
	return h.Bound() && h.opens(claim, at, now)
}

// opens says whether a claim or a confirm finds the handoff alive. The reasons why
// it may not are told to nobody.
func (h Handoff) opens(claim handoff.ClaimID, at handoff.Destination, now time.Time) bool {
	switch {
	case h.Destination != at || at == handoff.Verify, !now.Before(h.ExpiresAt):
		return false
	case h.Bound() && h.Claim != claim:
		return false
	}
	return h.ConfirmedAt.IsZero() || h.Lead != 0 // whoever confirmed is erased
}

// handoff is the named one, if a claim or a confirm may use it now. One that is
// not bound dies with the key of its device (R17).
func (s State) handoff(claim handoff.ClaimID, at handoff.Destination, m Moment) (Handoff, bool) {
	if s.Handoff == nil || s.Carrier == nil || !s.Handoff.opens(claim, at, m.Now) {
		return Handoff{}, false
	}
	return *s.Handoff, s.Handoff.Bound() || s.Carrier.Key != KeyHash{}
}

// bind gives an unbound token to the browser that came first.
func (h Handoff) bind(claim handoff.ClaimID, m Moment) Handoff {
	if !h.Bound() {
		h.Claim, h.ExpiresAt = claim, m.Now.Add(m.Keep.HeldFor)
	}
	return h
}

// carry writes what a mint or a claim brought, and that this handoff brought it.
func (s State) carry(change *Change, h Handoff, device Anchor, session journey.Session, events []journey.Event) {
	for _, e := range events {
		change.Events = append(change.Events, OwnedEvent{
			Anchor: device.ID, Position: len(change.Events), Handoff: h.ID,
			Owner: s.carriedBy(h, device, session, e), Event: e,
		})
	}
}

// carriedBy is R6 and R7 for an event that a handoff carries: on a shared device
// what belongs to the request's own session is for the confirm's snapshot, and on
// any other the device says whose it is.
func (s State) carriedBy(h Handoff, device Anchor, session journey.Session, e journey.Event) Owner {
	nobodys := Owner{Ownership: Nobodys}
	switch {
	case h.Planted:
		return nobodys
	case !device.Shared:
		return device.browsing()
	case h.Session == "" || e.Session == "" || e.Session != session || s.Doubtful:
		return nobodys
	case session != h.Session && session != h.ClaimSession:
		return nobodys
	case !h.ConfirmedAt.IsZero() && s.othersIn(h.Lead):
		return nobodys
	}
	return Owner{Ownership: InSnapshot, Submission: h.Submission}
}
