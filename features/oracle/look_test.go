package oracle_test

import (
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/features/oracle"
	"continuity/ports/reporting"
)

// look is how things stand: bare, in shared names, and as reports tell it.
type look struct {
	ledger   ledger
	picture  picture
	journeys map[oracle.Address][]oracle.Entry
}

func (p *player) look() look {
	p.meet()
	l := look{ledger: p.site.ledger(), journeys: map[oracle.Address][]oracle.Entry{}}
	l.picture = p.picture(l.ledger)
	for who := range p.leads {
		l.journeys[who] = p.journey(who)
	}
	return l
}

// meet learns the leads, and holds that each keeps its id.
func (s *site) meet() {
	for _, who := range names {
		lead, err := s.reports.Find(s.ctx, s.typed(who, 0))
		if fault.CodeOf(err) == fault.NotFound && s.leads[who] == 0 {
			continue
		}
		s.Expect(err).NotTo(HaveOccurred())
		if known := s.leads[who]; known != 0 {
			s.Expect(lead.ID).To(Equal(known), "%s is another lead now", who)
		}
		s.leads[who] = lead.ID
	}
}

// journey is every event that a lead owns, in pages of four.
func (s *site) journey(who oracle.Address) (entries []oracle.Entry) {
	devices := map[identity.AnchorID]oracle.Key{}
	for key, id := range s.anchors {
		devices[id] = key
	}
	page := reporting.Page{Limit: 4}
	for {
		_, got, err := s.reports.Journey(s.ctx, s.leads[who], page)
		s.Expect(err).NotTo(HaveOccurred())
		for _, e := range got.Items {
			s.Expect(e.Ownership == identity.InSnapshot).To(Equal(e.Submission != ""))
			entries = append(entries, oracle.Entry{Device: devices[e.Anchor], Event: string(e.ID), Snapshot: string(e.Submission)})
		}
		if page.After = got.Next; page.After == "" {
			return entries
		}
	}
}

func (p *player) foretoldJourneys() map[oracle.Address][]oracle.Entry {
	journeys := map[oracle.Address][]oracle.Entry{}
	for who := range p.world.People {
		journeys[who] = p.world.Journey(who)
	}
	return journeys
}

// holdWhatIsWritten is R6 and R8 without a model: what was written stays, and what
// was nobody's stays so.
func (p *player) holdWhatIsWritten(before, after look, pointed bool) {
	for at, owner := range before.ledger.events {
		p.Expect(after.ledger.events).To(HaveKeyWithValue(at, owner), "an event was rewritten")
	}
	for at, owner := range after.ledger.events {
		if _, old := before.ledger.events[at]; old {
			continue
		}
		if before.ledger.anchors[at.anchor].shared || after.ledger.anchors[at.anchor].shared {
			p.Expect(owner.ownership).NotTo(Equal(attributed), "an event of a shared device was attributed")
		}
	}
	for id, was := range before.ledger.anchors {
		is := after.ledger.anchors[id]
		p.Expect(was.first == 0 || was.first == is.first).To(BeTrue(), "a first lead was replaced")
		p.Expect(pointed || !was.shared || is.shared).To(BeTrue(), "a flag was cleared by nobody")
		p.Expect(pointed || was.lead == 0 || was.lead == is.lead).To(BeTrue(), "a device was pointed elsewhere by nobody")
		p.Expect(was.hash == is.hash || is.hash == "").To(BeTrue(), "a key was revived or replaced")
	}
	p.holdOwners(before, after)
}

// holdOwners: nobody shares an event, nobody loses one, and nobody gets one that
// was stored before, save the first lead of the device that it waited on, and the
// confirm of the handoff that carried it.
func (p *player) holdOwners(before, after look) {
	was, is := p.owners(before), p.owners(after)
	for at, who := range was {
		p.Expect(is).To(HaveKeyWithValue(at, who), "an event changed hands")
	}
	for at := range is {
		owner, old := before.ledger.events[at]
		if _, owned := was[at]; owned || !old {
			continue
		}
		if owner.ownership == inSnapshot {
			p.Expect(before.ledger.submissions).NotTo(HaveKey(owner.submission), "a snapshot that grew")
			continue
		}
		p.Expect(owner.ownership).To(Equal(attributed), "what was nobody's is somebody's")
		p.Expect(owner.lead).To(BeZero())
		p.Expect(before.ledger.anchors[at.anchor].first).To(BeZero(), "only a first link gives away what waited")
	}
}

func (p *player) owners(l look) map[spot]oracle.Address {
	owners := map[spot]oracle.Address{}
	for who, entries := range l.journeys {
		for _, e := range entries {
			at := spot{p.anchors[e.Device], e.Event}
			p.Expect(owners).NotTo(HaveKey(at), "one event, two people")
			owners[at] = who
		}
	}
	return owners
}
