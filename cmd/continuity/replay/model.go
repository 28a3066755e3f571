package replay

import "slices"

// The ownership that a journey shows for an event.
const (
	attributed = "attributed"
	snapshot   = "snapshot"
)

// The statuses that browsers meet when all is well.
const (
	stored  = 204
	nothing = 200
)

// anchor is a device as the service should see it.
type anchor struct {
	number  int
	first   int // the person it is linked to
	shared  bool
	retired bool
	stored  map[string]bool
	met     map[string][]int // the people who submitted in each session
}

// owning is one event that a person's journey should show.
type owning struct {
	event      event
	anchor     int
	ownership  string
	submission string // of a snapshot, the client's name for it
}

// holding is what the service should hold of one person.
type holding struct {
	anchors     int // devices that point at the person, shared ones too
	submissions []string
	events      []owning
}

// meeting is two people on one device; the lower number stands first.
type meeting struct{ one, other int }

// model is the rules in the plainest words. It decides what every request must
// answer and what everybody owns afterwards.
type model struct {
	anchors  int
	people   map[int]*holding
	meetings map[meeting]map[int]bool // the anchors on which they met
	seen     map[string]bool          // the names of accepted submissions; they are never used for two people
	nobodys  int                      // events stored that belong to nobody
}

func newModel() *model {
	return &model{people: map[int]*holding{}, meetings: map[meeting]map[int]bool{}, seen: map[string]bool{}}
}

// append is R1: without a known key nothing is stored, and on no account is there a new key.
func (m *model) append(a *anchor, events []event) int {
	if a == nil || a.retired {
		return nothing
	}
	m.store(a, events, 0, "", "")
	return stored
}

// submit is R4, R5 and R7. It returns the anchor whose key the browser has afterwards.
func (m *model) submit(a *anchor, person int, submission, session string, events []event) *anchor {
	if m.seen[submission] {
		m.append(a, events) // a repeat changes nothing; what it carries arrives as with a beacon
		return a
	}
	if a == nil || a.retired {
		a = m.mint()
	}
	m.seen[submission] = true
	p := m.person(person)
	p.submissions = append(p.submissions, submission)
	m.link(a, person)
	if !slices.Contains(a.met[session], person) {
		a.met[session] = append(a.met[session], person)
	}
	m.store(a, events, person, submission, session)
	return a
}

func (m *model) link(a *anchor, person int) {
	if a.first == 0 {
		a.first = person
		m.person(person).anchors++
		return
	}
	if a.first == person {
		return
	}
	a.shared = true
	pair := meeting{min(a.first, person), max(a.first, person)}
	if m.meetings[pair] == nil {
		m.meetings[pair] = map[int]bool{}
	}
	m.meetings[pair][a.number] = true
}

// store is R6: the first arrival decides, and identity was resolved before.
// person is 0 when no new submission carries the events.
func (m *model) store(a *anchor, events []event, person int, submission, session string) {
	for _, e := range events {
		if a.stored[e.id] {
			continue
		}
		a.stored[e.id] = true
		switch {
		case !a.shared:
			m.own(a.first, owning{event: e, anchor: a.number, ownership: attributed})
		case person != 0 && session != "" && e.session == session && len(a.met[session]) == 1:
			m.own(person, owning{event: e, anchor: a.number, ownership: snapshot, submission: submission})
		default:
			m.nobodys++
		}
	}
}

// reset is R17: the key is dead, what it brought stays.
func (m *model) reset(a *anchor) { a.retired = true }

func (m *model) mint() *anchor {
	m.anchors++
	return &anchor{number: m.anchors, stored: map[string]bool{}, met: map[string][]int{}}
}

func (m *model) own(person int, o owning) {
	p := m.person(person)
	p.events = append(p.events, o)
}

func (m *model) person(number int) *holding {
	if m.people[number] == nil {
		m.people[number] = &holding{}
	}
	return m.people[number]
}
