package oracle_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"continuity/features/oracle"
)

// history is what random people do, as data: it can be told to any number of sites.
type history struct {
	AnonymousAnchors bool
	Acts             []act
}

type kind string

const (
	visits   kind = "visits"
	submits  kind = "submits"
	backend  kind = "a form backend submits"
	resets   kind = "resets"
	keeps    kind = "is kept shared"
	points   kind = "is pointed at somebody"
	replayed kind = "an old request comes again"
	mints    kind = "leaves for the portal"
	claims   kind = "arrives at the portal"
	confirms kind = "is confirmed by the portal"
)

// kinds stand as often as they shall happen.
var kinds = []kind{visits, visits, visits, submits, submits, submits, submits, backend, resets, keeps, points, points, replayed,
	mints, mints, claims, claims, confirms, confirms}

// claimIDs are the browsers at the portal.
var claimIDs = []string{"c1", "c2"}

// act is one thing that happens on a browser, or to the device it speaks for.
type act struct {
	Kind    kind
	Browser int // which
	Keys    keys
	Who     int // which person
	Typed   int // how they wrote their address
	Name    string
	Client  string
	Session string
	Steps   []oracle.Step
	Lost    bool // the answer never arrived
	Again   bool // the request arrives twice
	Quiet   bool // the visitor asks not to be recognised, or a verdict names anybody
	Old     int  // which of the old requests
}

// keys says which keys a request carries beside the browser's own.
type keys string

const (
	own           keys = "its own"
	none          keys = "none"
	dead          keys = "one that nobody knows"
	plantedBefore keys = "another's, then its own"
	plantedAfter  keys = "its own, then another's"
	deadBefore    keys = "one that nobody knows, then its own"
	twice         keys = "its own, twice"
)

var sentKeys = []keys{own, own, own, own, own, own, own, own, none, dead, plantedBefore, plantedAfter, plantedAfter, deadBefore, twice}

const (
	browsers = 2
	people   = 3
)

var (
	sessions  = rapid.SampledFrom([]string{"s1", "s1", "s2", "s2", "s3", ""})
	stepDrawn = rapid.Custom(func(t *rapid.T) oracle.Step {
		return oracle.Step{
			ID:      fmt.Sprint("e", rapid.IntRange(0, 24).Draw(t, "event")),
			Session: sessions.Draw(t, "of session"),
		}
	})
	rarely = rapid.Map(rapid.IntRange(0, 5), func(n int) bool { return n == 5 })
)

var acts = rapid.Custom(func(t *rapid.T) act {
	return act{
		Kind:    rapid.SampledFrom(kinds).Draw(t, "kind"),
		Browser: rapid.IntRange(0, browsers-1).Draw(t, "browser"),
		Keys:    rapid.SampledFrom(sentKeys).Draw(t, "keys"),
		Who:     rapid.IntRange(0, people-1).Draw(t, "who"),
		Typed:   rapid.IntRange(0, 2).Draw(t, "typed"),
		Name:    rapid.SampledFrom([]string{"", "A", "B"}).Draw(t, "name"),
		Client:  rapid.SampledFrom([]string{"f1", "f2", "f3"}).Draw(t, "client"),
		Session: sessions.Draw(t, "session"),
		Steps:   rapid.SliceOfN(stepDrawn, 0, 4).Draw(t, "steps"),
		Lost:    rarely.Draw(t, "lost"),
		Again:   rarely.Draw(t, "again"),
		Quiet:   rapid.IntRange(0, 19).Draw(t, "quiet") == 19,
		Old:     rapid.IntRange(0, 9).Draw(t, "old"),
	}
})

var histories = rapid.Custom(func(t *rapid.T) history {
	return history{
		AnonymousAnchors: rarely.Draw(t, "anonymous anchors"),
		// A slice of slices is longer than a slice is, on average, and shrinks as far.
		Acts: slices.Concat(rapid.SliceOfN(rapid.SliceOfN(acts, 1, 6), 1, 8).Draw(t, "acts")...),
	}
})
