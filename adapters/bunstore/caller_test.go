package bunstore_test

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

// caller asks a store for what browsers ask for. Its clock stands still.
type caller struct {
	*bunstore.DB
	ctx context.Context
}

var (
	moment = identity.Moment{
		Now:  time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC),
		Keep: identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour},
	}
	peppers = identity.Peppers{identity.NewPepper([]byte("test-pepper-v1"))}
)

func call(db *bunstore.DB) caller { return caller{db, context.Background()} }

func newKey() identity.KeyHash {
	var key identity.Key
	_, _ = rand.Read(key[:]) // never fails
	return key.Hash()
}

func visit(id string) journey.Event {
	return journey.Event{
		ID: journey.EventID(id), Session: "s", OccurredAt: moment.Now, ReceivedAt: moment.Now,
		Source: journey.FromAppend, Kind: "page_view", URL: "https://www.example.org/" + id,
	}
}

// append records one event under the keys.
func (c caller) append(id string, keys ...identity.KeyHash) error {
	return c.record(capture.Ask{Keys: keys}, func(s identity.State) identity.Change {
		return s.Append(identity.Append{Moment: moment, Events: []journey.Event{visit(id)}})
	})
}

func (c caller) record(ask capture.Ask, decide capture.Decision) error {
	ask.Now = moment.Now
	_, err := c.Record(c.ctx, ask, decide)
	return err
}

// submit submits an address on a device, known or new.
func (c caller) submit(email identity.Email, client string, key identity.KeyHash) error {
	return c.record(capture.Ask{
		Keys: []identity.KeyHash{key}, Person: peppers.Keys(email), Client: identity.ClientID(client), Session: "s", Creates: true,
	}, func(s identity.State) identity.Change {
		return s.Submit(identity.Submit{
			Moment: moment, Client: identity.ClientID(client), Person: identity.Person{Email: email}, Session: "s", FreshKey: key,
			Events: []journey.Event{visit("of-" + client)},
		})
	})
}

// hold keeps whoever writes inside a decision until release is called, any number
// of times. The answer comes after that.
func (c caller) hold(keys ...identity.KeyHash) (release func(), answer <-chan error) {
	began, let, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	begin := sync.OnceFunc(func() { close(began) })
	go func() {
		done <- c.record(capture.Ask{Keys: keys}, func(s identity.State) identity.Change {
			begin()
			<-let
			return s.Append(identity.Append{Moment: moment, Events: []journey.Event{visit("held")}})
		})
	}()
	Eventually(began, "20s").Should(BeClosed())
	end := sync.OnceFunc(func() { close(let) })
	DeferCleanup(end) // a store would not close before
	return end, done
}

// journey are the ids of the events that a person owns.
func (c caller) journey(email identity.Email) []string {
	var ids []string
	entries, err := c.Journey(c.ctx, moment.Now, c.lead(email).ID, reporting.Page{Limit: 10000})
	Expect(err).NotTo(HaveOccurred())
	for _, e := range entries.Items {
		ids = append(ids, string(e.ID))
	}
	return ids
}

func (c caller) lead(email identity.Email) reporting.Lead {
	lead, err := c.LeadOf(c.ctx, moment.Now, peppers.Keys(email))
	Expect(err).NotTo(HaveOccurred())
	return lead
}
