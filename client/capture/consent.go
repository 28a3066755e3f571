package capture

// Ask puts the question to the consent hook again, after the site changed it.
// A no clears what is stored, retires the key and stops; a later yes begins anew.
func (c *Client) Ask() {
	if c.started {
		c.ask()
	}
}

// Reset forgets the visitor at once: the next one is somebody else (R17).
func (c *Client) Reset() {
	c.do(c.forget)
}

// ask lets only the newest question decide, so that a slow yes cannot overrule
// the no that followed it.
func (c *Client) ask() {
	c.asked++
	mine := c.asked
	c.env.Allowed(func(yes bool) {
		if mine == c.asked {
			c.decide(yes)
		}
	})
}

func (c *Client) decide(yes bool) {
	was := c.consent
	if yes {
		c.consent = granted
		if was != granted {
			c.begin()
		}
		return
	}
	c.consent = denied
	c.todo = nil
	c.withdraw()
}

// begin notes the page and whatever happened before the answer came.
func (c *Client) begin() {
	c.load()
	c.env.After(BeaconAfter, func() { c.do(c.beacon) })
	c.run()
	c.view(true)
	todo := c.todo
	c.todo = nil
	for _, f := range todo {
		f()
	}
}

// withdraw leaves a device alone on which nothing of ours lies, so that a
// visitor who never agreed causes neither a write nor a request.
func (c *Client) withdraw() {
	if len(c.keys()) > 0 || c.tab.get(name) != "" || c.local.get(name) == saved {
		c.forget()
		return
	}
	c.run()
}

// forget clears the storage and remembers that the key has to be retired.
// Answers to what was sent before no longer count.
func (c *Client) forget() {
	c.queue = nil
	c.tried = false
	for _, key := range c.keys() {
		c.local.remove(key)
	}
	c.tab.remove(name)
	c.local.set(name, resetting)
	c.load()
	c.run()
}
