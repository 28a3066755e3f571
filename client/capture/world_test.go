package capture_test

import (
	"encoding/base64"
	"sort"
	"strings"

	"continuity/client/capture"
)

// world is what one vector plays in: a clock, two storages, a network. Pages
// come and go in it.
type world struct {
	now        int64
	ids        int
	local, tab area
	requests   []request
	open       []exchange
	timers     []timer
	hook       func(answer func(bool))
	promised   []func(bool)
	pending    bool // the hook is a promise
	page       *page
}

type request struct {
	Path string `json:"path"`
	Body string `json:"body"`
}

type exchange struct {
	answer func(status int, token string)
	page   *page
}

type timer struct {
	at   int64
	f    func()
	page *page
}

// page is one document: the environment of one client.
type page struct {
	*world
	document capture.Page
	client   *capture.Client
	gone     bool
}

var _ capture.Env = (*page)(nil)

// area is a storage that can be told to refuse.
type area struct {
	values        map[string]string
	refuse, full  bool
	touched, read int
	written       int
}

func newWorld() *world {
	return &world{
		now:   1764000000000,
		local: area{values: map[string]string{}}, tab: area{values: map[string]string{}},
		hook: func(answer func(bool)) { answer(true) },
	}
}

func (a *area) Get(key string) string {
	a.touched++
	if a.refuse {
		return ""
	}
	a.read += len(a.values[key])
	return a.values[key]
}

func (a *area) Set(key, value string) bool {
	a.touched++
	if a.refuse || a.full {
		return false
	}
	a.written += len(key) + len(value)
	a.values[key] = value
	return true
}

func (a *area) Remove(key string) {
	a.touched++
	if !a.refuse {
		delete(a.values, key)
	}
}

func (a *area) Keys() []string {
	a.touched++
	if a.refuse {
		return nil
	}
	keys := make([]string, 0, len(a.values))
	for key := range a.values {
		keys = append(keys, key)
	}
	return keys
}

func (p *page) Now() int64          { return p.now }
func (p *page) Local() capture.Area { return &p.local }
func (p *page) Tab() capture.Area   { return &p.tab }
func (p *page) Page() capture.Page  { return p.document }

func (p *page) NewID() string {
	var raw [16]byte
	raw[15], raw[14] = byte(p.ids%200), byte(p.ids/200)
	p.ids++
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

func (p *page) Post(path, body string, answer func(int, string)) {
	p.requests = append(p.requests, request{path, body})
	p.open = append(p.open, exchange{answer, p})
}

func (p *page) After(ms int, f func()) {
	p.timers = append(p.timers, timer{p.now + int64(ms), f, p})
}

func (p *page) Allowed(answer func(bool)) { p.hook(answer) }

// visit leaves the page that is open and starts the client on another.
func (w *world) visit(document capture.Page) *page {
	if w.page != nil {
		w.page.gone = true
	}
	p := &page{world: w, document: document}
	p.client = capture.New(p)
	w.page = p
	p.client.Start()
	return p
}

// wait lets time pass and the timers of the page that is open with it.
func (w *world) wait(ms int64) {
	until := w.now + ms
	for {
		sort.SliceStable(w.timers, func(i, j int) bool { return w.timers[i].at < w.timers[j].at })
		next := -1
		for i, t := range w.timers {
			if !t.page.gone && t.at <= until {
				next = i
				break
			}
		}
		if next < 0 {
			break
		}
		t := w.timers[next]
		w.timers = append(w.timers[:next:next], w.timers[next+1:]...)
		w.now = max(w.now, t.at)
		t.f()
	}
	w.now = until
}

// answer answers the oldest request. Nobody hears an answer to a page that has gone.
func (w *world) answer(status int, token string) {
	next := w.open[0]
	w.open = w.open[1:]
	if !next.page.gone {
		next.answer(status, token)
	}
}

// events are the keys of the mirror.
func (w *world) events() []string {
	var keys []string
	for key := range w.local.values {
		if strings.HasPrefix(key, "continuity.") {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	return keys
}
