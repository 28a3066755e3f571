package capture

import (
	"context"
	"fmt"
	"io"
	"time"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Rules are the settings that this conversation obeys.
type Rules struct {
	Retention identity.Retention
	// AnonymousAnchors gives an unknown device a key at its first append (R1).
	AnonymousAnchors bool
	// Off recognises nobody: appends store nothing, submissions come without a device (R16).
	Off bool
}

// Service is what may be asked of us by browsers and form backends.
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

// Visit is what a request shows of the device that sent it.
type Visit struct {
	// Keys are all well-formed visitor keys that were sent, in the order they were sent.
	Keys []identity.Key
	// Unrecognised is set when the visitor asks not to be recognised (R16).
	Unrecognised bool
}

// Beacon is what a request carries of a journey.
type Beacon struct {
	Session journey.Session
	SentAt  journey.ClientTime
	Events  []journey.Draft
}

// Answer is what to tell the device. Neither part reveals anything of a journey (R14).
type Answer struct {
	// Stored is false when there was nothing to append to.
	Stored bool
	// Issue is the key to set, or to set again; nil to set none.
	Issue *identity.Key
	// Expire says that a key which was sent is dead, and its cookie should go.
	Expire bool
	// Skipped counts the events that could not be used.
	Skipped int
}

func (s *Service) moment() identity.Moment {
	return identity.Moment{Now: s.now().UTC().Truncate(time.Millisecond), Keep: s.rules.Retention}
}

// Append stores a return visit's events (R1).
func (s *Service) Append(ctx context.Context, visit Visit, beacon Beacon) (Answer, error) {
	if s.rules.Off || visit.Unrecognised {
		return Answer{Expire: len(visit.Keys) > 0}, nil
	}
	moment := s.moment()
	keys := identity.NewRing(visit.Keys)
	events, skipped := clean(beacon, moment.Now, journey.FromAppend)
	command := identity.Append{Moment: moment, Events: events}
	if s.rules.AnonymousAnchors {
		fresh, err := s.fresh(keys)
		if err != nil {
			return Answer{}, err
		}
		command.FreshKey = fresh
	}
	if len(keys.Hashes()) == 0 && !s.rules.AnonymousAnchors {
		return Answer{Skipped: skipped}, nil
	}
	ask := Ask{Now: moment.Now, Keys: keys.Hashes(), Creates: s.rules.AnonymousAnchors, Bytes: journey.Weight(events)}
	change, err := s.store.Record(ctx, ask, func(state identity.State) identity.Change {
		return state.Append(command)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("append: %w", err)
	}
	return answerOf(keys, change, skipped), nil
}

// Form is a submitted identity with what came beside it.
type Form struct {
	ID     identity.ClientID
	Form   string // which form
	Email  string // as it was typed
	Name   string
	Phone  string
	Fields string // a JSON object, or empty
}

// Submit keeps an identity and links the device that it came from (R2, R4–R7). An
// address that R3 rejects is fault.Rejected and changes nothing. device is false
// for a form backend: unless a known key speaks for one, no device is invented.
func (s *Service) Submit(ctx context.Context, visit Visit, form Form, beacon Beacon, device bool) (Answer, error) {
	person, err := identity.NewPerson(form.Email, form.Name, form.Phone)
	if err != nil {
		return Answer{}, err
	}
	expire := false
	if s.rules.Off || visit.Unrecognised {
		expire = len(visit.Keys) > 0
		visit, beacon, device = Visit{}, Beacon{}, false
	}
	moment := s.moment()
	keys := identity.NewRing(visit.Keys)
	events, skipped := clean(beacon, moment.Now, journey.FromSubmission)
	command := identity.Submit{
		Moment: moment, Client: form.ID, Person: person, Session: beacon.Session,
		Form: form.Form, Fields: form.Fields, Events: events,
	}
	if device {
		if command.FreshKey, err = s.fresh(keys); err != nil {
			return Answer{}, err
		}
	}
	ask := Ask{
		Now: moment.Now, Keys: keys.Hashes(), Person: s.peppers.Keys(person.Email), Client: form.ID, Session: beacon.Session,
		Creates: true, Bytes: journey.Weight(events) + len(form.Fields),
	}
	change, err := s.store.Record(ctx, ask, func(state identity.State) identity.Change {
		return state.Submit(command)
	})
	if err != nil {
		return Answer{}, fmt.Errorf("submit: %w", err)
	}
	answer := answerOf(keys, change, skipped)
	answer.Expire = answer.Expire || expire
	return answer, nil
}

// Reset retires the keys that were sent, with their unbound handoffs (R17). The answer always expires the cookie.
func (s *Service) Reset(ctx context.Context, visit Visit) (Answer, error) {
	keys := identity.NewRing(visit.Keys)
	if len(keys.Hashes()) == 0 {
		return Answer{Stored: true, Expire: true}, nil
	}
	_, err := s.store.Record(ctx, Ask{Now: s.now(), Keys: keys.Hashes(), Handoffs: true}, identity.State.Reset)
	if err != nil {
		return Answer{}, fmt.Errorf("reset: %w", err)
	}
	return Answer{Stored: true, Expire: true}, nil
}

// fresh draws a new key and remembers it, so that the answer can issue it.
func (s *Service) fresh(keys *identity.Ring) (identity.KeyHash, error) {
	var key identity.Key
	if _, err := io.ReadFull(s.random, key[:]); err != nil {
		return identity.KeyHash{}, fmt.Errorf("draw a visitor key: %w", err)
	}
	return keys.Add(key), nil
}

func answerOf(keys *identity.Ring, change identity.Change, skipped int) Answer {
	issue, expire := keys.Answer(change)
	return Answer{Stored: issue != nil, Issue: issue, Expire: expire, Skipped: skipped}
}

func clean(beacon Beacon, received time.Time, source journey.Source) (events []journey.Event, skipped int) {
	envelope := journey.Envelope{
		Session: beacon.Session, SentAt: beacon.SentAt, ReceivedAt: received, Source: source,
	}
	return envelope.Events(beacon.Events)
}
