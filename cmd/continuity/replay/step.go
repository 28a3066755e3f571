package replay

// route is what a step asks for.
type route string

const (
	toAppend     route = "/v1/append"
	toSubmission route = "/v1/submissions"
	toReset      route = "/v1/reset"
)

// mishap is what happens to a request on its way; none of them may change the outcome.
type mishap string

const (
	smooth     mishap = ""
	answerLost mishap = "answer lost"   // the same body again, after the answer
	hungUp     mishap = "hung up"       // the connection dropped once the request was written, then the same body again
	atOnce     mishap = "sent at once"  // two copies side by side
	doubled    mishap = "doubled"       // every event twice in one body
	blind      mishap = "cookie lost"   // neither answer nor cookie arrived, then the same body without a key
	clumsy     mishap = "address typed" // the address in capitals between blanks
)

// key says which cookie a step carries.
type key int

const (
	current key = iota // what the jar holds, if anything
	stale              // the one that was last retired
)

// step is one request of a device, with the answer it must bring.
type step struct {
	to         route
	session    string
	events     []event
	person     int    // who submits; 0: nobody
	submission string // the client's name for the submission
	key        key
	emptied    bool // cookies are cleared first
	mishap     mishap
	want       int
}

// clock is what a device tells about its own time.
type clock int

const (
	silent clock = iota // no sent_at: times are taken as they are
	right               // sent_at is now
	wrong               // sent_at and every event are off by the same span
)

// script is everything one device will do.
type script struct {
	device   device
	role     role
	clock    clock
	rfc3339  bool // times as text with an offset, not as milliseconds
	terse    bool // events of the request's own session do not repeat it
	sessions int
	steps    []step
}
