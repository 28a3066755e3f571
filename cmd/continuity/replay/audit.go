package replay

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// audit compares what the service holds with what the model expects.
type audit struct {
	o      Options
	plan   plan
	ledger *ledger
	tally  *tally
	done   func(steps int)

	person map[string]int // address → person
	clocks map[int]clock  // device → its clock

	mu     sync.Mutex
	found  Found
	ids    map[string]int // lead id → person
	served map[int]string // the model's anchor → the service's
	meant  map[string]int // the service's anchor → the model's
}

// Found is what the service holds of this replay.
type Found struct {
	Leads       int `json:"leads"`
	Others      int `json:"other_leads"` // leads that are none of this replay's
	Submissions int `json:"submissions"`
	Attributed  int `json:"attributed"`
	Snapshot    int `json:"snapshot"`
	Candidates  int `json:"candidates"`
}

func newAudit(o Options, p plan, l *ledger, t *tally) *audit {
	a := &audit{
		o: o, plan: p, ledger: l, tally: t, done: func(int) {},
		person: map[string]int{}, clocks: map[int]clock{}, ids: map[string]int{}, served: map[int]string{},
		meant: map[string]int{},
	}
	for n := range p.people {
		a.person[p.address(n+1)] = n + 1
	}
	for _, s := range p.scripts {
		a.clocks[s.device.number] = s.clock
	}
	return a
}

// unused makes sure that no lead of this seed is there yet; what an earlier
// replay left would be taken for this one's.
func (a *audit) unused(ctx context.Context) (bool, error) {
	var used bool
	err := a.each(ctx, a.plan.people, func(ctx context.Context, i int) error {
		_, ok, err := a.ledger.find(ctx, a.plan.address(i+1))
		a.mu.Lock()
		defer a.mu.Unlock()
		used = used || ok
		return err
	})
	return !used, err
}

// run makes all comparisons. It fails when the service cannot be asked; what is
// wrong with its answers goes to the tally.
func (a *audit) run(ctx context.Context) (Found, error) {
	rows, err := a.ledger.leads(ctx)
	if err != nil {
		return Found{}, err
	}
	ours := a.sortOut(rows)
	err = a.each(ctx, len(rows), func(ctx context.Context, i int) error {
		defer a.done(1)
		if p := a.person[rows[i].Email]; p != 0 {
			return a.lead(ctx, p, rows[i])
		}
		return a.stranger(ctx, rows[i])
	})
	if err != nil {
		return a.found, err
	}
	a.missing(ours)
	return a.found, a.candidates(ctx)
}

// sortOut tells our leads from others and finds those that stand there twice.
func (a *audit) sortOut(rows []leadRow) map[int]bool {
	ours := map[int]bool{}
	for _, row := range rows {
		p := a.person[row.Email]
		if p == 0 {
			a.found.Others++
			continue
		}
		if ours[p] {
			a.tally.differf(Difference{Kind: "lead", Lead: row.Email}, "the lead is listed more than once")
		}
		ours[p] = true
		a.ids[row.ID] = p
		a.found.Leads++
	}
	return ours
}

func (a *audit) missing(ours map[int]bool) {
	for n := range a.plan.people {
		if p := n + 1; !ours[p] && a.plan.model.people[p] != nil {
			a.tally.differf(Difference{Kind: "lead", Lead: a.plan.address(p)}, "the lead is missing")
		}
	}
}

// lead compares one of our leads: its counts, its submissions and its journey.
func (a *audit) lead(ctx context.Context, p int, row leadRow) error {
	found, ok, err := a.ledger.find(ctx, row.Email)
	if err != nil {
		return err
	}
	submissions, err := a.ledger.submissions(ctx, row.ID)
	if err != nil {
		return err
	}
	journey, err := a.ledger.journey(ctx, row.ID)
	if err != nil {
		return err
	}
	at := Difference{Kind: "lead", Lead: row.Email}
	if !ok || found.ID != row.ID {
		a.tally.differf(at, "found by its address it is another lead than in the list")
	}
	want := a.plan.model.people[p]
	if want == nil {
		a.tally.differf(at, "this person never submitted anything")
		return nil
	}
	if row.Name != called(p) {
		a.tally.differf(at, "the name is not the one that was given")
	}
	if row.Anchors != want.anchors {
		a.tally.differf(at, "%d anchors, not %d", row.Anchors, want.anchors)
	}
	references := a.submissions(row, want, submissions)
	a.journey(row.Email, want, journey, references)
	return nil
}

// submissions compares them by the client's names and returns these by the service's.
func (a *audit) submissions(row leadRow, want *holding, got []submissionRow) map[string]string {
	at := Difference{Kind: "submission", Lead: row.Email}
	a.mu.Lock()
	a.found.Submissions += len(got)
	a.mu.Unlock()
	if row.Submissions != len(want.submissions) {
		a.tally.differf(at, "the lead counts %d submissions, not %d", row.Submissions, len(want.submissions))
	}
	references, times := map[string]string{}, map[string]int{}
	for _, s := range got {
		references[s.ID] = s.reference()
		times[s.reference()]++
	}
	for _, s := range want.submissions {
		if times[s] != 1 {
			a.tally.differf(at, "submission %s is there %d times, not once", s, times[s])
		}
		delete(times, s)
	}
	for s, n := range times {
		a.tally.differf(at, "submission %q is there %d times and was never made", s, n)
	}
	return references
}

// stranger makes sure that a lead of somebody else owns nothing of this replay.
func (a *audit) stranger(ctx context.Context, row leadRow) error {
	journey, err := a.ledger.journey(ctx, row.ID)
	if err != nil {
		return err
	}
	for _, e := range journey {
		if d := a.plan.events[e.EventID]; d != 0 {
			a.tally.differf(Difference{Kind: "event", Device: d}, "event %s stands under a lead of somebody else", e.EventID)
		}
	}
	return nil
}

func (a *audit) each(ctx context.Context, n int, do func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(a.o.Concurrency)
	for i := range n {
		group.Go(func() error { return do(ctx, i) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("ask about leads: %w", err)
	}
	return nil
}
