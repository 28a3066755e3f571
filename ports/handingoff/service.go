package handingoff

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Rules are the settings that this conversation obeys.
type Rules struct {
	Retention    identity.Retention
	TTL          time.Duration // from the mint until a token is bound
	Destinations []handoff.Destination
	Off          bool // recognises nobody (R16)
}

// Service is what may be asked of us by visitors on their way and by destinations.
type Service struct {
	store   Store
	rules   Rules
	peppers identity.Peppers
	now     func() time.Time
	random  io.Reader
}

// New makes the Service. random must be a cryptographic source.
func New(store Store, rules Rules, peppers identity.Peppers, now func() time.Time, random io.Reader) *Service {
	return &Service{store: store, rules: rules, peppers: peppers, now: now, random: random}
}

// Visit is what a request shows of the browser that sent it.
type Visit struct {
	Keys         []identity.Key // all well-formed ones that were sent, in that order
	Unrecognised bool           // the visitor asks not to be recognised (R16)
}

// Beacon is what a request carries of a journey.
type Beacon struct {
	Session journey.Session
	SentAt  journey.ClientTime
	Events  []journey.Draft
}

func (s *Service) moment() identity.Moment {
	return identity.Moment{Now: s.now().UTC().Truncate(time.Millisecond), Keep: s.rules.Retention}
}

func (b Beacon) clean(received time.Time, source journey.Source) ([]journey.Event, int) {
	envelope := journey.Envelope{Session: b.Session, SentAt: b.SentAt, ReceivedAt: received, Source: source}
	return envelope.Events(b.Events)
}

// Listed says whether a handoff may name a destination, compared to the letter.
func (s *Service) Listed(destination string) bool {
	return destination == string(handoff.Verify) || slices.Contains(s.rules.Destinations, handoff.Destination(destination))
}

// Redeem answers what mint and claims carried, to the destination's server and on
// behalf of the browser that claimed: events, and nothing about who anybody is.
// Any token that is not alive, bound to that browser, and for that destination is fault.Gone.
func (s *Service) Redeem(
	ctx context.Context, at handoff.Destination, token string, claim handoff.ClaimID,
) ([]journey.Event, error) {
	named, ok := handoff.ParseToken(token)
	if !ok || s.rules.Off {
		return nil, errGone
	}
	now := s.moment().Now
	h, err := s.store.Handoff(ctx, now, named.Hash())
	if fault.CodeOf(err) == fault.NotFound {
		return nil, errGone
	}
	if err != nil {
		return nil, fmt.Errorf("redeem: %w", err)
	}
	if !h.Answers(claim, at, now) {
		return nil, errGone
	}
	events, err := s.store.Carried(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("redeem: %w", err)
	}
	return events, nil
}

// errGone is the one refusal of a token.
var errGone = fault.New(fault.Gone, "", "this token is not valid, or not any more")
