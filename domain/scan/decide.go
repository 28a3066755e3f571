package scan

import "time"

// Status says whether a visitor has stood at a tree before (R12).
type Status string

// The statuses, as they are answered.
const (
	NewVisitor       Status = "new visitor"
	ReturningVisitor Status = "returning visitor"
)

// Exclusion says why a scan was caused by no person. Empty: a person's scan.
type Exclusion string

// The exclusions.
const (
	Bot      Exclusion = "bot"      // a crawler, a preview, a monitor, an HTTP client, an automated browser
	Prefetch Exclusion = "prefetch" // a browser that looks ahead; if a person follows, the page is asked for again
	Flood    Exclusion = "flood"    // one of more than a client may cause: nobody can tell how many people those are
)

// Exclusions are all that there are.
var Exclusions = []Exclusion{Bot, Prefetch, Flood}

// Scan is one page load of a tree.
type Scan struct {
	Tree TreeID
	At   time.Time // our clock
	// Visitors are the well-formed ids that were sent, in that order.
	Visitors []VisitorID
	// Fresh is an id that nobody has, for a visitor who brings none.
	Fresh    VisitorID
	Excluded Exclusion
	// Address and Agent are for audit, never identity.
	Address string
	Agent   string
}

// State is what the decision needs to know, loaded under the visitors' locks.
type State struct {
	// Known are those of Scan.Visitors that have a row, in the order they were sent.
	Known []VisitorID
	// Returning are those of Known that have a scan of this tree.
	Returning []VisitorID
}

// Change is a scan as it is recorded.
type Change struct {
	// Visitor is whose scan it is; zero for an excluded one, which has no visitor.
	Visitor VisitorID
	// First says that it is the visitor's first scan of the tree.
	First  bool
	Status Status
}

// Visitor is whose scan it is, as far as can be told from which ids are known:
// the first known id, else the first sent, else the fresh one.
func (s Scan) Visitor(known []VisitorID) VisitorID {
	switch {
	case len(known) > 0:
		return known[0]
	case len(s.Visitors) > 0:
		return s.Visitors[0]
	}
	return s.Fresh
}

// Decide is R12.
func (s State) Decide(scan Scan) Change {
	if scan.Excluded != "" {
		return Change{Status: NewVisitor}
	}
	visitor := scan.Visitor(s.Known)
	for _, id := range s.Returning {
		if id == visitor {
			return Change{Visitor: visitor, Status: ReturningVisitor}
		}
	}
	return Change{Visitor: visitor, First: true, Status: NewVisitor}
}
