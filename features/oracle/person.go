package oracle

import (
	"cmp"
	"slices"
)

// Person is a lead.
type Person struct {
	Name        string // the newest that was not empty
	Submissions []*Submission
}

// Submission is identity arriving, under the sender's own name for it.
type Submission struct {
	Who     Address
	Client  string
	Name    string
	How     How
	Device  *Device // nil: it came without
	Session string  // on that device
}

// Form is what is submitted.
type Form struct {
	Who     Address
	Client  string
	Name    string
	Session string
	Steps   []Step
	// Browser is set where a device is speaking, which gets a key if it has none
	// that is known; a form backend invents no device.
	Browser bool
}

// Submit is identity arriving (R2, R4–R7).
func (w *World) Submit(keys []Key, form Form) Answer {
	devices := w.known(keys)
	unknown := Answer{Expire: len(keys) > 0}
	known := w.People[form.Who] != nil
	submission, before := w.submission(form)
	if before && submission.Device != nil {
		return w.repeat(devices, submission, form, unknown)
	}
	if len(devices) > 1 {
		w.browse(devices, form.Steps)
		for _, device := range devices {
			device.doubtful[form.Session] = true
		}
		return Answer{Stored: true, Issue: devices[0].Key}
	}
	if len(devices) == 0 && form.Browser {
		devices = []*Device{w.mint()}
	}
	if len(devices) == 0 {
		return unknown
	}
	w.submitOn(devices[0], submission, form, known)
	return Answer{Stored: true, Issue: devices[0].Key}
}

// submission finds what is submitted, or keeps it, and the person with it.
func (w *World) submission(form Form) (submission *Submission, before bool) {
	person, how := w.People[form.Who], ByEmail
	if person == nil {
		person, how = &Person{}, ByKey
		w.People[form.Who] = person
	}
	for _, submission := range person.Submissions {
		if submission.Client == form.Client {
			return submission, true
		}
	}
	submission = &Submission{Who: form.Who, Client: form.Client, Name: form.Name, How: how}
	person.Submissions = append(person.Submissions, submission)
	if form.Name != "" {
		person.Name = form.Name
	}
	return submission, false
}

// submitOn links the device or finds it shared, before it writes the steps.
func (w *World) submitOn(device *Device, submission *Submission, form Form, known bool) {
	submission.Device, submission.Session = device, form.Session
	device.meet(form.Who, form.Client, known)
	device.Submitted[form.Who] = true
	device.identified(form.Who, form.Session)
	for _, step := range form.Steps {
		owner := device.browsing()
		if device.Shared && step.Session != "" && step.Session == form.Session && device.alone(form.Who, form.Session) {
			owner = Owner{Submission: submission}
		}
		w.write(device, step, owner)
	}
}

// repeat is a submission that has its device already: nobody learns anything, and
// what it carries is browsing. A browser that never got its key speaks of the
// device it was given.
func (w *World) repeat(devices []*Device, submission *Submission, form Form, unknown Answer) Answer {
	if len(devices) > 0 {
		w.browse(devices, form.Steps)
		return Answer{Stored: true, Issue: devices[0].Key}
	}
	if form.Browser {
		w.browse([]*Device{submission.Device}, form.Steps)
	}
	return unknown
}

// Entry is an event of a lead's journey.
type Entry struct {
	Device   Key
	Event    string
	Snapshot string // the submission whose snapshot it is in, else empty
	arrival  int
}

// Journey is what a person owns, in the order of its arrival.
func (w *World) Journey(who Address) (entries []Entry) {
	for _, device := range w.Devices {
		for _, event := range device.Events {
			owner, snapshot := device.OwnerOf(event)
			if owner != who {
				continue
			}
			entry := Entry{Device: device.Key, Event: event.ID, arrival: event.Arrival}
			if snapshot != nil {
				entry.Snapshot = snapshot.Client
			}
			entries = append(entries, entry)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.arrival, b.arrival) })
	for i := range entries {
		entries[i].arrival = 0
	}
	return entries
}
