package capture

// The kinds of event that the client notes by itself.
const (
	PageView   = "page_view"
	Click      = "click"
	Outbound   = "outbound_click"
	FormSubmit = "form_submit"
)

// View notes a page view if the address is another than that of the last one.
func (c *Client) View() { c.do(func() { c.view(false) }) }

// Restored notes a page view of a page that came back from the back/forward
// cache.
func (c *Client) Restored() {
	c.do(func() {
		c.gone = false
		c.load()
		c.view(true)
	})
}

func (c *Client) view(always bool) {
	page := c.env.Page()
	route := routeOf(page.URL)
	if !always && route == c.route {
		return
	}
	if !always {
		page.Referrer = c.route
	}
	c.route = route
	page.URL, page.Referrer = address(page.URL), address(page.Referrer)
	c.add(PageView, page, "")
}

// Click notes a click on an element that the site marked with this name.
func (c *Client) Click(mark string) {
	c.do(func() { c.note(Click, object(pair{"name", Text(mark)})) })
}

// Outbound notes a click on a link that leaves the site.
func (c *Client) Outbound(href string) {
	c.do(func() { c.note(Outbound, object(pair{"href", Text(address(href))})) })
}

// Track notes an event of the site's own. Its properties are JSON whose strings
// went through Text, or nothing.
func (c *Client) Track(kind, props string) {
	c.do(func() { c.note(kind, props) })
}

func (c *Client) note(kind, props string) {
	page := c.env.Page()
	page.URL, page.Referrer = address(page.URL), ""
	c.add(kind, page, props)
}
