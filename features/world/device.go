package world

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const site = "https://www.example.org"

// Device is a browser: it keeps the key that it is given, and what no answer has covered.
type Device struct {
	w       *World
	Key     string // of its cookie, empty if it has none
	Planted string // a second key that somebody planted beside it, empty if none
	Session string
	Mirror  []Event
	settled bool // a submission was accepted: from now on any 204 empties the mirror
}

// Device is a browser that has never been here.
func (w *World) Device() *Device { return &Device{w: w, Session: NewID()} }

// Visit reads pages; nothing is sent.
func (d *Device) Visit(paths ...string) {
	for _, path := range paths {
		d.Mirror = append(d.Mirror, Event{
			ID: NewID(), Session: d.Session, Kind: "page_view", URL: site + path, Title: "Page " + path, At: d.w.Now(),
		})
	}
}

// Return begins a new session, after a while.
func (d *Device) Return(after time.Duration) {
	GinkgoHelper()
	if after > 0 {
		d.w.Later(after)
	}
	d.Session = NewID()
}

// Beacon sends what is in the mirror.
func (d *Device) Beacon() Reply {
	GinkgoHelper()
	reply := d.w.Append(d.Keys(), d.carried())
	d.Learn(reply)
	if reply.Stored && d.settled {
		d.Mirror = nil
	}
	return reply
}

// Submit sends an identity with the whole mirror, and is accepted.
func (d *Device) Submit(email string) Form {
	GinkgoHelper()
	form := d.Form(email)
	reply := d.Send(form)
	Expect(reply.Refused).To(BeEmpty())
	return form
}

// Form is a submission that has not been sent.
func (d *Device) Form(email string) Form {
	return Form{Beacon: d.carried(), ID: NewID(), Form: "contact", Email: email}
}

// Send sends a submission and keeps what the answer says.
func (d *Device) Send(form Form) Reply {
	GinkgoHelper()
	reply := d.w.Submit(d.Keys(), form)
	d.Learn(reply)
	if reply.Stored {
		d.Mirror, d.settled = nil, true
	}
	return reply
}

// Reset ends the visit: the next visitor is somebody else.
func (d *Device) Reset() Reply {
	GinkgoHelper()
	reply := d.w.Driver.Reset(d.Keys())
	d.Learn(reply)
	d.Mirror, d.Session, d.settled = nil, NewID(), false
	return reply
}

// Learn keeps the cookie of an answer.
func (d *Device) Learn(reply Reply) {
	switch {
	case reply.Key != "":
		d.Key = reply.Key
	case reply.Expired:
		d.Key = ""
	}
}

// Keys are the keys that the browser sends, in its order.
func (d *Device) Keys() []string {
	var keys []string
	for _, key := range []string{d.Key, d.Planted} {
		if key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

func (d *Device) carried() Beacon {
	return Beacon{Session: d.Session, SentAt: d.w.Now(), Events: append([]Event(nil), d.Mirror...)}
}
