package identity

import "continuity/domain/journey"

// Traces are what one person left on one device, beside what others left there.
type Traces struct {
	Anchor   Anchor
	Sessions []journey.Session // in which the person submitted on it
	Events   int               // that the person owns
	// Others says that something on the device is not the person's: another's
	// submission, or an event that is another's or nobody's.
	Others bool
}

// Forgetting is what becomes of the devices of a person who is to be forgotten (R10).
type Forgetting struct {
	// Remove are the anchors on which only this person ever left anything. They go
	// with all that is on them.
	Remove []AnchorID
	// Strip are the others, as they are from then on. The person's own events go.
	Strip []Anchor
	// Doubtful are the sessions in which the person submitted on a device that stays:
	// nobody can tell any more that somebody else's snapshot there is theirs (R7).
	Doubtful []SessionOn
}

// Forget decides R10, and R13 where a person expires: the two leave the same.
func Forget(lead LeadID, traces []Traces) Forgetting {
	var f Forgetting
	for _, t := range traces {
		if t.alone(lead) {
			f.Remove = append(f.Remove, t.Anchor.ID)
			continue
		}
		f.Strip = append(f.Strip, t.Anchor.without(lead))
		for _, session := range t.Sessions {
			f.Doubtful = append(f.Doubtful, SessionOn{Anchor: t.Anchor.ID, Session: session})
		}
	}
	return f
}

// alone: a device that is shared had another person, who may be forgotten already.
func (t Traces) alone(lead LeadID) bool {
	return !t.Others && !t.Anchor.Shared && only(lead, t.Anchor.Lead) && only(lead, t.Anchor.FirstLead)
}

func only(lead, named LeadID) bool { return named == 0 || named == lead }

// without is a device that others used too, once the person is forgotten. Where the
// guard is not closed its key dies: whoever submits there next would otherwise be
// the first whom the device ever knew, and get what is on it.
func (a Anchor) without(lead LeadID) Anchor {
	if a.Lead == lead {
		a.Lead, a.Provenance = 0, ""
	}
	if a.FirstLead == lead {
		a.FirstLead = 0
	}
	if !a.Shared {
		return a.retired()
	}
	return a
}
