package oracle_test

import (
	"fmt"
	"maps"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"

	"continuity/features/oracle"
)

// formOf is a submission or a visit of one browser.
func formOf(t *rapid.T, browser bool, who oracle.Address, client string) oracle.Form {
	return oracle.Form{
		Who: who, Client: client, Session: sessions.Draw(t, "session"),
		Steps: rapid.SliceOfN(stepDrawn, 0, 4).Draw(t, "steps"), Browser: browser,
	}
}

var (
	whoever  = rapid.SampledFrom(names)
	whatever = rapid.SampledFrom([]string{"f1", "f2", "f3"})

	// withoutKey are the requests that the first submission of a browser may have
	// become before it learned its key: retries with more in them, and the copy that
	// the site's own back end sends.
	withoutKey = rapid.Custom(func(t *rapid.T) request {
		kind := rapid.SampledFrom([]kind{submits, submits, backend}).Draw(t, "kind")
		return request{Kind: kind, Form: formOf(t, kind == submits, "ana", "f1")}
	})
	// withKey are requests of a browser that has one.
	withKey = rapid.Custom(func(t *rapid.T) request {
		kind := rapid.SampledFrom([]kind{visits, submits, backend}).Draw(t, "kind")
		return request{
			Kind: kind, Keys: []oracle.Key{1}, Form: formOf(t, kind == submits, whoever.Draw(t, "who"), whatever.Draw(t, "client")),
		}
	})
)

// deliver sends the requests of one browser and tells which events are stored.
func deliver(s *site, keyless, keyed []request) []string {
	for _, r := range slices.Concat(keyless, keyed) {
		s.tell(r, oracle.Answer{Issue: 1})
	}
	ledger := s.ledger()
	s.Expect(ledger.anchors).To(HaveLen(1), "one browser, one device")
	var ids []string
	for at := range ledger.events {
		ids = append(ids, at.event)
	}
	slices.Sort(ids)
	return ids
}

// blocks are visits between submissions.
var blocks = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [][]act {
	submission := acts.Draw(t, "submission")
	submission.Kind = submits
	visit := rapid.Map(acts, func(a act) act { a.Kind = visits; return plain(a) })
	return [][]act{{plain(submission)}, rapid.SliceOfN(visit, 0, 5).Draw(t, "visits")}
}), 1, 5)

// plain is an act on which nothing goes wrong.
func plain(a act) act {
	a.Keys, a.Lost, a.Again, a.Quiet = own, false, false, false
	return a
}

// run tells acts to a new site.
func run(s *site, acts []act) *player {
	p := &player{site: s, world: oracle.New(false)}
	for _, a := range acts {
		p.do(a)
	}
	return p
}

// orders are the properties about what comes first, for one part of all histories.
func orders(open func() *place, part int) {
	It("stores the same events in whatever order a browser's requests arrive", func() {
		place := open()
		oneOf(part)
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			keyless := append(rapid.SliceOfN(withoutKey, 0, 3).Draw(t, "before the key is known"),
				request{Kind: submits, Form: formOf(t, true, "ana", "f1")})
			keyed := rapid.SliceOfN(withKey, 0, 6).Draw(t, "under the key")
			one := deliver(place.site(g, false), keyless, keyed)
			other := deliver(place.site(g, false),
				rapid.Permutation(keyless).Draw(t, "another order"), rapid.Permutation(keyed).Draw(t, "another order"))
			g.Expect(other).To(Equal(one))
		})
	})

	It("gives events to the same people in whatever order visits arrive between two submissions", func() {
		place := open()
		oneOf(part)
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			var straight, mixed []act
			for i, block := range blocks.Draw(t, "blocks") {
				straight = append(straight, slices.Concat(block...)...)
				mixed = append(mixed, block[0]...)
				mixed = append(mixed, rapid.Permutation(block[1]).Draw(t, fmt.Sprint("visits ", i))...)
			}
			one, other := run(place.site(g, false), straight).look(), run(place.site(g, false), mixed).look()
			g.Expect(other.picture).To(Equal(one.picture))
			for who, entries := range one.journeys {
				g.Expect(other.journeys[who]).To(ConsistOf(entries))
			}
			g.Expect(slices.Sorted(maps.Keys(other.journeys))).To(Equal(slices.Sorted(maps.Keys(one.journeys))))
		})
	})
}

var _ = Describe("Whatever arrives first", func() {
	Context("on SQLite", func() { orders(func() *place { return at(onSQLite(), 1) }, 3) })
	Context("on Postgres", func() { orders(func() *place { return at(onPostgres(), 1) }, 12) })
})
