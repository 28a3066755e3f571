package identity_test

import (
	"testing"
	"time"

	"continuity/domain/identity"
	"continuity/domain/journey"
)

// BenchmarkDecide is what the rules cost in the hot path: a beacon of three events on a linked device, and a
// submission by the person whose device it is.
func BenchmarkDecide(b *testing.B) {
	moment := identity.Moment{
		Now:  time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC),
		Keep: identity.Retention{Period: 730 * 24 * time.Hour, HeldFor: 72 * time.Hour},
	}
	lead := identity.Lead{ID: 7, Person: identity.Person{Email: "ana@example.org"}, FirstSeen: moment.Now, LastSeen: moment.Now}
	device := identity.Mint(3, identity.Key{1}.Hash(), identity.Saved, moment)
	device.Lead, device.FirstLead, device.Provenance = lead.ID, lead.ID, identity.ByKey
	state := identity.State{
		Devices: []identity.Anchor{device}, Lead: &lead,
		Fresh: identity.Fresh{Anchor: 10, Lead: 11, Submission: 12, Candidate: 13},
	}
	events := []journey.Event{{ID: "e1"}, {ID: "e2"}, {ID: "e3"}}
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if change := state.Append(identity.Append{Moment: moment, Events: events}); len(change.Events) != len(events) {
				b.Fatal(change)
			}
		}
	})
	b.Run("submission", func(b *testing.B) {
		b.ReportAllocs()
		command := identity.Submit{Moment: moment, Client: "f1", Person: lead.Person, Session: "s", Events: events}
		for b.Loop() {
			if change := state.Submit(command); len(change.Events) != len(events) {
				b.Fatal(change)
			}
		}
	})
}
