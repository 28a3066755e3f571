package identity

import "continuity/domain/fault"

// Resolve is a person's act on an anchor (R9): leave it shared, or point it at one lead.
type Resolve struct {
	Moment
	KeepShared bool
	Lead       LeadID // where not KeepShared
	By         string // who decided, for the record
}

// Met is what Resolve needs to know of an anchor.
type Met struct {
	Anchor     *Anchor  // nil: there is none of that id
	Leads      []LeadID // who ever submitted on it or was linked to it
	Candidates []Candidate
}

// Resolve decides R9. It closes all candidates of the anchor. Future browsing
// follows; the past stays as it was written. The person is kept for at least as
// long as the device, whose grain an append may not move today (R13).
//
// A lead that never was on the device is refused: a mistyped id would show one
// person's browsing in another's record, silently.
func (m Met) Resolve(c Resolve) (Change, error) {
	if m.Anchor == nil {
		return Change{}, fault.New(fault.NotFound, "", "no such anchor")
	}
	anchor, state := *m.Anchor, KeptShared
	if !c.KeepShared {
		if !m.knows(c.Lead) {
			return Change{}, fault.New(fault.Unlisted, "lead_id", "is no lead that was identified on this device")
		}
		anchor.Lead, anchor.Provenance, anchor.Shared = c.Lead, ByPerson, false
		state = Resolved
	}
	change := Change{Anchors: []Anchor{anchor}}
	if !anchor.Shared && anchor.Lead != 0 {
		change.Seen = []LeadSeen{{Lead: anchor.Lead, At: anchor.LastSeenAt, ExpiresAt: anchor.ExpiresAt}}
	}
	for _, candidate := range m.Candidates {
		if candidate.State != Open {
			continue
		}
		candidate.State, candidate.ResolvedBy = state, c.By
		change.Candidates = append(change.Candidates, candidate)
	}
	return change, nil
}

func (m Met) knows(lead LeadID) bool {
	for _, l := range m.Leads {
		if l == lead {
			return true
		}
	}
	return false
}
