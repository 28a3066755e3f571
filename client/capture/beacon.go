package capture

// Hidden is the page going out of sight: the moment of the session's beacon.
func (c *Client) Hidden() { c.do(c.beacon) }

// Leave is the page about to go. What waits goes now: the beacon if nothing is
// in flight, a submission in any case, because nobody could send it later.
func (c *Client) Leave() {
	c.do(func() {
		c.gone = true
		c.beacon()
		waiting := c.queue
		c.queue = nil
		for _, j := range waiting {
			if j.path != SubmissionPath || c.resetting() {
				c.queue = append(c.queue, j)
			} else {
				c.send(j)
			}
		}
		if c.flying {
			c.lease(leaseAfterEnd)
		}
	})
}

// beacon hands over once on a page, and in a session until it was answered
// well. While one of a page that has gone may still be answered, none follows.
func (c *Client) beacon() {
	if c.tried || c.beaconed() || c.holds(c.mark()) {
		return
	}
	c.tried = true
	c.request(job{path: AppendPath})
}
