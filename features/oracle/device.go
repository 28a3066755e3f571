package oracle

// How says why a device points at a person.
type How string

// The ways.
const (
	ByKey    How = "key"
	ByEmail  How = "email_hmac"
	ByPerson How = "manual"
)

// Device is one visitor key and what happened under it.
type Device struct {
	Key       Key
	Retired   bool
	Held      bool    // a handoff minted it, and nobody has saved it
	Lead      Address // empty: it points at nobody
	FirstLead Address
	How       How
	Shared    bool
	Events    []*Event // in the order of their arrival
	Pairs     []*Pair
	Submitted map[Address]bool

	inSession map[string]map[Address]bool
	doubtful  map[string]bool
}

// Event is a step with its owner.
type Event struct {
	Step
	Owner
	Arrival int
}

// Owner is whose an event is: a lead's, a submission's, that of one to come, the
// first lead's that its device will have, or, if it is the zero Owner, nobody's.
type Owner struct {
	Lead       Address
	Submission *Submission
	Promise    *Promise
	FirstLead  bool
}

// State is how a pair stands.
type State string

// The states.
const (
	Open       State = "open"
	KeptShared State = "kept shared"
	Resolved   State = "resolved"
)

// Pair are two people who met on a device.
type Pair struct {
	First, Second Address
	Client        string // of the second's submission that made them meet
	State         State
}

// browsing is whose the device's own events are.
func (d *Device) browsing() Owner {
	switch {
	case d.Shared:
		return Owner{}
	case d.Lead == "":
		return Owner{FirstLead: true}
	}
	return Owner{Lead: d.Lead}
}

// meet links the device to a person, or finds that it is shared (R4, R5).
func (d *Device) meet(who Address, client string, known bool) {
	wasShared := d.Shared
	d.Held = false
	if d.Lead == "" {
		d.Lead, d.FirstLead, d.How = who, who, ByKey
		if known {
			d.How = ByEmail
		}
	}
	if d.Lead == who {
		return
	}
	d.Shared = true
	for _, pair := range d.Pairs {
		if pair.First != d.Lead || pair.Second != who {
			continue
		}
		// A verdict to keep the device shared holds for as long as it stays shared.
		if pair.State == Open || pair.State == KeptShared && wasShared {
			return
		}
	}
	d.Pairs = append(d.Pairs, &Pair{First: d.Lead, Second: who, Client: client, State: Open})
}

// alone says whether nobody but that person submitted in the session, for certain (R7).
func (d *Device) alone(who Address, session string) bool {
	for other := range d.inSession[session] {
		if other != who {
			return false
		}
	}
	return !d.doubtful[session]
}

// identified notes that somebody was, in a session.
func (d *Device) identified(who Address, session string) {
	if d.inSession[session] == nil {
		d.inSession[session] = map[Address]bool{}
	}
	d.inSession[session][who] = true
}

// KeepShared is a person's verdict (R9).
func (d *Device) KeepShared() {
	d.closeAll(KeptShared)
}

// PointAt is a person's verdict (R9). It is refused, and false, for somebody who
// never submitted there.
func (d *Device) PointAt(who Address) bool {
	if !d.Submitted[who] {
		return false
	}
	d.Lead, d.How, d.Shared = who, ByPerson, false
	d.closeAll(Resolved)
	return true
}

func (d *Device) closeAll(state State) {
	for _, pair := range d.Pairs {
		if pair.State == Open {
			pair.State = state
		}
	}
}

// OwnerOf is who owns the event in the end, and by which submission's snapshot.
func (d *Device) OwnerOf(event *Event) (who Address, snapshot *Submission) {
	switch {
	case event.Submission != nil:
		return event.Submission.Who, event.Submission
	case event.Promise != nil && event.Promise.Submission != nil:
		return event.Promise.Submission.Who, event.Promise.Submission
	case event.Owner.FirstLead:
		return d.FirstLead, nil
	}
	return event.Lead, nil
}
