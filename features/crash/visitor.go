package crash

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// request is one that a visitor made, and whether it was accepted.
type request struct {
	path       string
	body       map[string]any
	events     []string
	submission string // the id of the submission, empty for a beacon
	accepted   bool
}

// visitor is one person on one device, who remembers what was sent and what was promised.
type visitor struct {
	email   string
	key     string
	session string
	sent    []*request
	client  *http.Client
	last    answer // what ended the visit
	err     error
}

func newVisitor(client *http.Client) *visitor {
	return &visitor{email: newID() + "@example.org", session: newID(), client: client}
}

// newID is an id as the client makes them.
func newID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// visit sends up to most requests, a submission first and then one in every five, until one is not accepted.
func (v *visitor) visit(public string, most int, accepted func()) {
	for i := range most {
		r := v.beacon(3)
		if i%5 == 0 {
			r = v.submit(2)
		}
		if !v.send(public, r) {
			return
		}
		accepted()
	}
}

// send makes a request, which may be one that was made before, and says whether it was accepted.
func (v *visitor) send(public string, r *request) bool {
	if !slices.Contains(v.sent, r) {
		v.sent = append(v.sent, r)
	}
	v.last, v.err = post(v.client, public+r.path, v.key, r.body)
	if v.err != nil || v.last.status != http.StatusNoContent {
		return false
	}
	if v.last.key != "" {
		v.key = v.last.key
	}
	r.accepted = true
	return true
}

func (v *visitor) beacon(events int) *request {
	r := &request{path: "/v1/append"}
	now := time.Now().UnixMilli()
	var told []map[string]any
	for i := range events {
		id := newID()
		r.events = append(r.events, id)
		told = append(told, map[string]any{
			"id": id, "at": now + int64(i), "kind": "page_view", "url": fmt.Sprintf("https://www.example.org/trees/%d", i),
			"title": "Trees of the old town", "referrer": "https://www.example.org/", "props": map[string]any{"place": i},
		})
	}
	r.body = map[string]any{"sent_at": now, "session": v.session, "events": told}
	return r
}

func (v *visitor) submit(events int) *request {
	r := v.beacon(events)
	r.path, r.submission = "/v1/submissions", newID()
	r.body["id"], r.body["form"] = r.submission, "contact"
	r.body["identity"] = map[string]any{"email": v.email, "name": "Ana"}
	return r
}

// broken says what of the promises is not kept in what was found, and is empty when all are: what was accepted is
// there exactly once, what is in doubt is there whole or not at all, and there is nothing else.
func (v *visitor) broken(found kept) string {
	var events, submissions []string
	for _, r := range v.sent {
		there := 0
		for _, id := range r.events {
			if slices.Contains(found.events, id) {
				there++
			}
		}
		whole := there == len(r.events)
		if r.submission != "" && slices.Contains(found.submissions, r.submission) != whole {
			return "half of a submission: one of itself and its events"
		}
		switch {
		case r.accepted && !whole:
			return fmt.Sprintf("%d of the %d events of an accepted request", there, len(r.events))
		case there != 0 && !whole:
			return fmt.Sprintf("half of a request: %d of its %d events", there, len(r.events))
		case there == 0:
			continue
		}
		events = append(events, r.events...)
		if r.submission != "" {
			submissions = append(submissions, r.submission)
		}
	}
	slices.Sort(events)
	slices.Sort(submissions)
	if !slices.Equal(events, found.events) || !slices.Equal(submissions, found.submissions) {
		return fmt.Sprintf("%d events and %d submissions where %d and %d were sent",
			len(found.events), len(found.submissions), len(events), len(submissions))
	}
	return ""
}
