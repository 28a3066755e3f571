package oracle_test

import (
	"fmt"

	. "github.com/onsi/gomega"

	"continuity/features/oracle"
)

var names = []oracle.Address{"ana", "ben", "cyd"}

// player tells one history to a model and to a site, and holds them together.
type player struct {
	*site
	world *oracle.World
	holds [browsers]oracle.Key // the key in each browser's jar; zero: none
	sent  []sent
	told  []string // what everybody was told, in order
}

// sent is an old request with the keys that were alive when it was first sent.
type sent struct {
	request
	alive []oracle.Key
}

func play(s *site, h history) *player {
	p := &player{site: s, world: oracle.New(h.AnonymousAnchors)}
	before := p.look()
	for i, act := range h.Acts {
		p.do(act)
		after := p.look()
		p.Expect(after.picture).To(Equal(pictured(p.world)), "after act %d", i)
		p.Expect(after.journeys).To(Equal(p.foretoldJourneys()), "after act %d", i)
		p.holdWhatIsWritten(before, after, act.Kind == points)
		before = after
	}
	p.holdReports()
	return p
}

func (p *player) do(a act) {
	switch a.Kind {
	case keeps, points:
		p.judge(a)
	case replayed:
		p.replay(a)
	case claims, confirms:
		if len(p.world.Handoffs) > 0 {
			p.first(a)
		}
	default:
		p.first(a)
	}
}

// first sends a request that was never sent before, and has the browser keep what it
// was told, unless the answer was lost.
func (p *player) first(a act) {
	r := p.request(a)
	p.sent = append(p.sent, sent{r, p.alive(r)})
	answer := p.tellBoth(r)
	if a.Again && p.repeatable(sent{r, p.alive(r)}) {
		p.changesNothing(r)
	}
	if a.Lost || a.Kind == backend {
		return
	}
	if answer.Issue != 0 {
		p.holds[a.Browser] = answer.Issue
	} else if answer.Expire {
		p.holds[a.Browser] = 0
	}
}

func (p *player) request(a act) request {
	token := 0
	if n := len(p.world.Handoffs); n > 0 {
		token = n - 1 - a.Old/3%n // mostly a new one
	}
	if a.Kind == claims || a.Kind == confirms {
		a.Keys = none
	}
	return request{
		Token: token, Claim: claimIDs[a.Typed/2],
		Kind: a.Kind, Keys: p.keysOf(a), Typed: a.Typed, Quiet: a.Quiet,
		Form: oracle.Form{
			Who: names[a.Who], Client: a.Client, Name: a.Name, Session: a.Session, Steps: a.Steps, Browser: a.Kind == submits,
		},
	}
}

func (p *player) keysOf(a act) []oracle.Key {
	mine, others := p.holds[a.Browser], p.holds[(a.Browser+1)%browsers]
	all := map[keys][]oracle.Key{
		own: {mine}, none: {}, dead: {stranger}, plantedBefore: {others, mine}, plantedAfter: {mine, others},
		deadBefore: {stranger, mine}, twice: {mine, mine},
	}[a.Keys]
	var held []oracle.Key
	for _, key := range all {
		if key != 0 {
			held = append(held, key)
		}
	}
	return held
}

// tellBoth sends the request and holds the answer to what the model foretold.
func (p *player) tellBoth(r request) oracle.Answer {
	foretold := p.foretell(r)
	answer := p.tell(r, foretold)
	p.Expect(answer).To(Equal(foretold), "the answer to %+v", r)
	p.told = append(p.told, fmt.Sprintf("%s: %+v", r.Kind, answer))
	return answer
}

func (p *player) foretell(r request) oracle.Answer {
	switch {
	case r.Kind == mints || r.Kind == claims || r.Kind == confirms:
		return p.foretellHandoff(r)
	case r.Kind == resets:
		return p.world.Reset(r.Keys)
	case r.Kind == visits && r.Quiet:
		return oracle.Answer{Expire: len(r.Keys) > 0}
	case r.Kind == visits:
		return p.world.Append(r.Keys, r.Form.Steps)
	case r.Quiet:
		p.world.Submit(nil, oracle.Form{Who: r.Form.Who, Client: r.Form.Client, Name: r.Form.Name})
		return oracle.Answer{Expire: len(r.Keys) > 0}
	}
	return p.world.Submit(r.Keys, r.Form)
}

// judge has a person decide about the device that the browser speaks for, or an old
// one, and mostly about people who were there.
func (p *player) judge(a act) {
	if len(p.world.Devices) == 0 {
		return
	}
	device, who := p.world.Devices[a.Old%len(p.world.Devices)], names[a.Who]
	for _, d := range p.world.Devices {
		if d.Key == p.holds[a.Browser] {
			device = d
		}
	}
	for i := range names {
		if other := names[(a.Who+i)%len(names)]; !a.Quiet && device.Submitted[other] {
			who = other
			break
		}
	}
	foretold := true
	if a.Kind == keeps {
		device.KeepShared()
	} else {
		foretold = device.PointAt(who)
	}
	accepted := p.resolve(device.Key, who, a.Kind == keeps)
	p.Expect(accepted).To(Equal(foretold), "%s %s", a.Kind, who)
	p.told = append(p.told, fmt.Sprintf("%s: %t", a.Kind, accepted))
}

// replay sends an old request once more.
func (p *player) replay(a act) {
	if len(p.sent) == 0 {
		return
	}
	if old := p.sent[a.Old%len(p.sent)]; p.repeatable(old) {
		p.changesNothing(old.request)
	}
}

// repeatable says whether it is the same request still: a key that has been retired
// makes it another, and a device without a key is another device each time where
// anonymous anchors are allowed.
func (p *player) repeatable(old sent) bool {
	if old.Kind == mints { // another token each time
		return false
	}
	alive := p.alive(old.request)
	if len(alive) == 0 && old.Kind == visits && p.world.AnonymousAnchors {
		return false
	}
	return fmt.Sprint(alive) == fmt.Sprint(old.alive)
}

func (p *player) alive(r request) (alive []oracle.Key) {
	for _, key := range r.Keys {
		for _, d := range p.world.Devices {
			if d.Key == key && !d.Retired {
				alive = append(alive, key)
			}
		}
	}
	return alive
}

func (p *player) changesNothing(r request) {
	before := p.look()
	p.tellBoth(r)
	p.Expect(p.look()).To(Equal(before), "after %+v came again", r)
}
