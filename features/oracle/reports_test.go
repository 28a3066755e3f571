package oracle_test

import (
	"slices"

	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/features/oracle"
	"continuity/ports/reporting"
)

// holdReports holds everything else that reports tell to the model.
func (p *player) holdReports() {
	devices := map[identity.AnchorID]oracle.Key{}
	for key, id := range p.anchors {
		devices[id] = key
	}
	for who, person := range p.world.People {
		p.holdLead(who, person)
		p.holdSubmissions(who, person, devices)
	}
	p.holdPairs()
	p.holdRedeemed()
	for _, d := range p.world.Devices {
		anchor, err := p.reports.Anchor(p.ctx, p.anchors[d.Key])
		p.Expect(err).NotTo(HaveOccurred())
		p.Expect(anchor.Lead).To(Equal(p.leads[d.Lead]))
		p.Expect(anchor.Shared).To(Equal(d.Shared))
		p.Expect(string(anchor.Provenance)).To(Equal(string(d.How)))
		status := identity.Saved
		if d.Held {
			status = identity.Held
		}
		p.Expect(anchor.Status).To(Equal(status))
	}
}

func (p *player) holdLead(who oracle.Address, person *oracle.Person) {
	lead, err := p.reports.Lead(p.ctx, p.leads[who])
	p.Expect(err).NotTo(HaveOccurred())
	p.Expect(string(lead.Person.Email)).To(Equal(p.typed(who, 0)))
	p.Expect(lead.Person.Name).To(Equal(person.Name))
	p.Expect(lead.Submissions).To(Equal(len(person.Submissions)))
	pointing := 0
	for _, d := range p.world.Devices {
		if d.Lead == who {
			pointing++
		}
	}
	p.Expect(lead.Anchors).To(Equal(pointing))
}

func (p *player) holdSubmissions(who oracle.Address, person *oracle.Person, devices map[identity.AnchorID]oracle.Key) {
	type told struct {
		Client, Name, Session, How string
		Device                     oracle.Key
	}
	var got, want []told
	stored, err := p.reports.Submissions(p.ctx, p.leads[who])
	p.Expect(err).NotTo(HaveOccurred())
	for _, sub := range stored {
		got = append(got, told{string(sub.Client), sub.Person.Name, string(sub.Session), string(sub.Provenance), devices[sub.Anchor]})
	}
	for _, sub := range person.Submissions {
		one := told{sub.Client, sub.Name, sub.Session, string(sub.How), 0}
		if sub.Device != nil {
			one.Device = sub.Device.Key
		}
		want = append(want, one)
	}
	p.Expect(got).To(Equal(want), "what %s submitted", who)
}

func (p *player) holdPairs() {
	type told struct {
		Device        identity.AnchorID
		First, Second identity.LeadID
		Client, State string
	}
	var got, want []told
	page := reporting.Page{Limit: reporting.MostLimit}
	listed, err := p.reports.Candidates(p.ctx, page)
	p.Expect(err).NotTo(HaveOccurred())
	for _, c := range listed.Items {
		if int64(c.Anchor) > p.floor {
			got = append(got, told{c.Anchor, c.First, c.Second, string(c.Client), string(c.State)})
		}
	}
	slices.Reverse(got) // oldest first
	for _, d := range p.world.Devices {
		for _, pair := range d.Pairs {
			want = append(want, told{p.anchors[d.Key], p.leads[pair.First], p.leads[pair.Second], pair.Client, string(pair.State)})
		}
	}
	p.Expect(got).To(ConsistOf(want), "who met where")
}
