package bunstore_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

// yard is a database with devices in it, to measure on.
type yard struct {
	*bunstore.DB
	moment  identity.Moment
	devices []identity.KeyHash
	filled  bool
}

// eachYard measures on either database; Postgres is left out, saying so, where there is none.
func eachYard(b *testing.B, devices int, person func(i int) string, measure func(*testing.B, *yard)) {
	for _, name := range []string{"SQLite", "Postgres"} {
		b.Run(name, func(b *testing.B) {
			url := "sqlite://" + filepath.Join(b.TempDir(), "continuity.db")
			if name == "Postgres" {
				url = ownCluster(b)
			}
			db, err := bunstore.Open(b.Context(), bunstore.Config{URL: url})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			y := &yard{DB: db, moment: identity.Moment{Now: time.Now().Truncate(time.Millisecond)}}
			if err := db.Migrate(b.Context()); err != nil {
				b.Fatal(err)
			}
			for i := range devices {
				y.arrive(b, person(i), strconv.Itoa(i))
			}
			// The database stays over the runs of the benchmark itself, which go has repeat until they last.
			b.Run("warm", func(b *testing.B) { measure(b, y) })
		})
	}
}

func ownCluster(b *testing.B) string {
	cluster, err := pgtest.Start()
	if errors.Is(err, pgtest.ErrMissing) {
		b.Skip(err)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cluster.Stop() })
	url, _, err := cluster.Database(b.Context(), "")
	if err != nil {
		b.Fatal(err)
	}
	return url
}

var benchPeppers = identity.Peppers{identity.NewPepper([]byte("test-pepper-v1"))}

// arrive submits a person on a new device.
func (y *yard) arrive(b *testing.B, email, id string) {
	key := identity.Key(randomBytes()).Hash()
	ask := capture.Ask{
		Now: y.moment.Now, Keys: []identity.KeyHash{key}, Person: benchPeppers.Keys(identity.Email(email)),
		Client: identity.ClientID(id), Creates: true,
	}
	_, err := y.Record(b.Context(), ask, func(s identity.State) identity.Change {
		return s.Submit(identity.Submit{
			Moment: y.moment, Client: identity.ClientID(id), Person: identity.Person{Email: identity.Email(email)},
			Form: "contact", FreshKey: key,
		})
	})
	if err != nil {
		b.Fatal(err)
	}
	y.devices = append(y.devices, key)
}

func (y *yard) append(ctx context.Context, device identity.KeyHash, events int) error {
	told := make([]journey.Event, events)
	for i := range told {
		told[i] = journey.Event{
			ID: journey.EventID(identity.Key(randomBytes()).String()), Session: "0f8fad5bd9cb469fa16570", OccurredAt: y.moment.Now,
			ReceivedAt: y.moment.Now, Source: journey.FromAppend, Kind: "page_view", Title: "Linden, Main Square: trees",
			URL:      "https://www.example.org/trees/old-town/linden-17?tab=history",
			Referrer: "https://www.example.org/trees/old-town", Props: `{"place":"list","position":12}`,
		}
	}
	ask := capture.Ask{Now: y.moment.Now, Keys: []identity.KeyHash{device}}
	_, err := y.Record(ctx, ask, func(s identity.State) identity.Change {
		return s.Append(identity.Append{Moment: y.moment, Events: told})
	})
	return err
}

func randomBytes() (raw [16]byte) {
	for i := range raw {
		raw[i] = byte(rand.Uint32())
	}
	return raw
}

// BenchmarkRecordTogether is one beacon of three events, of the many that share transactions.
func BenchmarkRecordTogether(b *testing.B) {
	const devices, callersPerCore = 500, 32
	person := func(i int) string { return "p" + strconv.Itoa(i) + "@example.org" }
	eachYard(b, devices, person, func(b *testing.B, y *yard) {
		b.ReportAllocs()
		b.SetParallelism(callersPerCore)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := y.append(b.Context(), y.devices[rand.IntN(len(y.devices))], 3); err != nil {
					b.Error(err)
					return
				}
			}
		})
	})
}

// BenchmarkJourneyOfThreeDevices reads the 2,000 events of one lead, in two pages.
func BenchmarkJourneyOfThreeDevices(b *testing.B) {
	const devices, beacons, perBeacon = 3, 50, 40
	eachYard(b, devices, func(int) string { return "ana@example.org" }, func(b *testing.B, y *yard) {
		lead, err := y.LeadOf(b.Context(), y.moment.Now, benchPeppers.Keys("ana@example.org"))
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < beacons && !y.filled; i++ {
			if err := y.append(b.Context(), y.devices[i%devices], perBeacon); err != nil {
				b.Fatal(err)
			}
		}
		y.filled = true
		b.ReportAllocs()
		for b.Loop() {
			if n := y.read(b, lead.ID); n != beacons*perBeacon {
				b.Fatal(n)
			}
		}
	})
}

func (y *yard) read(b *testing.B, lead identity.LeadID) (events int) {
	for page := (reporting.Page{Limit: reporting.MostLimit}); ; {
		listed, err := y.Journey(b.Context(), y.moment.Now, lead, page)
		if err != nil {
			b.Fatal(err)
		}
		events += len(listed.Items)
		if page.After = listed.Next; page.After == "" {
			return events
		}
	}
}
