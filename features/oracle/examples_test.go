package oracle_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/oracle"
)

// by is an act of a person on a browser, in a session that brings one event of its own.
func by(who, browser int, client, session, event string) act {
	return act{
		Kind: submits, Browser: browser, Keys: own, Who: who, Client: client, Session: session,
		Steps: []oracle.Step{{ID: event, Session: session}},
	}
}

// carrying is a mint or a claim that brings one event of its session.
func carrying(what kind, session, event string) act {
	return act{Kind: what, Keys: own, Session: session, Steps: []oracle.Step{{ID: event, Session: session}}}
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
			act{Kind: visits, Keys: own, Steps: []oracle.Step{{ID: "e4", Session: "s1"}}}),
		Entry("two people take turns in sessions of their own (ID-01)", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f2", "s2", "e2"), by(0, 0, "f3", "s3", "e3"),
			act{Kind: visits, Keys: own, Steps: []oracle.Step{{ID: "e4", Session: "s3"}}}),
		Entry("somebody submitted under a planted key, and the session is in doubt on both devices", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 1, "f1", "s1", "e1"), by(2, 0, "f1", "s2", "e2").with(plantedAfter),
			by(1, 0, "f2", "s2", "e3"), by(0, 1, "f2", "s2", "e4"), by(1, 0, "f3", "s3", "e5")),
		Entry("people who were told apart meet anew after a third", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f1", "s2", "e2"), act{Kind: points, Who: 1, Keys: own},
			by(2, 0, "f1", "s3", "e3"), by(0, 0, "f2", "s3", "e4"), act{Kind: keeps, Keys: own}, by(0, 0, "f3", "s3", "e5")),
		Entry("months of browsing wait for their first lead", true,
			act{Kind: visits, Keys: own, Steps: []oracle.Step{{ID: "e1", Session: "s1"}}}, by(0, 0, "f1", "s2", "e2"),
			by(1, 0, "f1", "s3", "e3"), act{Kind: points, Who: 1, Keys: own},
			act{Kind: visits, Keys: own, Steps: []oracle.Step{{ID: "e4", Session: "s3"}}}),
		Entry("a shared device's handoff is claimed in two sessions, before its confirm and after", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f1", "s2", "e2"), carrying(mints, "s3", "e3"), carrying(claims, "s4", "e4"),
			carrying(claims, "s5", "e5"), act{Kind: confirms, Who: 2, Client: "f1"}, carrying(claims, "s4", "e6"),
			carrying(claims, "s5", "e7"), by(0, 0, "f2", "s3", "e8"), carrying(claims, "s4", "e9")),
		Entry("a shared device's handoff is minted twice in one session, and once more in the next", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f1", "s2", "e2"), carrying(mints, "s3", "e3"), carrying(mints, "s3", "e3"),
			act{Kind: confirms, Who: 2, Client: "f1"}, carrying(mints, "s3", "e4"), carrying(mints, "s4", "e5"),
			act{Kind: confirms, Who: 2, Client: "f2"}),
		Entry("two people are confirmed who claimed in one session, one after the other", false,
			by(0, 0, "f1", "s1", "e1"), by(1, 0, "f1", "s2", "e2"), carrying(mints, "s3", "e3"), carrying(claims, "s5", "e4"),
			act{Kind: confirms, Who: 2, Client: "f1"}, carrying(mints, "s4", "e5"), carrying(claims, "s5", "e6"),
			act{Kind: confirms, Who: 1, Client: "f2"}),
		Entry("a handoff outlives the reset of its device only where it was claimed", false,
			carrying(mints, "s1", "e1"), act{Kind: resets, Keys: own}, carrying(claims, "s2", "e2"),
			carrying(mints, "s1", "e3"), carrying(claims, "s2", "e4"), act{Kind: resets, Keys: own},
			act{Kind: confirms, Who: 0, Client: "f1"}, carrying(claims, "s2", "e5")),
	)
}

var _ = Describe("What chance seldom tells", func() {
	Context("on SQLite", func() { rare(func() *place { return at(onSQLite(), 1) }) })
	Context("on Postgres", func() { rare(func() *place { return at(onPostgres(), 1) }) })
})
