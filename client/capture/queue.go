package capture

// The service's routes.
const (
	AppendPath     = "/v1/append"
	SubmissionPath = "/v1/submissions"
	HandoffPath    = "/v1/handoffs"
	ResetPath      = "/v1/reset"
)

// How long a request in flight keeps others back, in milliseconds: while its
// page lives, and after its page has gone and nobody can see the answer.
const (
	leaseFor      = 30_000
	leaseAfterEnd = 500
	pollEvery     = 100
)

// job is a request that waits for its turn. Its body is written when it is
// sent, so that it carries what other tabs have noted by then.
type job struct {
	path  string
	extra string // members of the body beside time, session and events
	done  func(token string)
}

// run sends what is due, one request at a time for the whole origin. A reset
// goes before everything else.
func (c *Client) run() {
	first := c.resetting()
	if !first && len(c.queue) == 0 {
		return
	}
	if c.busy() {
		c.env.After(pollEvery, c.run)
		return
	}
	if first {
		c.send(job{path: ResetPath})
		return
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	c.send(next)
}

func (c *Client) resetting() bool { return c.local.get(name) == resetting }

// busy honours the lease of another tab, or of a page that has gone, but not
// one that a clock set back has made endless, and none when this page itself is
// going: it has no later.
func (c *Client) busy() bool {
	return c.flying || !c.gone && c.holds(c.local.get(leaseKey))
}

// holds tells whether a time that was written down is still to come.
func (c *Client) holds(until string) bool {
	t, now := number(until), c.env.Now()
	return t > now && t <= now+leaseFor
}

func (c *Client) request(j job) {
	c.queue = append(c.queue, j)
	c.run()
}

// send hands a request over. Its answer counts for the visitor who sent it
// only, and not while a reset waits.
func (c *Client) send(j job) {
	body, carried, mine := c.body(j)
	if j.path == AppendPath && len(carried) == 0 {
		c.tried = false // a beacon without news waits for some
		c.run()
		return
	}
	c.flying = true
	if j.path == AppendPath {
		c.tab.set(name, mine+decimal(c.env.Now()+leaseFor))
	}
	c.lease(leaseFor)
	c.env.Post(j.path, body, func(status int, token string) {
		c.flying = false
		c.local.remove(leaseKey)
		if j.path == ResetPath || hasPrefix(c.tab.get(name), mine) && !c.resetting() {
			c.settle(j, carried, mine, status, token)
		}
		if j.path != ResetPath || !c.resetting() {
			c.run()
		}
	})
}

func (c *Client) lease(ms int64) {
	c.local.set(leaseKey, decimal(c.env.Now()+ms))
}

// body writes a request. The beacon carries what no 204 has covered, a mint and
// a submission all of the mirror.
func (c *Client) body(j job) (body string, carried []entry, session string) {
	if j.path == ResetPath {
		return "", nil, ""
	}
	c.load()
	session = c.session()
	head := `{"sent_at":` + decimal(c.env.Now()) + `,"session":` + quoted(session) + j.extra + `,"events":[`
	size := len(head) + len("]}")
	for _, e := range c.index {
		if j.path != AppendPath || !e.isCovered() {
			size += len(e.json()) + min(len(carried), 1)
			carried = append(carried, e)
		}
	}
	for len(carried) > 1 && size > MaxBody {
		size -= len(carried[1].json()) + 1
		carried = append(carried[:1], carried[2:]...)
	}
	for i, e := range carried {
		if i > 0 {
			head += ","
		}
		head += e.json()
	}
	return head + "]}", carried, session
}

// settle is what an answer means (DESIGN 9). An empty 200 and everything unnamed
// keep what was carried.
func (c *Client) settle(j job, carried []entry, session string, status int, token string) {
	fine := status >= 200 && status < 300
	refused := status == 400 || status == 413
	switch {
	case j.path == ResetPath && (fine || refused):
		c.local.remove(name)
	case j.path == AppendPath && fine:
		c.tab.set(name, session+answered)
	case j.path == AppendPath:
		c.tab.set(name, session+unanswered)
	case j.path == SubmissionPath && status == 204:
		c.local.set(name, saved)
	}
	if refused || status == 204 {
		c.release(carried, refused || c.local.get(name) != "")
	} else {
		c.load()
	}
	if j.done != nil {
		j.done(token)
	}
}

// Online tries again what waits for an answer.
func (c *Client) Online() { c.do(c.run) }
