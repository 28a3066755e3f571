package handingoff

import (
	"context"
	"fmt"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Claimed is the answer to a claim.
type Claimed struct {
	Stored  bool // false where nobody is to be recognised
	Skipped int  // events that could not be used
}

// Claim binds a token to the browser that arrived with it, and appends what it
// carries. The same browser may do so again. Anything else is fault.Gone.
func (s *Service) Claim(
	ctx context.Context, visit Visit, at handoff.Destination, token string, claim handoff.ClaimID, beacon Beacon,
) (Claimed, error) {
	if s.rules.Off || visit.Unrecognised {
		return Claimed{}, nil
	}
	named, ok := handoff.ParseToken(token)
	if !ok {
		return Claimed{}, errGone
	}
	moment := s.moment()
	events, skipped := beacon.clean(moment.Now, journey.FromClaim)
	command := identity.ClaimHandoff{
		Moment: moment, Claim: claim, Destination: at, Session: beacon.Session, Events: events,
	}
	ask := identity.Ask{Now: moment.Now, Session: beacon.Session, Handoff: named.Hash(), Bytes: journey.Weight(events)}
	change, err := s.store.Record(ctx, ask, func(state identity.State) identity.Change {
		return state.ClaimHandoff(command)
	})
	if err != nil {
		return Claimed{}, fmt.Errorf("claim: %w", err)
	}
	if len(change.Handoffs) == 0 {
		return Claimed{}, errGone
	}
	return Claimed{Stored: true, Skipped: skipped}, nil
}
