package oracle_test

import (
	"database/sql"
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"

	"continuity/domain/identity"
	"continuity/features/oracle"
)

const (
	phone  oracle.Key = 1
	laptop oracle.Key = 2
	third  oracle.Key = 3 // of a browser whose first submission arrives twice at once
)

// scripts are what the tabs of each device do, each in its own order.
var scripts = rapid.Custom(func(t *rapid.T) map[oracle.Key][][]request {
	all := map[oracle.Key][][]request{}
	for _, device := range []oracle.Key{phone, laptop} {
		one := rapid.Custom(func(t *rapid.T) request {
			kind := rapid.SampledFrom([]kind{visits, submits, submits}).Draw(t, "kind")
			return request{
				Kind: kind, Keys: []oracle.Key{device}, Typed: rapid.IntRange(0, 2).Draw(t, "typed"),
				Form: formOf(t, kind == submits, whoever.Draw(t, "who"), whatever.Draw(t, "client")),
			}
		})
		for tab := range 2 {
			all[device] = append(all[device], rapid.SliceOfN(one, 1, 5).Draw(t, fmt.Sprint("tab ", tab)))
		}
	}
	return all
})

// crowd is one history whose requests are sent at once.
type crowd struct {
	*site
	requests []request // all that were sent, with the key of their device
	firsts   map[oracle.Key]oracle.Address
}

// begin links the phone and the laptop, so that their keys are known.
func (c *crowd) begin(t *rapid.T) {
	c.firsts = map[oracle.Key]oracle.Address{}
	for _, device := range []oracle.Key{phone, laptop} {
		who := whoever.Draw(t, "first")
		c.firsts[device] = who
		r := request{Kind: submits, Form: oracle.Form{Who: who, Client: fmt.Sprint("first on ", device), Browser: true}}
		c.tell(r, oracle.Answer{Issue: device})
		r.Keys = []oracle.Key{device}
		c.requests = append(c.requests, r)
	}
	c.ledger() // learns which anchors they are
}

// atOnce runs every script on its own, on one of two processes, and with them both
// copies of a browser's first submission.
func (c *crowd) atOnce(scripts map[oracle.Key][][]request, both [2]request) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	failed := make(chan error, 100)
	lane := 0
	goAlone := func(script []request) {
		node := lane % len(c.capture)
		lane++
		wg.Go(func() {
			<-start
			for _, r := range script {
				c.clock.Add(1000)
				if _, err := c.send(node, r); err != nil {
					failed <- err
				}
			}
		})
	}
	for _, tabs := range scripts {
		for _, script := range tabs {
			goAlone(script)
			c.requests = append(c.requests, script...)
		}
	}
	for _, r := range both {
		goAlone([]request{r})
	}
	close(start)
	wg.Wait()
	close(failed)
	for err := range failed {
		c.Expect(err).NotTo(HaveOccurred())
	}
}

// race is the property, on a database with two processes, for one part of all histories.
func race(open func() *place, part int) {
	It("keeps every promise that does not name an order", func() {
		place := open()
		oneOf(part)
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			place.restart(g)
			c := &crowd{site: place.site(g, false)}
			c.begin(t)
			var both [2]request
			for i := range both {
				both[i] = request{Kind: submits, Form: formOf(t, true, whoever.Draw(t, "who is new here"), "first, twice")}
				both[i].Form.Who = both[0].Form.Who
			}
			c.atOnce(scripts.Draw(t, "scripts"), both)
			c.find(both)
			c.holdEverything()
		})
	})
}

// find learns the device of the browser that never got its key.
func (c *crowd) find(both [2]request) {
	for id, a := range c.ledger().anchors {
		if id != c.anchors[phone] && id != c.anchors[laptop] {
			c.Expect(c.anchors).NotTo(HaveKey(third), "one first submission made two devices")
			c.anchors[third] = id
			c.Expect(a.hash).NotTo(BeEmpty())
		}
	}
	c.Expect(c.anchors).To(HaveKey(third))
	c.firsts[third] = both[0].Form.Who
	for _, r := range both {
		r.Keys = []oracle.Key{third}
		c.requests = append(c.requests, r)
	}
}

