package capture

// entry is one stored event: its key, its value and what the two weigh.
type entry struct {
	key, value string
	bytes      int
}

// covered is the mark of an event that a 204 has answered for. It stays in the
// mirror until a submission was accepted from this storage.
const covered = '-'

func (e entry) isCovered() bool { return e.value != "" && e.value[0] == covered }

func (e entry) json() string {
	if e.isCovered() {
		return e.value[1:]
	}
	return e.value
}

func (c *Client) keys() []string { return c.local.keys(eventKeys) }

// load reads the mirror anew, because other tabs write to it too, and holds it
// to its bound.
func (c *Client) load() {
	c.index, c.bytes = nil, 0
	for _, key := range c.keys() {
		c.push(key, c.local.get(key))
	}
}

func (c *Client) push(key, value string) {
	e := entry{key: key, value: value, bytes: len(key) + len(",") + len(value)}
	c.index = append(c.index, e)
	c.bytes += e.bytes
	c.last = max(c.last, keyNumber(key))
	c.bound()
}

// bound drops the oldest events, but never the first touch.
func (c *Client) bound() {
	for len(c.index) > 1 && (len(c.index) > MaxEvents || c.bytes > MaxMirror) {
		c.local.remove(c.index[1].key)
		c.bytes -= c.index[1].bytes
		c.index = append(c.index[:1], c.index[2:]...)
	}
}

// add stores one event. The key's number follows the clock, but never goes
// back, so that keys sort in the order of insertion.
func (c *Client) add(kind string, page Page, props string) {
	id, at := c.env.NewID(), c.env.Now()
	value := eventJSON(event{id: id, at: at, session: c.session(), kind: kind, page: page, props: props})
	if units(value) > MaxEvent {
		return
	}
	key := eventKeys + decimal(max(at*1000, c.last+1)) + id
	c.local.set(key, value)
	c.push(key, value)
}

// session is this browser session's own name, made when first needed.
func (c *Client) session() string {
	s := c.tab.get(name)
	if s == "" {
		s = c.env.NewID()
		c.tab.set(name, s)
	}
	return s[:min(len(s), idLength)]
}

const idLength = 22

// What stands behind the session's name: the flag, or that no 2xx came.
const (
	answered   = "1"
	unanswered = "0"
)

// mark is what stands behind the session's name: one of these, or until when
// the beacon that was handed over may still be answered, or nothing.
func (c *Client) mark() string {
	s := c.tab.get(name)
	return s[min(len(s), idLength):]
}

// beaconed tells whether this session's beacon was answered with a 2xx.
func (c *Client) beaconed() bool { return c.mark() == answered }

// release takes out of the mirror what an answer is about: for good if it was
// refused or once a submission was accepted, marked as covered until then. What
// changed under another key in the meantime stays.
func (c *Client) release(carried []entry, gone bool) {
	for _, e := range carried {
		if c.local.get(e.key) != e.value {
			continue
		}
		if gone {
			c.local.remove(e.key)
		} else {
			c.local.set(e.key, string(covered)+e.json())
		}
	}
	c.load()
}

// firstNumber is where the numbers of keys begin, so that all have one length.
const (
	firstNumber  = 1_000_000_000_000_000
	numberLength = 16
)

// keyNumber reads the number of an event's key; where somebody else wrote it,
// that is none.
func keyNumber(key string) int64 {
	return number(key[len(eventKeys):min(len(key), len(eventKeys)+numberLength)])
}
