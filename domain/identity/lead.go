package identity

import (
	"time"

	"continuity/domain/journey"
)

// The bounds of what a person typed, in bytes.
const (
	mostName  = 400
	mostPhone = 64
)

// Person is an identity as somebody submitted it.
type Person struct {
	Email Email
	Name  string
	Phone string
}

// NewPerson makes an identity of what was typed. The address must satisfy R3, else
// the error is fault.Rejected; name and phone are cleaned, trimmed and cut.
func NewPerson(email, name, phone string) (Person, error) {
	canonical, err := NormalizeEmail(email)
	if err != nil {
		return Person{}, err
	}
	return Person{
		Email: canonical,
		Name:  journey.Bounded(name, mostName),
		Phone: journey.Bounded(phone, mostPhone),
	}, nil
}

// Lead is a person: one e-mail address, whatever devices it was submitted from.
type Lead struct {
	ID        LeadID
	Person    Person
	Status    string // lead_status, free text of the site's own
	FirstSeen time.Time
	LastSeen  time.Time
	ExpiresAt time.Time // zero: never
}

// told is the lead after one more submission: the newest non-empty name and phone are shown (R4).
func (l Lead) told(p Person, m Moment) Lead {
	if p.Name != "" {
		l.Person.Name = p.Name
	}
	if p.Phone != "" {
		l.Person.Phone = p.Phone
	}
	l.LastSeen, l.ExpiresAt = m.Now, m.Keep.expiry(Saved, m.Now)
	return l
}

// seen is the lead's new expiry, of an activity that tells nothing about the person.
func (l Lead) seen(m Moment) LeadSeen {
	return LeadSeen{Lead: l.ID, At: m.Now, ExpiresAt: m.Keep.expiry(Saved, m.Now)}
}

// ClientID is the sender's own name for a submission; with the lead it identifies it (R4).
type ClientID string

// ParseClientID reads the id of a submission; it obeys the same bounds as an event's.
func ParseClientID(raw string) (id ClientID, ok bool) {
	event, ok := journey.ParseEventID(raw)
	return ClientID(event), ok
}

// Submission is identity arriving, kept as it was sent.
type Submission struct {
	ID         SubmissionID
	Lead       LeadID
	Client     ClientID
	Anchor     AnchorID // zero: it came without a device
	Session    journey.Session
	Form       string
	Person     Person
	Fields     string // a JSON object, or empty
	Provenance Provenance
	At         time.Time
}

// CandidateState is where the reconciliation of a candidate stands (R9).
type CandidateState string

// The states.
const (
	Open       CandidateState = "open"
	KeptShared CandidateState = "kept shared"
	Resolved   CandidateState = "resolved"
)

// Candidate is a pair of leads that met on one anchor, for a person to look at.
type Candidate struct {
	ID         CandidateID
	Anchor     AnchorID
	First      LeadID // whom the anchor pointed at
	Second     LeadID // who submitted on it
	Submission SubmissionID
	State      CandidateState
	ResolvedBy string
	At         time.Time
}
