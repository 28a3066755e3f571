package bunstore_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"continuity/adapters/bunstore"
	"continuity/adapters/pgtest"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
)

// BenchmarkAppend is a beacon of three events from a returning device, through the
// store alone, by so many callers at once.
func BenchmarkAppend(b *testing.B) {
	cluster, err := pgtest.Start()
	if err != nil {
		b.Skip(err)
	}
	defer cluster.Stop()
	for _, database := range []string{"sqlite", "postgres"} {
		for _, direct := range []bool{false, true} {
			for _, callers := range []int{64, 256} {
				b.Run(fmt.Sprintf("%s/direct=%t/callers=%d", database, direct, callers), func(b *testing.B) {
					url := "sqlite://" + filepath.Join(b.TempDir(), "bench.db")
					if database == "postgres" {
						if err := cluster.Template("bench", migrated); err != nil {
							b.Fatal(err)
						}
						clone, drop, err := cluster.Database(context.Background(), "bench")
						if err != nil {
							b.Fatal(err)
						}
						defer drop()
						url = clone
					}
					benchAppend(b, bunstore.Config{URL: url, Direct: direct}, callers)
				})
			}
		}
	}
}

func benchAppend(b *testing.B, config bunstore.Config, callers int) {
	ctx := context.Background()
	db, err := bunstore.Open(ctx, config)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if err := db.Migrate(ctx); err != nil {
		b.Fatal(err)
	}
	moment := identity.Moment{Now: time.Now().UTC().Truncate(time.Millisecond), Keep: identity.Retention{Period: 730 * 24 * time.Hour}}
	keys := make([]identity.KeyHash, 2000)
	var wg sync.WaitGroup
	for part := range 64 {
		wg.Go(func() {
			for i := part; i < len(keys); i += 64 {
				var key identity.Key
				_, _ = rand.Read(key[:])
				keys[i] = key.Hash()
				_, err := db.Record(ctx, capture.Ask{Now: moment.Now, Keys: keys[i : i+1], Creates: true}, func(s identity.State) identity.Change {
					return s.Append(identity.Append{Moment: moment, FreshKey: keys[i]})
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	payload := strings.Repeat("x", 60)
	var next atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			var raw [16]byte
			for {
				n := next.Add(1)
				if n > int64(b.N) {
					return
				}
				events := make([]journey.Event, 3)
				for i := range events {
					_, _ = rand.Read(raw[:])
					events[i] = journey.Event{
						ID: journey.EventID(base64.RawURLEncoding.EncodeToString(raw[:])), Session: "AAECAwQFBgcICQoLDA0ODw",
						OccurredAt: moment.Now, ReceivedAt: moment.Now, Source: journey.FromAppend, Kind: "page_view",
						URL: "https://www.example.org/" + payload, Title: payload, Referrer: "https://www.example.org/",
					}
				}
				ask := capture.Ask{Now: moment.Now, Keys: []identity.KeyHash{keys[int(n*7919)%len(keys)]}}
				_, err := db.Record(ctx, ask, func(s identity.State) identity.Change {
					return s.Append(identity.Append{Moment: moment, Events: events})
				})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "beacons/s")
}
