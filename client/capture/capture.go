// Package capture is the client's behaviour as a pure program over a small
// environment: what a page notes, what the mirror keeps, what is sent and when,
// and what each answer means. capture.js says the same things by hand; one file
// of vectors holds the two to equal request bodies.
//
// Decisions that shaped it: both builds do the same steps in the same order, and
// where JavaScript's own ways are the shortest (the order of an object's keys,
// the length of a string), this one follows them; every event lies under a storage key of its own, so
// that two tabs never overwrite each other and adding one costs the same
// however long the journey is; a key sorts by the order of insertion, so that a
// clock set back cannot change which event came first; an event that a 204
// covered is marked, not removed, until a submission was accepted; storage that
// refuses is replaced by memory, per value; a session's flag is set by a 2xx and
// by nothing else, so that a page that has gone, which hears no answer, leaves the
// beacon to a later page of its session once the answer can no longer come: what
// then arrives twice, the service counts once. It imports no fmt, encoding/json,
// net/http or reflect: each of them would multiply the size of the WASM.
package capture

// Env is what the behaviour asks of the browser. None of its methods may panic.
type Env interface {
	// Now is the device's clock in milliseconds since the epoch.
	Now() int64
	// NewID is 16 bytes of the system's CSPRNG as 22 characters of base64url.
	NewID() string
	// Local is what outlives the session, Tab what ends with it.
	Local() Area
	Tab() Area
	// Page is the document as it stands.
	Page() Page
	// Post sends body with the device's cookies to a route of the service and
	// calls answer once: with the status, or 0 when there was none, and with the
	// token of a 201. The request must outlive the page.
	Post(path, body string, answer func(status int, token string))
	// After calls f once when so many milliseconds have passed.
	After(ms int, f func())
	// Allowed asks the site's consent hook and calls answer, now or later.
	Allowed(answer func(bool))
}

// Area is a key-value storage that may refuse anything at any time.
type Area interface {
	Get(key string) string
	// Set reports whether the value is stored.
	Set(key, value string) bool
	Remove(key string)
	// Keys are those of everybody on this origin, in any order.
	Keys() []string
}

// Page is a document's address, title and referrer as the browser gives them.
type Page struct {
	URL, Title, Referrer string
}

// The bounds of the mirror and of what is sent.
const (
	MaxEvents   = 150
	MaxMirror   = 48_000 // bytes of keys and values
	MaxBody     = 60_000 // bytes, under the 64 KiB that keepalive requests share
	MaxValue    = 512    // bytes of one value of an event
	MaxField    = 2_048  // bytes of one field of a form
	MaxEvent    = 8_000  // UTF-16 units of one event
	BeaconAfter = 10_000 // milliseconds after activation
)

// The name of everything that is stored: the state and the session under it as
// it is, events with a dot behind it, the lease with a dash.
const (
	name      = "continuity"
	eventKeys = name + "."
	leaseKey  = name + "-lease"
)

// The state of the local storage.
const (
	saved     = "s" // a submission was accepted from it
	resetting = "r" // a reset or withdrawal waits for its answer
)

type consent int

const (
	undecided consent = iota
	granted
	denied
)

// Client is one page's capture client. Its methods are called by the browser's
// events, one at a time.
type Client struct {
	env        Env
	local, tab shelf

	started bool
	consent consent
	asked   int      // number of the last question to the hook
	todo    []func() // what waits for the first answer

	index []entry // the mirror as this page knows it, oldest first
	bytes int
	last  int64 // the number of the newest key

	route string // of the last page view

	queue  []job
	flying bool
	tried  bool // the beacon was handed over on this page
	gone   bool // between leaving and a return from the back/forward cache
}

// New makes a client that does nothing before Start.
func New(env Env) *Client {
	return &Client{
		env:   env,
		last:  firstNumber,
		local: shelf{area: env.Local(), memory: map[string]string{}},
		tab:   shelf{area: env.Tab(), memory: map[string]string{}},
	}
}

// Start begins to capture, once the page is activated: it asks for consent and
// touches nothing before the answer.
func (c *Client) Start() {
	c.started = true
	c.do(c.run)
}

// do runs what the page did under the consent that holds now, or keeps it until
// the first answer.
func (c *Client) do(f func()) {
	if c.started {
		c.ask()
	}
	switch c.consent {
	case granted:
		f()
	case undecided:
		c.todo = append(c.todo, f)
	case denied:
	}
}
