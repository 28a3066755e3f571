package scanning

import (
	"context"
	"time"

	"continuity/domain/identity"
	"continuity/domain/scan"
)

// Store is what scanning asks of a database. A tree that is not there is
// fault.NotFound; a cursor that no page gave is fault.Invalid and names the field
// "after"; what cannot be taken now is fault.Unavailable, and then nothing was done.
type Store interface {
	Scans
	Trees
}

// Scans is the part about visitors.
type Scans interface {
	// RecordScan loads the State that the scan is about, calls its Decide, and appends
	// the row, all in one transaction, in which nobody else records a scan by the same
	// visitor. It makes the visitor's row where there is none, in any number of
	// processes once, and notes the address and the agent that the visitor had last.
	// It returns after the commit. The addresses and agents of a bounded number of rows
	// and visitors from before forget are emptied; a zero forget empties none.
	RecordScan(ctx context.Context, s scan.Scan, forget time.Time) (scan.Change, error)
	// Record is capture.Store's promise: a scan joins a journey as any event does.
	Record(ctx context.Context, ask identity.Ask, decide identity.Decision) (identity.Change, error)
	// Orphan counts a request for a tree that is not there. At most 1,000 codes are
	// told apart; further ones are counted together, under the empty code.
	Orphan(ctx context.Context, code scan.TreeID, at time.Time) error
}

// Trees is the part about what the owners keep and read.
type Trees interface {
	Tree(ctx context.Context, id scan.TreeID) (scan.Tree, error)
	// Trees lists trees in order of their ids, byte by byte.
	Trees(ctx context.Context, page Page) (Listed, error)
	// AddTree keeps a new tree; fault.Taken and the field "id" if there is one of its id.
	AddTree(ctx context.Context, tree scan.Tree) error
	// ChangeTree calls change on the tree under its lock and keeps what it makes of it,
	// but for the id. An error of change is returned as it is and nothing is kept.
	ChangeTree(ctx context.Context, id scan.TreeID, change func(*scan.Tree) error) (scan.Tree, error)
	// SaveTrees calls change for each id, in order, with the tree or, where there is
	// none, an empty one and false, and keeps all that it makes of them or, after an
	// error or when dry is set, nothing. It counts what was added and what was changed.
	SaveTrees(ctx context.Context, ids []scan.TreeID, dry bool,
		change func(tree *scan.Tree, known bool) error) (added, changed int, err error)
	// EachScan calls yield for the rows of those trees with since <= At < to, zero being
	// open: tree by tree, and of one tree ordered by visitor, those of one visitor by
	// time. Trees that are not there have none.
	EachScan(ctx context.Context, trees []scan.TreeID, since, to time.Time, yield func(scan.TreeID, scan.Row)) error
	// Orphans lists the codes that were asked for in vain, the most frequent first.
	Orphans(ctx context.Context) ([]Orphan, error)
}

// Page asks for a part of a list. The zero value asks for its beginning.
type Page struct {
	After string // the Next of the page before; opaque
	Limit int    // at most this many; zero or less asks for the default
}

// Listed is a part of the list of trees.
type Listed struct {
	Trees []scan.Tree
	Next  string // empty at the end
}

// Orphan is a code that was asked for and leads to no tree.
type Orphan struct {
	Code        scan.TreeID // empty: all further ones
	Scans       int
	First, Last time.Time
}
