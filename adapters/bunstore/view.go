package bunstore

import (
	"continuity/domain/handoff"
	"continuity/domain/identity"
)

// view is the part of the database that a batch of asks is about, in memory. A
// decision reads its State from it and its Change goes back into it, so that the
// next decision of the batch sees it; at the end what changed is written.
type view struct {
	seal seal

	anchors     map[identity.AnchorID]*row[identity.Anchor]
	byKey       map[identity.KeyHash]identity.AnchorID
	leads       map[identity.LeadID]*row[identity.Lead]
	byPerson    map[identity.LeadKey]identity.LeadID
	submissions map[submissionName]*row[identity.Submission]
	inSession   map[identity.SessionOn][]identity.LeadID
	doubtful    map[identity.SessionOn]*row[struct{}]
	candidates  map[identity.AnchorID][]*row[identity.Candidate]
	seen        map[identity.LeadID]identity.LeadSeen
	handoffs    map[identity.HandoffID]*row[identity.Handoff]
	byToken     map[handoff.TokenHash]identity.HandoffID
	authors     map[identity.SubmissionID]identity.LeadID // of the submissions that handoffs name
	forgotten   []identity.HandoffID
	events      []identity.OwnedEvent
}

// row is a value with what has to be done about it.
type row[T any] struct {
	value   T
	stored  bool // it is in the database
	changed bool
}

func (r *row[T]) set(value T) { r.value, r.changed = value, true }

// submissionName identifies a submission (R4).
type submissionName struct {
	lead   identity.LeadID
	client identity.ClientID
}

func newView(seal seal) *view {
	return &view{
		seal:        seal,
		anchors:     map[identity.AnchorID]*row[identity.Anchor]{},
		byKey:       map[identity.KeyHash]identity.AnchorID{},
		leads:       map[identity.LeadID]*row[identity.Lead]{},
		byPerson:    map[identity.LeadKey]identity.LeadID{},
		submissions: map[submissionName]*row[identity.Submission]{},
		inSession:   map[identity.SessionOn][]identity.LeadID{},
		doubtful:    map[identity.SessionOn]*row[struct{}]{},
		candidates:  map[identity.AnchorID][]*row[identity.Candidate]{},
		seen:        map[identity.LeadID]identity.LeadSeen{},
		handoffs:    map[identity.HandoffID]*row[identity.Handoff]{},
		byToken:     map[handoff.TokenHash]identity.HandoffID{},
		authors:     map[identity.SubmissionID]identity.LeadID{},
	}
}

// state is what the view knows of one ask.
func (v *view) state(o *op) identity.State {
	state := identity.State{Fresh: o.fresh}
	for _, key := range o.ask.Keys {
		if id, ok := v.byKey[key]; ok {
			state.Devices = append(state.Devices, v.anchors[id].value)
		}
	}
	v.handedOff(o, &state)
	if len(o.ask.Person) > 0 {
		v.person(o, &state)
	}
	v.meetings(o, &state)
	return state
}

func (v *view) person(o *op, state *identity.State) {
	lead, ok := v.leads[v.byPerson[o.ask.Person[0]]]
	if !ok {
		state.Fresh.Lead = v.byPerson[o.ask.Person[0]]
		return
	}
	known := lead.value
	state.Lead = &known
	prior, ok := v.submissions[submissionName{known.ID, o.ask.Client}]
	if !ok {
		return
	}
	submission := prior.value
	state.Prior = &submission
	if home, ok := v.anchors[submission.Anchor]; ok {
		anchor := home.value
		state.Home = &anchor
	}
}

// meetings are who was identified where this ask is about.
func (v *view) meetings(o *op, state *identity.State) {
	places := v.places(o)
	if len(places) == 0 {
		return
	}
	for _, place := range places {
		state.InSession = append(state.InSession, v.inSession[place]...)
		if v.doubtful[place] != nil {
			state.Doubtful = true
		}
	}
	for _, c := range v.candidates[places[0].Anchor] {
		state.Candidates = append(state.Candidates, c.value)
	}
}

// apply makes the view as it is after a Change.
func (v *view) apply(c identity.Change) {
	for _, a := range c.Anchors {
		v.setAnchor(a)
	}
	for _, l := range c.Leads {
		put(v.leads, l.ID, l)
	}
	for _, s := range c.Seen {
		v.seen[s.Lead] = s
	}
	for _, s := range c.Submissions {
		put(v.submissions, submissionName{s.Lead, s.Client}, s)
		v.authors[s.ID] = s.Lead
		if s.Anchor != 0 && s.Session != "" {
			place := identity.SessionOn{Anchor: s.Anchor, Session: s.Session}
			v.inSession[place] = append(v.inSession[place], s.Lead)
		}
	}
	for _, c := range c.Candidates {
		v.setCandidate(c)
	}
	for _, d := range c.Doubtful {
		if v.doubtful[d] == nil {
			v.doubtful[d] = &row[struct{}]{changed: true}
		}
	}
	for _, id := range c.Forgotten {
		v.forget(id)
	}
	for _, h := range c.Handoffs {
		v.setHandoff(h)
	}
	v.events = append(v.events, c.Events...)
}

func put[K comparable, V any](rows map[K]*row[V], key K, value V) {
	if rows[key] == nil {
		rows[key] = &row[V]{}
	}
	rows[key].set(value)
}

func (v *view) setAnchor(a identity.Anchor) {
	if before, ok := v.anchors[a.ID]; ok && before.value.Key != a.Key {
		delete(v.byKey, before.value.Key)
	}
	put(v.anchors, a.ID, a)
	if a.Key != (identity.KeyHash{}) {
		v.byKey[a.Key] = a.ID
	}
}

func (v *view) setCandidate(c identity.Candidate) {
	for _, known := range v.candidates[c.Anchor] {
		if known.value.ID == c.ID {
			known.set(c)
			return
		}
	}
	v.candidates[c.Anchor] = append(v.candidates[c.Anchor], &row[identity.Candidate]{value: c, changed: true})
}
