package reporting

import (
	"continuity/domain/identity"
	"continuity/domain/journey"
)

// Lead is a person with the counts that a list shows.
type Lead struct {
	identity.Lead
	Anchors     int // devices that point at it, shared ones too
	Submissions int
}

// Entry is one event of a lead's journey.
type Entry struct {
	Anchor     identity.AnchorID
	Ownership  identity.Ownership
	Submission identity.ClientID // of a snapshot, else empty
	journey.Event
}

// Candidate is a pair of leads that met on one anchor.
type Candidate struct {
	identity.Candidate
	Client identity.ClientID // of the submission that made them meet
}

// Page asks for a part of a list. The zero value asks for its beginning.
type Page struct {
	After string // the Next of the page before; opaque
	Limit int    // at most this many; zero or less asks for the default
}

// Listed is a part of a list.
type Listed[T any] struct {
	Items []T
	Next  string // empty at the end
}
