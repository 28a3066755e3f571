package replay

import (
	"math/rand/v2"
	"slices"
)

// role is the part a device plays.
type role string

const (
	looks    role = "looks"              // never submits
	converts role = "converts"           // submits once, and browses on if the log lets it
	returns  role = "returns"            // submits early, repeats that, submits again later
	second   role = "second device"      // submits for somebody who has another device
	shares   role = "shared"             // two or three people submit on it
	clears   role = "clears cookies"     // submits, loses its cookies, may submit again
	resets   role = "resets"             // submits, resets, and somebody else submits
	forgets  role = "forgets storage"    // submits, loses its mirror and keeps its cookie
	unlucky  role = "first answer lost"  // its first submission's answer never arrives
	leaves   role = "leaves a stale tab" // resets, while another tab still sends the old key
)

// shareOf is how many of a hundred devices play each role.
var shareOf = []struct {
	role  role
	share int
}{
	{looks, 35}, {converts, 12}, {returns, 12}, {second, 8}, {shares, 15},
	{clears, 6}, {resets, 4}, {forgets, 3}, {unlucky, 2}, {leaves, 3},
}

func drawRole(r *rand.Rand) role {
	n := r.IntN(100)
	for _, s := range shareOf {
		if n < s.share {
			return s.role
		}
		n -= s.share
	}
	return looks
}

// cast hands out people. A person is a number; see address.
type cast struct{ people int }

func (c *cast) fresh() int {
	c.people++
	return c.people
}

// known is somebody who has submitted before, where there is one, and never not.
func (c *cast) known(r *rand.Rand, not int) int {
	if c.people == 0 {
		return c.fresh()
	}
	if p := 1 + r.IntN(c.people); p != not {
		return p
	}
	return c.fresh()
}

// deed is what a person does beside browsing.
type deed struct {
	after  int // the number of events seen by then, at least 1
	does   doing
	person int
}

type doing int

const (
	submits doing = iota
	submitsAgain
	clearsCookies
	clearsAll
	losesMirror
	resetsKey
	sendsStale
	submitsBlind
)

// deeds is a role's part, spread over a device's n events.
func deeds(part role, n int, people *cast, r *rand.Rand) []deed {
	var all []deed
	one := func() int { return people.fresh() }
	switch part {
	case converts:
		all = []deed{{does: submits, person: one()}}
	case returns:
		p := one()
		all = []deed{{does: submits, person: p}, {does: submitsAgain}, {does: submits, person: p}}
		all = all[:1+r.IntN(3)]
	case second:
		all = []deed{{does: submits, person: people.known(r, 0)}}
	case shares:
		all = company(people, r)
	case clears:
		p := one()
		all = []deed{{does: submits, person: p}, {does: clearsCookies + doing(r.IntN(2))}}
		if r.IntN(2) == 0 {
			all = append(all, deed{does: submits, person: []int{p, people.known(r, p)}[r.IntN(2)]})
		}
	case resets, leaves:
		p := one()
		all = []deed{{does: submits, person: p}, {does: resetsKey}, {does: sendsStale}, {does: submits, person: people.known(r, p)}}
		if part == resets {
			all = slices.Delete(all, 2, 3)
		}
	case forgets:
		p := one()
		all = []deed{{does: submits, person: p}, {does: losesMirror}, {does: submits, person: p}}
		all = all[:2+r.IntN(2)]
	case looks:
	case unlucky:
		p := one()
		all = []deed{{does: submitsBlind, person: p}, {does: submits, person: p}}
		all = all[:1+r.IntN(2)]
	}
	return spread(all, n, part, r)
}

// company is two or three people at one device, the first perhaps twice.
func company(people *cast, r *rand.Rand) []deed {
	ana := people.fresh()
	ben := people.known(r, ana)
	all := []deed{{does: submits, person: ana}, {does: submits, person: ben}}
	switch r.IntN(5) {
	case 0:
		all = append(all, deed{does: submits, person: ana})
	case 1:
		all = append(all, deed{does: submits, person: ben}, deed{does: submitsAgain})
	case 2:
		all = append(all, deed{does: submits, person: people.fresh()})
	}
	return all
}

// spread puts the deeds at places in order; half of the shared devices see them close together.
func spread(all []deed, n int, part role, r *rand.Rand) []deed {
	from, span := 1, n
	if part == shares && r.IntN(2) == 0 {
		from, span = 1+r.IntN(n), min(n, 3)
	}
	places := make([]int, len(all))
	for i := range places {
		places[i] = min(n, from+r.IntN(span))
	}
	slices.Sort(places)
	for i := range all {
		all[i].after = places[i]
	}
	return all
}
