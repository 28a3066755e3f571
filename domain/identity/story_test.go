package identity_test

import (
	"time"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

// The people and the times of these specs.
const (
	ana identity.Email = "ana@example.org"
	ben identity.Email = "ben@example.org"
	cyd identity.Email = "cyd@example.org"
)

var (
	keeping = identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour}
	morning = identity.Moment{Now: time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC), Keep: keeping}
)

// keyOf is the hash of a visitor key that is told from others by n.
func keyOf(n byte) identity.KeyHash { return identity.Key{n}.Hash() }

// pages are events named after what was looked at, all of one session.
func pages(session journey.Session, ids ...journey.EventID) []journey.Event {
	events := make([]journey.Event, len(ids))
	for i, id := range ids {
		events[i] = journey.Event{ID: id, Session: session}
	}
	return events
}

// submitted names a submission.
type submitted struct {
	email  identity.Email
	client identity.ClientID
}

// story is what happens on one device, told step by step: after each decision it is
// as the Change says.
type story struct {
	moment     identity.Moment
	device     identity.Anchor // zero: it was never here
	leads      map[identity.Email]identity.Lead
	prior      map[submitted]identity.Submission
	doubtful   map[journey.Session]bool
	candidates []identity.Candidate
	owners     map[journey.EventID]identity.Owner
	next       int64
}

func newStory() *story {
	return &story{
		moment: morning, leads: map[identity.Email]identity.Lead{}, prior: map[submitted]identity.Submission{},
		doubtful: map[journey.Session]bool{}, owners: map[journey.EventID]identity.Owner{},
	}
}

func (s *story) state() identity.State {
	s.next += 10
	state := identity.State{
		Candidates: s.candidates,
		Fresh: identity.Fresh{
			Anchor: identity.AnchorID(s.next), Lead: identity.LeadID(s.next + 1),
			Submission: identity.SubmissionID(s.next + 2), Candidate: identity.CandidateID(s.next + 3),
		},
	}
	if s.device.Key != (identity.KeyHash{}) {
		state.Devices = []identity.Anchor{s.device}
	}
	return state
}

// visit appends events under the device's key.
func (s *story) visit(events ...journey.Event) identity.Change {
	return s.apply(s.state().Append(identity.Append{Moment: s.moment, Events: events}))
}

// submit sends a person's form from the device.
func (s *story) submit(email identity.Email, client identity.ClientID, session journey.Session, events ...journey.Event) identity.Change {
	state := s.about(email, client, session)
	return s.apply(state.Submit(s.form(email, client, session, events...)))
}

// form is a submission as the device sends it, with a key for the case that it is new.
func (s *story) form(email identity.Email, client identity.ClientID, session journey.Session, events ...journey.Event) identity.Submit {
	return identity.Submit{
		Moment: s.moment, Client: client, Person: identity.Person{Email: email}, Session: session,
		Form: "contact", Events: events, FreshKey: keyOf(1),
	}
}

// about is the state that a submission is decided on.
func (s *story) about(email identity.Email, client identity.ClientID, session journey.Session) identity.State {
	state := s.state()
	if lead, ok := s.leads[email]; ok {
		state.Lead = &lead
	}
	if prior, ok := s.prior[submitted{email, client}]; ok {
		state.Prior = &prior
		if prior.Anchor != 0 && prior.Anchor == s.device.ID {
			home := s.device
			state.Home = &home
		}
	}
	for _, sub := range s.prior {
		if sub.Anchor != 0 && sub.Anchor == s.device.ID && sub.Session == session && session != "" {
			state.InSession = append(state.InSession, sub.Lead)
		}
	}
	state.Doubtful = s.doubtful[session]
	return state
}

// resolve has a person decide about the device.
func (s *story) resolve(command identity.Resolve) (identity.Change, error) {
	met := identity.Met{Anchor: &s.device, Candidates: s.candidates}
	for _, sub := range s.prior {
		if sub.Anchor == s.device.ID {
			met.Leads = append(met.Leads, sub.Lead)
		}
	}
	command.Moment = s.moment
	change, err := met.Resolve(command)
	return s.apply(change), err
}

func (s *story) apply(change identity.Change) identity.Change {
	for _, anchor := range change.Anchors {
		s.device = anchor
	}
	for _, lead := range change.Leads {
		s.leads[lead.Person.Email] = lead
	}
	for _, sub := range change.Submissions {
		s.prior[submitted{sub.Person.Email, sub.Client}] = sub
	}
	for _, candidate := range change.Candidates {
		s.candidates = putCandidate(s.candidates, candidate)
	}
	for _, place := range change.Doubtful {
		s.doubtful[place.Session] = true
	}
	for _, event := range change.Events {
		if _, first := s.owners[event.ID]; !first {
			s.owners[event.ID] = event.Owner
		}
	}
	return change
}

func putCandidate(all []identity.Candidate, one identity.Candidate) []identity.Candidate {
	for i := range all {
		if all[i].ID == one.ID {
			all[i] = one
			return all
		}
	}
	return append(all, one)
}

// lead is the id of somebody who submitted before.
func (s *story) lead(email identity.Email) identity.LeadID { return s.leads[email].ID }

// of is the owner of what belongs to a lead's browsing.
func (s *story) of(email identity.Email) identity.Owner {
	return identity.Owner{Ownership: identity.Attributed, Lead: s.lead(email)}
}

// in is the owner of what a submission kept of its session.
func (s *story) in(email identity.Email, client identity.ClientID) identity.Owner {
	return identity.Owner{Ownership: identity.InSnapshot, Submission: s.prior[submitted{email, client}].ID}
}

var nobody = identity.Owner{Ownership: identity.Nobodys}
