package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
)

// shelf is what these specs need of a database: it knows some keys, and shows
// what was to be recorded. How things are kept is specified elsewhere.
type shelf struct {
	mu      sync.Mutex
	known   map[identity.KeyHash]identity.Anchor
	changes []identity.Change
	// handoff is the newest that was minted or claimed.
	handoff *identity.Handoff
}

func (s *shelf) Record(_ context.Context, ask capture.Ask, decide capture.Decision) (identity.Change, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var state identity.State
	for _, hash := range ask.Keys {
		if anchor, ok := s.known[hash]; ok {
			state.Devices = append(state.Devices, anchor)
		}
	}
	state.Fresh = identity.Fresh{Anchor: 11, Lead: 12, Submission: 13, Candidate: 14, Handoff: 15}
	if s.handoff != nil && s.handoff.Token == ask.Handoff {
		state.Handoff = s.handoff
		state.Carrier = &identity.Anchor{ID: s.handoff.Anchor, Key: identity.KeyHash{1}, Status: identity.Held}
	}
	change := decide(state)
	s.changes = append(s.changes, change)
	for _, h := range change.Handoffs {
		s.handoff = &h
	}
	return change, nil
}

func (s *shelf) Handoff(_ context.Context, _ time.Time, token handoff.TokenHash) (identity.Handoff, error) {
	if s.handoff == nil || s.handoff.Token != token {
		return identity.Handoff{}, fault.New(fault.NotFound, "", "no such handoff")
	}
	return *s.handoff, nil
}

func (s *shelf) Carried(context.Context, identity.Handoff) (events []journey.Event, err error) {
	for _, e := range s.recorded() {
		events = append(events, e.Event)
	}
	return events, nil
}

// recorded is every event that was to be kept.
func (s *shelf) recorded() (events []identity.OwnedEvent) {
	for _, change := range s.changes {
		events = append(events, change.Events...)
	}
	return events
}

// leads counts the people that were to be kept.
func (s *shelf) leads() (n int) {
	for _, change := range s.changes {
		n += len(change.Leads)
	}
	return n
}

const (
	keyOfAna = "AAAAAAAAAAAAAAAAAAAAAQ"
	keyOfBen = "AAAAAAAAAAAAAAAAAAAAAg"
	unknown  = "AAAAAAAAAAAAAAAAAAAAAw"
)

// site is a public interface, of which a spec may change what it is about.
type site struct {
	Public
	*shelf
	log strings.Builder
}

func newSite() *site {
	s := &site{shelf: &shelf{known: map[identity.KeyHash]identity.Anchor{}}}
	for i, text := range []string{keyOfAna, keyOfBen} {
		key, ok := identity.ParseKey(text)
		Expect(ok).To(BeTrue())
		s.known[key.Hash()] = identity.Anchor{ID: identity.AnchorID(i + 1), Key: key.Hash(), Status: identity.Saved}
	}
	peppers := identity.Peppers{identity.NewPepper([]byte("a pepper"))}
	noon := func() time.Time { return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC) }
	destinations := []handoff.Destination{"portal.example.net", "localhost:8082"}
	s.Public = Public{
		Capture: capture.New(s.shelf, capture.Rules{}, peppers, noon, rand.Reader),
		Handoffs: handingoff.New(s.shelf, handingoff.Rules{
			Retention: identity.Retention{HeldFor: time.Hour}, TTL: time.Minute, Destinations: destinations,
		}, peppers, noon, rand.Reader),
		Destinations: destinations,
		Cookie:       Cookie{Name: "bwlai_vk", MaxAge: 400 * 24 * time.Hour},
		Log:          slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	return s
}

// edit changes a request before it is sent.
type edit func(*http.Request)

func with(header, value string) edit {
	return func(r *http.Request) { r.Header.Add(header, value) }
}

func without(header string) edit {
	return func(r *http.Request) { r.Header.Del(header) }
}

func carrying(key string) edit { return with("Cookie", "bwlai_vk="+key) }

// send asks as a page of the site itself would.
func (s *site) send(method, path, body string, edits ...edit) *httptest.ResponseRecorder {
	GinkgoHelper()
	return s.sendTo(s.Handler(), method, path, body, edits...)
}

// sendTo is send to an interface that lives longer than one request.
func (*site) sendTo(h http.Handler, method, path, body string, edits ...edit) *httptest.ResponseRecorder {
	GinkgoHelper()
	r := httptest.NewRequest(method, "https://www.example.org"+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Origin", "https://www.example.org")
	r.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	for _, change := range edits {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func (s *site) append(body string, edits ...edit) *httptest.ResponseRecorder {
	GinkgoHelper()
	return s.send(http.MethodPost, "/v1/append", body, edits...)
}

func (s *site) submit(body string, edits ...edit) *httptest.ResponseRecorder {
	GinkgoHelper()
	return s.send(http.MethodPost, "/v1/submissions", body, edits...)
}

// beARefusal is an answer that sets no cookie, is not cached and says what is wrong.
func beARefusal(w *httptest.ResponseRecorder, status int, code string) {
	GinkgoHelper()
	Expect(w.Code).To(Equal(status), w.Body.String())
	Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
	Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
	Expect(w.Body.String()).To(HavePrefix(`{"error":{"code":"` + code + `","message":"`))
}
