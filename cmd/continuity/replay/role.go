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

// deeds is a role's part, spread over a device's visits.
func deeds(part role, visits [][]event, people *cast, r *rand.Rand) []deed {
	play, ok := parts[part]
	if !ok {
		return nil
	}
	all := play(people, r)
	if part == shares && len(visits) > 1 && r.IntN(2) == 0 {
		return apart(all, visits, r)
	}
	return spread(all, visits, part, r)
}

// parts is what each role does, in order; who only looks has none.
var parts = map[role]func(people *cast, r *rand.Rand) []deed{
	shares: company,
	converts: func(people *cast, _ *rand.Rand) []deed {
		return []deed{{does: submits, person: people.fresh()}}
	},
	second: func(people *cast, r *rand.Rand) []deed {
		return []deed{{does: submits, person: people.known(r, 0)}}
	},
	returns: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		all := []deed{{does: submits, person: p}, {does: submitsAgain}, {does: submits, person: p}}
		return all[:1+r.IntN(3)]
	},
	clears: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		then := []int{p, people.known(r, p)}[r.IntN(2)]
		all := []deed{{does: submits, person: p}, {does: clearsCookies + doing(r.IntN(2))}, {does: submits, person: then}}
		return all[:2+r.IntN(2)]
	},
	resets: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		return []deed{{does: submits, person: p}, {does: resetsKey}, {does: submits, person: people.known(r, p)}}
	},
	leaves: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		return []deed{
			{does: submits, person: p}, {does: resetsKey}, {does: sendsStale}, {does: submits, person: people.known(r, p)},
		}
	},
	forgets: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		all := []deed{{does: submits, person: p}, {does: losesMirror}, {does: submits, person: p}}
		return all[:2+r.IntN(2)]
	},
	unlucky: func(people *cast, r *rand.Rand) []deed {
		p := people.fresh()
		all := []deed{{does: submitsBlind, person: p}, {does: submits, person: p}}
		return all[:1+r.IntN(2)]
	},
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

// apart puts the deeds into visits that lie apart, as far as there are enough of them.
func apart(all []deed, visits [][]event, r *rand.Rand) []deed {
	begins, seen := make([]int, len(visits)), 0
	for i, visit := range visits {
		begins[i] = seen
		seen += len(visit)
	}
	places := make([]int, len(all))
	for i := range places {
		v := (i*len(visits) + r.IntN(len(visits))) / len(all)
		places[i] = begins[v] + 1 + r.IntN(len(visits[v]))
	}
	return put(all, places)
}

// spread puts the deeds at places in order; some shared devices see them close together.
func spread(all []deed, visits [][]event, part role, r *rand.Rand) []deed {
	n := 0
	for _, visit := range visits {
		n += len(visit)
	}
	from, span := 1, n
	if part == shares && r.IntN(2) == 0 {
		from, span = 1+r.IntN(n), min(n, 3)
	}
	places := make([]int, len(all))
	for i := range places {
		places[i] = min(n, from+r.IntN(span))
	}
	return put(all, places)
}

func put(all []deed, places []int) []deed {
	slices.Sort(places)
	for i := range all {
		all[i].after = places[i]
	}
	return all
}
