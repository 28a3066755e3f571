package oracle

// Handoff carries a device's journey to a destination; there is one destination here.
type Handoff struct {
	Device *Device
	// Claim is the browser that it is bound to; empty: none yet.
	Claim string
	// Dead says that no browser can have it any more.
	Dead bool

	session, claimSession string
	planted               bool
	promise               *Promise
	confirmed             *Submission // the first
	arrivals              int         // how much had arrived by then
	carried               []*Event
}

// Promise is a snapshot whose submission is yet to come; until then, and if it
// never comes, it is nobody's.
type Promise struct{ Submission *Submission }

// Mint is a visitor about to leave for the destination (R2).
func (w *World) Mint(keys []Key, form Form) Answer {
	known := w.known(keys)
	if len(known) == 0 {
		known = []*Device{w.mint()}
		known[0].Held = true
	}
	h := &Handoff{Device: known[0], session: form.Session, planted: len(known) > 1, promise: &Promise{}}
	for _, other := range w.Handoffs {
		if other.Device != h.Device || other.Claim != "" || other.Dead {
			continue
		}
		other.Dead = true
		if other.session == h.session {
			h.promise = other.promise
		}
	}
	w.Handoffs = append(w.Handoffs, h)
	w.carry(h, form)
	return Answer{Stored: true, Issue: h.Device.Key}
}

// Claim is a browser that arrived. It is refused, and false, unless the token is
// alive and its own.
func (w *World) Claim(h *Handoff, claim string, form Form) bool {
	if !h.open(claim) {
		return false
	}
	h.Claim = claim
	if h.claimSession == "" {
		h.claimSession = form.Session
	}
	h.meet()
	w.carry(h, form)
	return true
}

// Confirm is identity arriving from the destination's server (R4–R7).
func (w *World) Confirm(h *Handoff, claim string, form Form) {
	if !h.open(claim) {
		w.Submit(nil, form)
		return
	}
	h.Claim = claim
	known := w.People[form.Who] != nil
	submission, before := w.submission(form)
	if h.planted {
		h.Device.doubtful[h.session] = true
	} else if submission.Device == nil {
		if h.confirmed == nil && !before && h.alone(form.Who, h.claimSession) {
			h.promise.Submission = submission
		}
		w.submitOn(h.Device, submission, Form{Who: form.Who, Client: form.Client, Session: h.session}, known)
	}
	if h.confirmed == nil {
		h.confirmed, h.arrivals = submission, w.arrivals
		h.meet()
	}
}

// Redeem is what the destination's server is told: the ids of events.
func (h *Handoff) Redeem(claim string) (ids []string, ok bool) {
	if h.Claim == "" || !h.open(claim) {
		return nil, false
	}
	for _, event := range h.carried {
		owner, _ := h.Device.OwnerOf(event)
		if h.confirmed == nil || owner == h.confirmed.Who && event.Arrival <= h.arrivals {
			ids = append(ids, event.ID)
		}
	}
	return ids, true
}

func (h *Handoff) open(claim string) bool { return !h.Dead && (h.Claim == "" || h.Claim == claim) }

// meet notes who was identified in the session at the destination.
func (h *Handoff) meet() {
	if h.confirmed != nil && h.claimSession != "" {
		h.Device.identified(h.confirmed.Who, h.claimSession)
	}
}

func (h *Handoff) alone(who Address, there string) bool {
	return (h.session == "" || h.Device.alone(who, h.session)) && (there == "" || h.Device.alone(who, there))
}

func (w *World) carry(h *Handoff, form Form) {
	for _, step := range form.Steps {
		event := w.write(h.Device, step, h.ownerOf(step, form.Session))
		h.carried = append(h.carried, event)
	}
}

// ownerOf is whose a carried step is: on a shared device, of its own session, the
// confirm's, whoever that will be.
func (h *Handoff) ownerOf(step Step, session string) Owner {
	switch {
	case h.planted:
		return Owner{}
	case !h.Device.Shared:
		return h.Device.browsing()
	case h.session == "" || step.Session == "" || step.Session != session:
		return Owner{}
	case session != h.session && session != h.claimSession:
		return Owner{}
	case h.Device.doubtful[session] || h.Device.doubtful[h.session]:
		return Owner{}
	case h.confirmed == nil:
		return Owner{Promise: h.promise}
	case !h.alone(h.confirmed.Who, session):
		return Owner{}
	}
	return Owner{Submission: h.confirmed}
}
