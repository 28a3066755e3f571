package model_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/model"
)

// by is an act of a person on a browser, in a session that brings one event of its own.
func by(who, browser int, client, session, event string) act {
	return act{
		Kind: submits, Browser: browser, Keys: own, Who: who, Client: client, Session: session,
		Steps: []model.Step{{ID: event, Session: session}},
	}
}

// with is the act under other keys.
func (a act) with(k keys) act {
	a.Keys = k
	return a
}

// rare are histories that chance seldom tells.
func rare(open func() *place) {
	DescribeTable("is kept as the rules say where", func(anonymousAnchors bool, told ...act) {
		h := history{AnonymousAnchors: anonymousAnchors, Acts: told}
		play(open().site(NewWithT(GinkgoT()), h.AnonymousAnchors), h)
	},
		Entry("two people take turns in one session (ID-01)", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f2", "s1", "e2"), by(0, 0, "f3", "s1", "e3"),
			act{Kind: visits, Keys: own, Steps: []model.Step{{ID: "e4", Session: "s1"}}}),
		Entry("two people take turns in sessions of their own (ID-01)", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f2", "s2", "e2"), by(0, 0, "f3", "s3", "e3"),
			act{Kind: visits, Keys: own, Steps: []model.Step{{ID: "e4", Session: "s3"}}}),
		Entry("somebody submitted under a planted key, and the session is in doubt on both devices", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 1, "f1", "s1", "e1"), by(2, 0, "f1", "s2", "e2").with(plantedAfter),
			by(1, 0, "f2", "s2", "e3"), by(0, 1, "f2", "s2", "e4"), by(1, 0, "f3", "s3", "e5")),
		Entry("people who were told apart meet anew after a third", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f1", "s2", "e2"), act{Kind: points, Who: 1, Keys: own},
			by(2, 0, "f1", "s3", "e3"), by(0, 0, "f2", "s3", "e4"), act{Kind: keeps, Keys: own}, by(0, 0, "f3", "s3", "e5")),
		Entry("months of browsing wait for their first lead", true,
			act{Kind: visits, Keys: own, Steps: []model.Step{{ID: "e1", Session: "s1"}}}, by(0, 0, "f1", "s2", "e2"),
			by(1, 0, "f1", "s3", "e3"), act{Kind: points, Who: 1, Keys: own},
			act{Kind: visits, Keys: own, Steps: []model.Step{{ID: "e4", Session: "s3"}}}),
	)
}

var _ = Describe("What chance seldom tells", func() {
	Context("on SQLite", func() { rare(func() *place { return at(onSQLite(), 1) }) })
	Context("on Postgres", func() { rare(func() *place { return at(onPostgres(), 1) }) })
})
