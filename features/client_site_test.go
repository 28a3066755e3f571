package features_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

// site is a website with the capture client on every page. What the client
// sends is noted and answered by a script, so that a story can have any answer.
type site struct {
	*httptest.Server
	build  string                     // the client's script
	script string                     // its address where another site serves it
	attrs  string                     // more attributes of its tag
	head   map[string]string          // markup before the client's tag, by path; "" is every page's
	body   map[string]string          // markup of the page, by path
	heads  map[string]string          // response headers, as "name: value", by path; "" is every page's
	hold   map[string]<-chan struct{} // what a path waits for before it is served

	mu       sync.Mutex
	answer   func(c call) answer
	calls    []call
	pages    []string // requests for pages, with their purpose
	flying   int
	overlaps int
}

// call is one request of the client.
type call struct {
	Path, Cookie, Origin string
	Raw                  string
	Body                 struct {
		Session, ID, Form, Destination string
		Identity                       struct{ Email, Name, Phone string }
		Fields                         map[string]string
		Events                         []struct{ ID, Session, Kind, URL, Title, Referrer string }
	}
}

// answer is a status, with the cookie if it is a 2xx, after a delay. Status 0
// breaks the connection.
type answer struct {
	status int
	delay  time.Duration
}

const visitorCookie = "bwlai_vk"

// newSite opens a site on loopback, with capture.js or the WASM build.
func newSite(build string) *site {
	GinkgoHelper()
	s := &site{build: build, head: map[string]string{}, body: map[string]string{}, heads: map[string]string{}, hold: map[string]<-chan struct{}{}}
	if build == client.Loader && client.Hashed(client.WASM) == client.WASM {
		Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs capture.wasm: go run ./cmd/bundle -wasm")
		Skip("capture.wasm is not built: go run ./cmd/bundle -wasm")
	}
	mux := http.NewServeMux()
	for path, file := range client.Routes() {
		mux.Handle(path, file)
	}
	mux.HandleFunc("POST /v1/{route...}", s.take)
	mux.HandleFunc("GET /hold.js", func(w http.ResponseWriter, _ *http.Request) {
		s.wait("/hold.js")
		w.Header().Set("Content-Type", "text/javascript")
	})
	mux.HandleFunc("/", s.page)
	s.Server = httptest.NewServer(mux)
	DeferCleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *site) wait(path string) {
	if hold := s.hold[path]; hold != nil {
		<-hold
	}
}

func (s *site) page(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.pages = append(s.pages, strings.TrimSpace(r.URL.RequestURI()+" "+r.Header.Get("Sec-Purpose")))
	s.mu.Unlock()
	for _, path := range []string{"", r.URL.Path} {
		if name, value, ok := strings.Cut(s.heads[path], ": "); ok {
			w.Header().Set(name, value)
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, `<!doctype html><link rel=icon href="data:,"><title>%s</title>%s%s<script defer src="%s" %s></script><body>%s`,
		html.EscapeString(r.URL.Path), s.head[""], s.head[r.URL.Path], cmp.Or(s.script, s.build), s.attrs, s.body[r.URL.Path])
}

func (s *site) take(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	c := call{Path: strings.TrimPrefix(r.URL.Path, "/v1/"), Raw: string(raw), Origin: r.Header.Get("Origin")}
	if cookie, err := r.Cookie(visitorCookie); err == nil {
		c.Cookie = cookie.Value
	}
	_ = json.Unmarshal(raw, &c.Body) // a reset has no body
	s.mu.Lock()
	s.calls = append(s.calls, c)
	if s.flying++; s.flying > 1 {
		s.overlaps++
	}
	a := answer{status: http.StatusNoContent}
	if s.answer != nil {
		a = s.answer(c)
	}
	n := len(s.calls)
	s.mu.Unlock()
	time.Sleep(a.delay) // the answer's slowness is part of the story
	s.mu.Lock()
	s.flying--
	s.mu.Unlock()
	s.reply(w, c, a, n)
}

func (s *site) reply(w http.ResponseWriter, c call, a answer, n int) {
	w.Header().Set("Cache-Control", "private, no-store")
	if a.status == 0 {
		panic(http.ErrAbortHandler)
	}
	if a.status == http.StatusNoContent {
		cookie := &http.Cookie{Name: visitorCookie, Value: c.Cookie, Path: "/", MaxAge: 34560000, HttpOnly: true, SameSite: http.SameSiteLaxMode}
		if c.Cookie == "" {
			cookie.Value = fmt.Sprintf("key-%d", n)
		}
		if c.Path == "reset" {
			cookie.MaxAge = -1
		}
		http.SetCookie(w, cookie)
		if c.Path == "handoffs" {
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"token":"TOKEN","expires_at":"2030-01-01T00:00:00.000Z"}`)
			return
		}
	}
	w.WriteHeader(a.status)
}

// always answers everything with a status.
func (s *site) always(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = func(call) answer { return answer{status: status} }
}

func (s *site) seen() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]call(nil), s.calls...)
}

func (s *site) routes() []string {
	var routes []string
	for _, c := range s.seen() {
		routes = append(routes, c.Path)
	}
	return routes
}

func (s *site) visits() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.pages...)
}

func (s *site) overlapped() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.overlaps
}

// steps are the events of a request in short: the kind and the path.
func (c call) steps() []string {
	var steps []string
	for _, e := range c.Body.Events {
		_, path, _ := strings.Cut(strings.TrimPrefix(e.URL, "http://"), "/")
		steps = append(steps, e.Kind+" /"+path)
	}
	return steps
}
