package replay

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
)

// journey compares what a lead owns, event by event.
func (a *audit) journey(email string, want *holding, got []journeyRow, references map[string]string) {
	at := Difference{Kind: "event", Lead: email}
	wanted, found := map[string][]owning{}, map[string][]journeyRow{}
	for _, o := range want.events {
		wanted[o.event.id] = append(wanted[o.event.id], o)
	}
	for i, e := range got {
		found[e.EventID] = append(found[e.EventID], e)
		if i > 0 && e.OccurredAt.Before(got[i-1].OccurredAt) {
			a.tally.differf(at, "event %s stands after a later one", e.EventID)
		}
	}
	a.count(got)
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		at.Device = a.plan.events[id]
		a.event(at, id, wanted[id], found[id], references)
		delete(found, id)
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		at.Device = a.plan.events[id]
		if at.Device == 0 {
			a.tally.differf(at, "event %s was never sent", id)
			continue
		}
		a.tally.differf(at, "event %s is %s here and should be somebody else's or nobody's", id, found[id][0].Ownership)
	}
}

func (a *audit) count(got []journeyRow) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range got {
		if e.Ownership == snapshot {
			a.found.Snapshot++
			continue
		}
		a.found.Attributed++
	}
}

// event compares one event with its rows; it has several where a device lost
// its key and carried the event again.
func (a *audit) event(at Difference, id string, want []owning, got []journeyRow, references map[string]string) {
	slices.SortFunc(want, func(a, b owning) int { return cmp.Compare(a.ownership, b.ownership) })
	slices.SortFunc(got, func(a, b journeyRow) int { return cmp.Compare(a.Ownership, b.Ownership) })
	if len(got) != len(want) {
		a.tally.differf(at, "event %s is there %d times, not %d", id, len(got), len(want))
		return
	}
	for i, e := range got {
		w := want[i]
		if e.Ownership != w.ownership {
			a.tally.differf(at, "event %s is %s, not %s", id, e.Ownership, w.ownership)
		}
		if w.ownership == snapshot && references[e.SubmissionID] != w.submission {
			a.tally.differf(at, "event %s is in the snapshot of another submission", id)
		}
		a.content(at, e, w)
		if len(want) == 1 {
			a.anchor(at, w.anchor, e.AnchorID)
		}
	}
}

func (a *audit) content(at Difference, e journeyRow, w owning) {
	if e.Kind != pageView || !samePage(w.event.url, e.URL) {
		a.tally.differf(at, "event %s is not the page view that was sent", w.event.id)
	}
	at.Kind = "time"
	off := e.OccurredAt.Sub(w.event.at)
	allowed := a.o.Tolerance
	if a.clocks[at.Device] == silent {
		allowed = 0
	}
	if off.Abs().Truncate(time.Millisecond) > allowed {
		a.tally.differf(at, "event %s is %s off (R11)", w.event.id, off)
	}
}

// anchor makes sure that a device of ours is one of the service's, and one alone (R8).
func (a *audit) anchor(at Difference, ours int, served string) {
	at.Kind = "anchor"
	a.mu.Lock()
	defer a.mu.Unlock()
	if before, ok := a.served[ours]; ok && before != served {
		a.tally.differf(at, "one device has two anchors, %s and %s", before, served)
		return
	}
	if before, ok := a.meant[served]; ok && before != ours {
		a.tally.differf(at, "two devices have one anchor, %s", served)
		return
	}
	a.served[ours], a.meant[served] = served, ours
}

// samePage compares addresses as far as scrubbing and normalising let them be the
// same: scheme, host and path without escapes. An address that may have been
// scrubbed or cut is not compared.
func samePage(sent, got string) bool {
	const kept = 2000
	lower := strings.ToLower(sent)
	if len(sent) > kept || strings.ContainsAny(sent, "@\\") || strings.Contains(lower, "%40") || strings.Contains(lower, "%2540") {
		return true
	}
	s, err := url.Parse(sent)
	if err != nil {
		return true
	}
	g, err := url.Parse(got)
	if err != nil {
		return false
	}
	s, g = s.ResolveReference(s), g.ResolveReference(g)
	return s.Scheme == g.Scheme && strings.EqualFold(s.Host, g.Host) && s.Path == g.Path
}
