package oracle_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"
)

var _ = Describe("Whatever people do on their devices", func() {
	It("is kept as the rules say, on SQLite", func() {
		sqlite := at(onSQLite(), 1)
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			h := histories.Draw(t, "history")
			play(sqlite.site(NewWithT(t), h.AnonymousAnchors), h)
		})
	})

	It("is kept as the rules say on Postgres, with the same answers as on SQLite", func() {
		pg := at(onPostgres(), 1)
		sqlite := at(onSQLite(), 1)
		oneOf(12)
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			h := histories.Draw(t, "history")
			there := play(pg.site(g, h.AnonymousAnchors), h)
			here := play(sqlite.site(g, h.AnonymousAnchors), h)
			g.Expect(there.told).To(Equal(here.told))
			g.Expect(there.look().picture).To(Equal(here.look().picture))
			g.Expect(there.look().journeys).To(Equal(here.look().journeys))
		})
	})
})
