package replay

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"continuity/cmd/continuity/replay/accesslog"
)

// plan is a whole replay before its first request, and what must come of it.
type plan struct {
	seed    uint64
	scripts []script
	people  int
	model   *model
	events  map[string]int // every event of the log → its device's number
}

// draw makes the plan. The same rows, seed, site and gap give the same plan.
func draw(rows []accesslog.Row, o Options) plan {
	p := plan{seed: o.Seed, model: newModel(), events: map[string]int{}}
	people := &cast{}
	for _, d := range devices(rows, o.Site, o.Gap, o.Seed) {
		chance := rand.New(rand.NewChaCha8(seedOf(o.Seed, d.number))) //nolint:gosec // a plan has to come again by its seed
		s := script{
			device: d, role: drawRole(chance), clock: clock(chance.IntN(3)), rfc3339: chance.IntN(4) == 0,
			terse: chance.IntN(2) == 0,
		}
		b := &browser{model: p.model, chance: chance, seed: o.Seed, script: &s}
		b.play(deeds(s.role, d.visits, people, chance))
		s.sessions = b.sessions
		p.scripts = append(p.scripts, s)
		for _, v := range d.visits {
			for _, e := range v {
				p.events[e.id] = d.number
			}
		}
	}
	p.people = people.people
	return p
}

func seedOf(seed uint64, device int) (s [32]byte) {
	binary.BigEndian.PutUint64(s[:], seed)
	binary.BigEndian.PutUint64(s[8:], uint64(device))
	return s
}

// address is a person's e-mail address; the seed keeps replays apart that meet in one database.
func (p plan) address(person int) string {
	return fmt.Sprintf("lead-%d-%06d@example.org", p.seed, person)
}

// called is the name a person gives.
func called(person int) string { return fmt.Sprintf("Lead %06d", person) }
