package bunstore

import (
	"continuity/domain/handoff"
	"continuity/domain/identity"
)

// named says whether the ask is about a token, its own or a new one.
func (o *op) named() bool { return o.ask.Handoff != (handoff.TokenHash{}) }

// handedOff tells a state of handoffs: the one whose token was named, and those of
// the devices that spoke.
func (v *view) handedOff(o *op, state *identity.State) {
	if h, ok := v.handoff(o); ok {
		state.Handoff = &h
		if carrier, ok := v.anchors[h.Anchor]; ok {
			anchor := carrier.value
			state.Carrier = &anchor
		}
	}
	if !o.ask.Handoffs {
		return
	}
	for _, device := range state.Devices {
		for _, h := range v.handoffs {
			if h.value.Anchor == device.ID && h.value.ConfirmedAt.IsZero() {
				state.Handoffs = append(state.Handoffs, h.value)
			}
		}
	}
}

func (v *view) handoff(o *op) (identity.Handoff, bool) {
	found, ok := v.handoffs[v.byToken[o.ask.Handoff]]
	if !ok || !o.named() {
		return identity.Handoff{}, false
	}
	h := found.value
	h.Lead = v.authors[h.Submission]
	return h, true
}

// places are where an ask needs to know who was identified, one device's: of a
// token that is named, the session of its mint and that of its claim.
func (v *view) places(o *op) (places []identity.SessionOn) {
	identifies := len(o.ask.Person) > 0
	if !identifies && !o.named() {
		return nil
	}
	if h, ok := v.handoff(o); ok {
		claimed := o.ask.Session
		if identifies {
			claimed = h.ClaimSession
		}
		return []identity.SessionOn{{Anchor: h.Anchor, Session: h.Session}, {Anchor: h.Anchor, Session: claimed}}
	}
	for _, key := range o.ask.Keys {
		if id, ok := v.byKey[key]; ok {
			return []identity.SessionOn{{Anchor: id, Session: o.ask.Session}}
		}
	}
	return nil
}

func (v *view) setHandoff(h identity.Handoff) {
	put(v.handoffs, h.ID, h)
	v.byToken[h.Token] = h.ID
	if !h.ConfirmedAt.IsZero() && h.Lead != 0 && h.ClaimSession != "" {
		place := identity.SessionOn{Anchor: h.Anchor, Session: h.ClaimSession}
		v.inSession[place] = append(v.inSession[place], h.Lead)
	}
}

// forget removes a handoff, and with it what it carried; the events stay.
func (v *view) forget(id identity.HandoffID) {
	known, ok := v.handoffs[id]
	if !ok {
		return
	}
	delete(v.handoffs, id)
	delete(v.byToken, known.value.Token)
	if known.stored {
		v.forgotten = append(v.forgotten, id)
	}
}
