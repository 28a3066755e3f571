package bunstore_test

import (
	"testing"
	"time"

	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// BenchmarkMintThatPrunes mints a handoff an hour, each on a new device with three events, so that every mint finds
// a handoff and a device to delete that nobody saved.
func BenchmarkMintThatPrunes(b *testing.B) {
	eachYard(b, 0, nil, func(b *testing.B, y *yard) {
		y.moment.Keep = identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour}
		b.ReportAllocs()
		for b.Loop() {
			y.moment.Now = y.moment.Now.Add(time.Hour)
			if err := y.mint(b); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func (y *yard) mint(b *testing.B) error {
	key, half := identity.Key(randomBytes()).Hash(), randomBytes()
	mint := identity.MintHandoff{
		Moment: y.moment, TTL: 15 * time.Minute, Destination: "shop.example.org", FreshKey: key,
		Token: handoff.TokenHash(append(half[:], half[:]...)), Events: make([]journey.Event, 3),
	}
	for i := range mint.Events {
		mint.Events[i] = journey.Event{
			ID: journey.EventID(identity.Key(randomBytes()).String()), Kind: "page_view", Source: journey.FromMint,
			OccurredAt: y.moment.Now, ReceivedAt: y.moment.Now, URL: "https://www.example.org/trees",
		}
	}
	ask := identity.Ask{Now: y.moment.Now, Creates: true, Handoffs: true}
	_, err := y.Record(b.Context(), ask, func(s identity.State) identity.Change { return s.MintHandoff(mint) })
	return err
}
