package oracle

// Key is a visitor key, told from others by its number. Zero is none.
type Key int

// Address is a person.
type Address string

// World is everything that is known at one moment.
type World struct {
	// AnonymousAnchors gives an unknown device a key at its first append.
	AnonymousAnchors bool
	// Devices are all that ever were, in the order in which they came.
	Devices []*Device
	// People are all who ever submitted.
	People map[Address]*Person
	// Handoffs are all that were ever minted, in that order.
	Handoffs []*Handoff

	keys     Key
	arrivals int
}

// New is the world before anybody came.
func New(anonymousAnchors bool) *World {
	return &World{AnonymousAnchors: anonymousAnchors, People: map[Address]*Person{}}
}

// Step is an event as it is sent.
type Step struct {
	ID      string
	Session string // empty: of no session
}

// Answer is what a device is told.
type Answer struct {
	Stored bool
	Issue  Key // none: zero
	Expire bool
}

// Append is a return visit (R1).
func (w *World) Append(keys []Key, steps []Step) Answer {
	known := w.known(keys)
	if len(known) == 0 && w.AnonymousAnchors {
		known = []*Device{w.mint()}
	}
	if len(known) == 0 {
		return Answer{Expire: len(keys) > 0}
	}
	w.browse(known, steps)
	return Answer{Stored: true, Issue: known[0].Key}
}

// Reset says that the next visitor is somebody else (R17).
func (w *World) Reset(keys []Key) Answer {
	for _, device := range w.known(keys) {
		device.Retired = true
		for _, h := range w.Handoffs {
			if h.Device == device && h.Claim == "" {
				h.Dead = true
			}
		}
	}
	return Answer{Stored: true, Expire: true}
}

// known are the devices of those keys that are known and alive, each once.
func (w *World) known(keys []Key) (known []*Device) {
	for _, key := range keys {
		for _, device := range w.Devices {
			if device.Key == key && !device.Retired && !contains(known, device) {
				known = append(known, device)
			}
		}
	}
	return known
}

func contains(all []*Device, one *Device) bool {
	for _, device := range all {
		if device == one {
			return true
		}
	}
	return false
}

// mint makes a device with a fresh key (R2).
func (w *World) mint() *Device {
	w.keys++
	device := &Device{
		Key: w.keys, Submitted: map[Address]bool{}, inSession: map[string]map[Address]bool{}, doubtful: map[string]bool{},
	}
	w.Devices = append(w.Devices, device)
	return device
}

// browse writes steps to the first device known. If there are two, one key was
// planted, and the steps are nobody's.
func (w *World) browse(known []*Device, steps []Step) {
	for _, step := range steps {
		owner := known[0].browsing()
		if len(known) > 1 {
			owner = Owner{}
		}
		w.write(known[0], step, owner)
	}
}

// write keeps an event as it was first written (R1, R6).
func (w *World) write(device *Device, step Step, owner Owner) *Event {
	for _, event := range device.Events {
		if event.ID == step.ID {
			return event
		}
	}
	w.arrivals++
	event := &Event{Step: step, Owner: owner, Arrival: w.arrivals}
	device.Events = append(device.Events, event)
	return event
}
