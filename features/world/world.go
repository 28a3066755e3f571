package world

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Event is a step of a journey as a browser tells it.
type Event struct {
	ID, Session, Kind, URL, Title, Referrer string
	At                                      time.Time
	Props                                   map[string]any
}

// Beacon is what a browser posts of a journey.
type Beacon struct {
	Session string
	SentAt  time.Time
	Events  []Event
}

// Form is a submitted identity.
type Form struct {
	Beacon
	ID, Form, Email, Name, Phone string
	Fields                       map[string]any
}

// Reply is what a device is told.
type Reply struct {
	Stored  bool   // 204
	Refused string // the code of the error, empty if there is none
	Key     string // the key that the cookie was set to, empty if it was not
	Expired bool   // the cookie was expired
}

// Lead, Step, Submission, Candidate and Anchor are what owners are shown.
type (
	Lead struct {
		ID, Email, Name, Phone, Status string
		FirstSeen, LastSeen            time.Time
		Anchors, Submissions           int
	}
	Step struct {
		Event
		Anchor, Ownership, Submission, Source string
		OccurredAt, ReceivedAt                time.Time
		Clamped                               bool
	}
	Submission struct {
		ID, Anchor, Form, Provenance string
		At                           time.Time
	}
	Candidate struct {
		ID, Anchor, Submission, State string
		Leads                         [2]string
	}
	Anchor struct {
		ID, Lead, Provenance, Status string
		Shared                       bool
	}
)

// Record is everything that is kept of a person, by names.
type Record struct {
	Email                                  string // empty: nobody
	Anchors, Stripped, Submissions, Events []string
	Candidates                             int
}

// Receipt is what an erasure removed.
type Receipt struct {
	ID                                              string
	Leads, Submissions, Events, Anchors, Candidates int
}

// Driver is a way into a service.
type Driver interface {
	HandingOff
	Append(keys []string, b Beacon) Reply
	Submit(keys []string, f Form) Reply
	Reset(keys []string) Reply
	// Backend submits as a form backend, with the visitor's key or without one.
	Backend(key string, f Form) Reply

	Find(email string) (Lead, bool)
	Journey(lead string) []Step
	Submissions(lead string) []Submission
	Candidates(anchor string) []Candidate
	Anchor(id string) Anchor
	// Resolve points the anchor at a lead or, with none, leaves it shared.
	Resolve(anchor, lead string) Reply
	Export(email string) Record
	// Erase removes a person or, in a dry run, only counts.
	Erase(email string, dryRun bool) Receipt
}

// World is one service with the people and devices of one story.
type World struct {
	Driver
	clock *Clock // nil where time cannot be moved
	tag   string
}

// Now is the service's time.
func (w *World) Now() time.Time {
	if w.clock == nil {
		return time.Now()
	}
	return w.clock.Now()
}

// Later moves the service's time on; a story that needs it skips where it cannot be moved.
func (w *World) Later(by time.Duration) {
	GinkgoHelper()
	if w.clock == nil {
		Skip("the clock of a deployment cannot be moved")
	}
	w.clock.Move(by)
}

// Person is an address of this story's own.
func (w *World) Person(name string) string { return name + "-" + w.tag + "@example.org" }

// NewID is a random id as the client makes them.
func NewID() string {
	raw := make([]byte, 16)
	_, err := rand.Read(raw)
	Expect(err).NotTo(HaveOccurred())
	return base64.RawURLEncoding.EncodeToString(raw)
}

func newTag() string { return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(NewID())) }

// URLs are the pages of a journey, without their host, in order.
func URLs(entries []Step) []string {
	urls := make([]string, len(entries))
	for i, e := range entries {
		urls[i] = strings.TrimPrefix(e.URL, site)
	}
	return urls
}

// JourneyOf is the journey of an address; empty if it is nobody's.
func (w *World) JourneyOf(email string) []Step {
	GinkgoHelper()
	lead, ok := w.Find(email)
	if !ok {
		return nil
	}
	return w.Journey(lead.ID)
}

// LeadOf is the lead of an address, which must be there.
func (w *World) LeadOf(email string) Lead {
	GinkgoHelper()
	lead, ok := w.Find(email)
	Expect(ok).To(BeTrue(), "there is no such lead")
	return lead
}

// EraseAll erases a person, and holds that what was exported, what a dry run counted
// and what the receipt says are the same.
func (w *World) EraseAll(email string) Receipt {
	GinkgoHelper()
	exported, foretold := w.Export(email), w.Erase(email, true)
	Expect(foretold.ID).To(BeEmpty())
	receipt := w.Erase(email, false)
	Expect(receipt.ID).NotTo(BeEmpty())
	foretold.ID = receipt.ID
	Expect(receipt).To(Equal(foretold))
	Expect(receipt.Submissions).To(Equal(len(exported.Submissions)))
	Expect(receipt.Events).To(Equal(len(exported.Events)))
	Expect(receipt.Anchors).To(Equal(len(exported.Anchors)))
	Expect(receipt.Candidates).To(Equal(exported.Candidates))
	Expect(w.Export(email)).To(Equal(Record{}))
	return receipt
}
