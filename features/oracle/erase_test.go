package oracle_test

import (
	"database/sql"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"continuity/domain/identity"
	"continuity/features/oracle"
	"continuity/ports/privacy"
)

// record is what an export tells of one person, in the words of a ledger.
type record struct {
	lead        identity.LeadID
	removed     map[identity.AnchorID]bool
	submissions map[identity.SubmissionID]bool
	candidates  map[identity.CandidateID]bool
	events      map[spot]bool
}

func newRecord() *record {
	return &record{
		removed: map[identity.AnchorID]bool{}, submissions: map[identity.SubmissionID]bool{},
		candidates: map[identity.CandidateID]bool{}, events: map[spot]bool{},
	}
}

func (r *record) Lead(l identity.Lead) error {
	r.lead = l.ID
	return nil
}

func (r *record) Device(d privacy.Device) error {
	if d.Removed {
		r.removed[d.ID] = true
	}
	return nil
}

func (r *record) Submission(s identity.Submission) error {
	r.submissions[s.ID] = true
	return nil
}

func (r *record) Candidate(c identity.Candidate) error {
	r.candidates[c.ID] = true
	return nil
}

func (r *record) Event(e privacy.Entry) error {
	r.events[spot{e.Anchor, string(e.ID)}] = true
	return nil
}

func (r *record) counts() (c privacy.Counts) {
	if r.lead != 0 {
		c.Leads = 1
	}
	c.Anchors, c.Submissions, c.Candidates, c.Events = len(r.removed), len(r.submissions), len(r.candidates), len(r.events)
	return c
}

func missing[K comparable, V any](before, after map[K]V) map[K]bool {
	gone := map[K]bool{}
	for key := range before {
		if _, there := after[key]; !there {
			gone[key] = true
		}
	}
	return gone
}

// eraseEverybody erases all people of a history, in some order, and holds after each
// that what went is what was exported, to the row, and that nobody else lost anything.
func (p *player) eraseEverybody(store privacy.Store, order []oracle.Address) {
	office := privacy.New(store, peppers, keeping, func() time.Time { return time.UnixMilli(p.clock.Load()).UTC() })
	for _, who := range order {
		before, email := p.site.ledger(), p.typed(who, 0)
		told := newRecord()
		p.Expect(office.Export(p.ctx, email, told)).To(Succeed())
		foretold, err := office.Erase(p.ctx, email, true)
		p.Expect(err).NotTo(HaveOccurred())
		receipt, err := office.Erase(p.ctx, email, false)
		p.Expect(err).NotTo(HaveOccurred())
		p.Expect(receipt.Counts).To(Equal(told.counts()), who)
		p.Expect(foretold.Counts).To(Equal(told.counts()), who)
		after := p.site.ledger()
		p.Expect(missing(before.events, after.events)).To(Equal(told.events), who)
		p.Expect(missing(before.anchors, after.anchors)).To(Equal(told.removed), who)
		p.Expect(missing(before.submissions, after.submissions)).To(Equal(told.submissions), who)
		for at, owner := range after.events {
			p.Expect(before.events).To(HaveKeyWithValue(at, owner), "an event was rewritten")
		}
	}
	p.holdNobodyIsLeft()
}

// holdNobodyIsLeft: nothing but flags and what is attributed to nobody.
func (p *player) holdNobodyIsLeft() {
	left := p.site.ledger()
	p.Expect(left.submissions).To(BeEmpty())
	kept := map[identity.AnchorID]bool{}
	for at, owner := range left.events {
		p.Expect(owner.lead).To(BeZero())
		kept[at.anchor] = true
	}
	for id, a := range left.anchors {
		p.Expect(a.lead).To(BeZero())
		p.Expect(a.first).To(BeZero())
		p.Expect(a.shared || kept[id] || a.how == "").To(BeTrue())
	}
	var n int
	p.rows(`SELECT (SELECT COUNT(*) FROM leads WHERE id > %[1]d) + (SELECT COUNT(*) FROM lead_keys WHERE lead_id > %[1]d)
		+ (SELECT COUNT(*) FROM candidates WHERE id > %[1]d)`, func(rows *sql.Rows) error { return rows.Scan(&n) })
	p.Expect(n).To(BeZero())
}

var _ = Describe("Whatever people did on their devices", func() {
	for name, url := range map[string]func() string{"SQLite": onSQLite, "Postgres": onPostgres} {
		It("is exported as it is erased, to the row, and leaves nobody behind, on "+name, func() {
			where := at(url(), 1)
			oneOf(4)
			rapid.Check(GinkgoT(), func(t *rapid.T) {
				h := histories.Draw(t, "history")
				order := rapid.Permutation(names).Draw(t, "order of erasures")
				p := play(where.site(NewWithT(t), h.AnonymousAnchors), h)
				p.eraseEverybody(where.nodes[0], order)
			})
		})
	}
})
