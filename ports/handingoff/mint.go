package handingoff

import (
	"context"
	"fmt"
	"io"
	"time"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Minted is the answer to a mint.
type Minted struct {
	// Token is nil where nobody is to be recognised; nothing was stored then.
	Token     *handoff.Token
	ExpiresAt time.Time     // unless it is claimed by then
	Issue     *identity.Key // the key to set, or to set again
	Expire    bool          // the key that was sent should go
	Skipped   int           // events that could not be used
}

// Mint appends what the browser carries and makes a token for a destination, of the
// device's anchor or of a new one (R2). A destination that is not configured is
// fault.Unlisted and changes nothing.
func (s *Service) Mint(ctx context.Context, visit Visit, destination string, beacon Beacon) (Minted, error) {
	if !s.Listed(destination) {
		return Minted{}, fault.New(fault.Unlisted, "destination", "is not a configured destination")
	}
	if s.rules.Off || visit.Unrecognised {
		return Minted{Expire: len(visit.Keys) > 0}, nil
	}
	var token handoff.Token
	var key identity.Key
	for _, secret := range [][]byte{token[:], key[:]} {
		if _, err := io.ReadFull(s.random, secret); err != nil {
			return Minted{}, fmt.Errorf("draw a token and a key: %w", err)
		}
	}
	moment, keys := s.moment(), identity.NewRing(visit.Keys)
	events, skipped := beacon.clean(moment.Now, journey.FromMint)
	command := identity.MintHandoff{
		Moment: moment, TTL: s.rules.TTL, Token: token.Hash(), Destination: handoff.Destination(destination),
		Session: beacon.Session, Events: events, FreshKey: keys.Add(key),
	}
	ask := identity.Ask{
		Now: moment.Now, Keys: keys.Hashes(), Session: beacon.Session,
		Handoff: command.Token, Handoffs: true, Creates: true, Bytes: journey.Weight(events),
	}
	change, err := s.store.Record(ctx, ask, func(state identity.State) identity.Change {
		return state.MintHandoff(command)
	})
	if err != nil {
		return Minted{}, fmt.Errorf("mint: %w", err)
	}
	minted := Minted{Token: &token, ExpiresAt: change.Handoffs[0].ExpiresAt, Skipped: skipped}
	minted.Issue, minted.Expire = keys.Answer(change)
	return minted, nil
}
