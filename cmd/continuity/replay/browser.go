package replay

import (
	"math/rand/v2"
	"slices"
)

// browser writes one device's script. It keeps the mirror that a real one would
// keep, and asks the model what each request will answer.
type browser struct {
	model    *model
	chance   *rand.Rand
	seed     uint64
	script   *script
	mirror   []event // what no 204 has covered, oldest first
	accepted bool    // a submission was accepted from this mirror
	anchor   *anchor // behind the cookie; nil without one
	emptied  bool    // cookies were cleared since the last request
	session  string
	sessions int // session names given out
	beaconed bool
	latest   event // the page that is open
	last     step  // the last submission, for one that is sent again
	named    int   // submission names given out
}

// play browses through the device's visits and does the deeds on the way.
func (b *browser) play(todo []deed) {
	seen := 0
	nameless := b.chance.IntN(33) == 0 // a client whose sessions have no names
	for _, visit := range b.script.device.visits {
		b.begin(nameless)
		when := beacons[b.chance.IntN(len(beacons))]
		for i, e := range visit {
			e.session = b.session
			b.latest = e
			b.mirror = append(b.mirror, e)
			seen++
			if when == early && i == 0 {
				b.beacon()
			}
			for len(todo) > 0 && todo[0].after <= seen {
				b.do(todo[0], nameless)
				todo = todo[1:]
			}
		}
		if when != never {
			b.beacon()
		}
	}
}

// timing is when a session's beacon leaves.
type timing int

const (
	late  timing = iota // as the page is hidden
	early               // seconds after it was opened
	never               // the network was away, or the page died
)

var beacons = []timing{late, late, late, early, early, never}

func (b *browser) begin(nameless bool) {
	b.beaconed = false
	b.sessions++
	if !nameless {
		b.session = name(b.seed, "session", b.script.device.number, b.sessions)
	}
}

func (b *browser) do(d deed, nameless bool) {
	switch d.does {
	case submits, submitsBlind:
		b.submit(d.person, d.does == submitsBlind)
	case submitsAgain:
		b.submitAgain()
	case clearsCookies, clearsAll:
		b.anchor, b.emptied = nil, true
		if d.does == clearsAll {
			b.mirror, b.accepted = nil, false
		}
	case losesMirror:
		b.mirror, b.accepted = nil, false
	case resetsKey:
		b.reset(nameless)
	case sendsStale:
		b.add(step{to: toAppend, session: b.session, events: []event{b.latest}, key: stale, want: nothing})
	}
}

// beacon sends what no 204 has covered, once per session.
func (b *browser) beacon() {
	if b.beaconed || len(b.mirror) == 0 {
		return
	}
	b.beaconed = b.send()
}

// send appends the mirror in as many requests as it takes. It tells whether that was stored.
func (b *browser) send() bool {
	for len(b.mirror) > 0 {
		carried := b.newest()
		want := b.model.append(b.anchor, carried)
		b.add(step{to: toAppend, session: b.session, events: carried, want: want, mishap: b.mishap(carried)})
		if want != stored {
			return false
		}
		if !b.accepted {
			return true // nothing leaves this mirror yet, so the same would go again and again
		}
		b.forget(carried)
	}
	return true
}

// submit sends a form. Blind, neither the answer nor the cookie arrives, and the
// same goes again as the browser is: without a key.
func (b *browser) submit(person int, unseen bool) {
	b.named++
	s := step{
		to: toSubmission, session: b.session, events: b.newest(), person: person, want: stored,
		submission: name(b.seed, "submission", b.script.device.number, b.named),
	}
	s.mishap = b.mishap(s.events)
	if s.mishap == smooth && b.chance.IntN(8) == 0 {
		s.mishap = clumsy
	}
	made := b.model.submit(b.anchor, person, s.submission, s.session, s.events)
	if unseen && b.anchor == nil {
		s.mishap, made = blind, nil
	}
	b.anchor = made
	b.took(s)
}

// submitAgain repeats the last submission under its own name, with what was seen since.
func (b *browser) submitAgain() {
	if b.anchor == nil || b.last.submission == "" {
		return
	}
	s := b.last
	s.session, s.events, s.mishap = b.session, b.newest(), b.mishap(nil)
	b.model.submit(b.anchor, s.person, s.submission, s.session, s.events)
	b.took(s)
}

func (b *browser) took(s step) {
	b.last = s
	b.add(s)
	b.accepted = true
	b.forget(s.events)
	b.send()
}

func (b *browser) reset(nameless bool) {
	if b.anchor == nil {
		return
	}
	b.add(step{to: toReset, want: stored})
	b.model.reset(b.anchor)
	b.anchor, b.mirror, b.accepted = nil, nil, false
	b.begin(nameless) // sessionStorage is cleared as well
}

func (b *browser) add(s step) {
	s.emptied, b.emptied = b.emptied, false
	b.script.steps = append(b.script.steps, s)
}

// forget drops what a 204 has covered.
func (b *browser) forget(carried []event) {
	covered := make(map[string]bool, len(carried))
	for _, e := range carried {
		covered[e.id] = true
	}
	b.mirror = slices.DeleteFunc(b.mirror, func(e event) bool { return covered[e.id] })
}

const (
	mostEvents = 300
	mostOctets = 60_000 // of the events; the envelope needs a little, and 64 KiB is the bound
)

// newest is the end of the mirror that fits into one request.
func (b *browser) newest() []event {
	octets, from := 0, len(b.mirror)
	for from > 0 && len(b.mirror)-from < mostEvents {
		octets += b.script.weigh(b.mirror[from-1])
		if octets > mostOctets && from < len(b.mirror) {
			break
		}
		from--
	}
	return slices.Clone(b.mirror[from:])
}

// mishap draws what happens to a request; most go smoothly. One that brings the
// first key is never cut off, because then the key would be lost with the answer.
func (b *browser) mishap(carried []event) mishap {
	n := b.chance.IntN(40)
	switch {
	case n < 3:
		return answerLost
	case n < 5 && b.anchor != nil:
		return hungUp
	case n < 7 && b.anchor != nil:
		return atOnce
	case n < 8 && len(carried) > 0 && b.light(carried):
		return doubled
	}
	return smooth
}

// light tells whether the events fit into one request twice.
func (b *browser) light(carried []event) bool {
	octets := 0
	for _, e := range carried {
		octets += b.script.weigh(e)
	}
	return octets*2 <= mostOctets && len(carried)*2 <= mostEvents
}
