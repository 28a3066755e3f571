package contract

import (
	"context"
	"crypto/rand"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/access"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
	"continuity/ports/privacy"
	"continuity/ports/reporting"
	"continuity/ports/scanning"
)

// Stores is an adapter that keeps everything.
type Stores interface {
	capture.Store
	handingoff.Store
	reporting.Store
	access.Store
	privacy.Store
	scanning.Store
}

// bench is one spec's place: an empty store, a clock that stands still, and a pepper.
type bench struct {
	Stores
	ctx     context.Context
	moment  identity.Moment
	peppers identity.Peppers
}

func newBench(open func() Stores) *bench {
	GinkgoHelper()
	return &bench{
		Stores: open(), ctx: context.Background(),
		moment: identity.Moment{
			Now:  time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC),
			Keep: identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour},
		},
		peppers: identity.Peppers{identity.NewPepper([]byte("test-pepper-v1"))},
	}
}

func (b *bench) later(by time.Duration) { b.moment.Now = b.moment.Now.Add(by) }

func newKey() identity.KeyHash {
	var key identity.Key
	_, err := rand.Read(key[:])
	Expect(err).NotTo(HaveOccurred())
	return key.Hash()
}

// visits are events named after their ids, all of one session.
func (b *bench) visits(session journey.Session, ids ...string) []journey.Event {
	events := make([]journey.Event, len(ids))
	for i, id := range ids {
		events[i] = journey.Event{
			ID: journey.EventID(id), Session: session, OccurredAt: b.moment.Now, ReceivedAt: b.moment.Now,
			Source: journey.FromAppend, Kind: "page_view", URL: "https://www.example.org/" + id,
			Title: "Title of " + id, Campaign: `{"utm_source":"` + id + `"}`, Props: `{"of":"` + id + `"}`,
		}
	}
	return events
}

func (b *bench) append(key identity.KeyHash, events ...journey.Event) identity.Change {
	GinkgoHelper()
	ask := capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}}
	change, err := b.Record(b.ctx, ask, func(s identity.State) identity.Change {
		return s.Append(identity.Append{Moment: b.moment, Events: events})
	})
	Expect(err).NotTo(HaveOccurred())
	return change
}

// form is what one submission says.
type form struct {
	key     identity.KeyHash // of the device, known or not; zero for none
	email   identity.Email
	id      string
	session journey.Session
	events  []journey.Event
}

func (b *bench) submit(f form) identity.Change {
	GinkgoHelper()
	change, err := b.trySubmit(f)
	Expect(err).NotTo(HaveOccurred())
	return change
}

func (b *bench) trySubmit(f form) (identity.Change, error) {
	ask := capture.Ask{
		Now: b.moment.Now, Person: b.peppers.Keys(f.email), Client: identity.ClientID(f.id),
		Session: f.session, Creates: true,
	}
	if f.key != (identity.KeyHash{}) {
		ask.Keys = []identity.KeyHash{f.key}
	}
	return b.Record(b.ctx, ask, func(s identity.State) identity.Change {
		return s.Submit(identity.Submit{
			Moment: b.moment, Client: identity.ClientID(f.id), Person: identity.Person{Email: f.email},
			Session: f.session, Form: "contact", Fields: `{"plan":"pro"}`, Events: f.events, FreshKey: f.key,
		})
	})
}

func (b *bench) lead(email identity.Email) reporting.Lead {
	GinkgoHelper()
	lead, err := b.LeadOf(b.ctx, b.moment.Now, b.peppers.Keys(email))
	Expect(err).NotTo(HaveOccurred())
	return lead
}

// journey is every event that a lead owns, read in pages of three.
func (b *bench) journey(email identity.Email) []reporting.Entry {
	GinkgoHelper()
	var all []reporting.Entry
	page := reporting.Page{Limit: 3}
	for {
		got, err := b.Journey(b.ctx, b.moment.Now, b.lead(email).ID, page)
		Expect(err).NotTo(HaveOccurred())
		all = append(all, got.Items...)
		if page.After = got.Next; page.After == "" {
			return all
		}
	}
}

func idsOf(entries []reporting.Entry) []string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = string(e.ID)
	}
	return ids
}