func (c *crowd) holdEverything() {
	p := &player{site: c.site, world: oracle.New(false)}
	now := p.look()
	p.owners(now)
	c.holdPeople(now.ledger)
	c.holdEvents(now.ledger)
	for device, first := range c.firsts {
		c.holdDevice(now.ledger, device, first)
	}
	for _, r := range c.requests {
		if r.Keys[0] == third {
			r.Keys = nil // its browser never learned it
		}
		_, err := c.send(0, r)
		c.Expect(err).NotTo(HaveOccurred())
	}
	c.Expect(p.look()).To(Equal(now), "after everything came again")
}

// holdPeople: one lead for each address, one submission for each name.
func (c *crowd) holdPeople(l ledger) {
	sent := map[string][]identity.AnchorID{}
	submitters := map[oracle.Address]bool{}
	for _, r := range c.requests {
		if r.Kind == submits {
			submitters[r.Form.Who] = true
			name := fmt.Sprint(c.leads[r.Form.Who], r.Form.Client)
			sent[name] = append(sent[name], c.anchors[r.Keys[0]])
		}
	}
	var leads int
	c.Expect(c.bare.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM leads WHERE id > %d", c.floor)).Scan(&leads)).To(Succeed())
	c.Expect(leads).To(Equal(len(submitters)))
	c.Expect(l.submissions).To(HaveLen(len(sent)))
	for _, sub := range l.submissions {
		name := fmt.Sprint(sub.lead, sub.client)
		c.Expect(sent).To(HaveKey(name))
		c.Expect(sent[name]).To(ContainElement(sub.anchor), "a submission stands on a device that sent it")
		delete(sent, name)
	}
}

// holdEvents: every event that was sent is there, once, where it was sent.
func (c *crowd) holdEvents(l ledger) {
	sent := map[spot]bool{}
	for _, r := range c.requests {
		for _, step := range r.Form.Steps {
			sent[spot{c.anchors[r.Keys[0]], step.ID}] = true
		}
	}
	stored := map[spot]bool{}
	for at := range l.events {
		stored[at] = true
	}
	c.Expect(stored).To(Equal(sent))
}

// holdDevice: linked once, shared if two people submitted, each pair told once, and
// nothing attributed but to the first.
func (c *crowd) holdDevice(l ledger, key oracle.Key, first oracle.Address) {
	id, lead := c.anchors[key], c.leads[first]
	here := l.anchors[id]
	c.Expect(here.lead).To(Equal(lead))
	c.Expect(here.first).To(Equal(lead))
	others := map[identity.LeadID]bool{}
	for _, sub := range l.submissions {
		if sub.anchor == id && sub.lead != lead {
			others[sub.lead] = true
		}
	}
	c.Expect(here.shared).To(Equal(len(others) > 0))
	c.rows(fmt.Sprintf("SELECT first_lead, second_lead FROM candidates WHERE anchor_id = %d AND id > %%d", id), func(rows *sql.Rows) error {
		var a, b identity.LeadID
		err := rows.Scan(&a, &b)
		c.Expect(a).To(Equal(lead))
		c.Expect(others).To(HaveKey(b), "a pair that met twice, or never")
		delete(others, b)
		return err
	})
	c.Expect(others).To(BeEmpty(), "people who met and make no pair")
	for at, o := range l.events {
		if at.anchor != id {
			continue
		}
		switch o.ownership {
		case attributed:
			c.Expect(o.lead).To(Equal(lead))
		case inSnapshot:
			sub := l.submissions[o.submission]
			c.Expect(sub.anchor).To(Equal(id))
			c.Expect(sub.session).To(Equal(o.session))
			c.Expect(o.session).NotTo(BeEmpty())
			c.Expect(here.shared).To(BeTrue())
		default:
			c.Expect(here.shared).To(BeTrue())
		}
	}
}

var _ = Describe("Devices that speak at once, to two processes", func() {
	Context("on SQLite", func() { race(func() *place { return at(onSQLite(), 2) }, 4) })
	Context("on Postgres", func() { race(func() *place { return at(onPostgres(), 2) }, 12) })
})
