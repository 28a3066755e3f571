package replay

import "context"

// candidates compares who met on which device (R5).
func (a *audit) candidates(ctx context.Context) error {
	rows, err := a.ledger.candidates(ctx)
	if err != nil {
		return err
	}
	got := map[meeting]map[string]bool{}
	for _, row := range rows {
		pair, ok := a.pair(row)
		if !ok {
			continue
		}
		a.found.Candidates++
		at := Difference{Kind: "candidate", Lead: a.plan.address(pair.one)}
		if row.State != "open" {
			a.tally.differf(at, "the candidate is %q, and nobody looked at it", row.State)
		}
		if got[pair][row.AnchorID] {
			a.tally.differf(at, "the same pair on the same anchor twice")
		}
		if got[pair] == nil {
			got[pair] = map[string]bool{}
		}
		got[pair][row.AnchorID] = true
	}
	a.meetings(got)
	return nil
}

// pair is the two people of a candidate; ok is false when it is none of ours.
func (a *audit) pair(row candidateRow) (m meeting, ok bool) {
	if len(row.LeadIDs) != 2 {
		a.tally.differf(Difference{Kind: "candidate"}, "a candidate of %d leads", len(row.LeadIDs))
		return m, false
	}
	one, other := a.ids[row.LeadIDs[0]], a.ids[row.LeadIDs[1]]
	if (one == 0) != (other == 0) {
		a.tally.differf(Difference{Kind: "candidate"}, "a lead of this replay has met one of somebody else's")
	}
	return meeting{min(one, other), max(one, other)}, one != 0 && other != 0
}

func (a *audit) meetings(got map[meeting]map[string]bool) {
	for pair, anchors := range a.plan.model.meetings {
		at := Difference{Kind: "candidate", Lead: a.plan.address(pair.one)}
		if len(got[pair]) != len(anchors) {
			a.tally.differf(at, "met %s on %d devices, not %d", a.plan.address(pair.other), len(got[pair]), len(anchors))
		}
		for served := range got[pair] {
			if ours, known := a.meant[served]; known && !anchors[ours] {
				a.tally.differf(at, "met %s on another device than they did", a.plan.address(pair.other))
			}
		}
		delete(got, pair)
	}
	for pair := range got {
		at := Difference{Kind: "candidate", Lead: a.plan.address(pair.one)}
		a.tally.differf(at, "never met %s", a.plan.address(pair.other))
	}
}
