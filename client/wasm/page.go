//go:build js && wasm

package main

import (
	"syscall/js"

	"continuity/client/capture"
)

// page turns what happens on it into the behaviour's words.
type page struct {
	*browser
	client  *capture.Client
	minting js.Value // the link whose token is on its way
	held    js.Value // the link that was clicked and waits for its token
}

// install puts the site's API, the consent hook and the SPA's moves in place.
func (p *page) install() {
	allowed := p.global.Get("Object").New()
	allowed.Set("get", js.FuncOf(func(js.Value, []js.Value) any { return p.hook }))
	allowed.Set("set", js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.hook = args[0]
		guard(p.client.Ask)
		return nil
	}))
	p.global.Get("Object").Call("defineProperty", p.api, "allowed", allowed)
	history := p.global.Get("history")
	for _, method := range []string{"pushState", "replaceState"} {
		original := history.Get(method)
		history.Set(method, js.FuncOf(func(_ js.Value, args []js.Value) any {
			p.reflect.Call("apply", original, history, list(args))
			guard(p.client.View)
			return nil
		}))
	}
}

func list(values []js.Value) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// handle takes what the loader heard: an event, or the name of a call to the
// site's API and what it was given.
func (p *page) handle(args []js.Value) {
	if args[0].Type() == js.TypeString {
		p.call(args[0].String(), args[1:])
		return
	}
	event := args[0]
	switch get(event, "type") {
	case "visibilitychange":
		if p.document.Get("hidden").Bool() {
			p.client.Hidden()
		} else {
			p.client.Ask()
		}
	case "pagehide":
		p.gone = true
		p.client.Leave()
	case "pageshow":
		p.gone = false
		if event.Get("persisted").Truthy() {
			p.client.Restored()
		}
	case "popstate":
		p.client.View()
	case "online":
		p.client.Online()
	case "pointerdown", "click", "auxclick":
		p.click(event)
	case "submit":
		p.submit(event.Get("target"))
	}
}

func (p *page) call(name string, args []js.Value) {
	if name == "reset" {
		p.client.Reset()
		return
	}
	var kind string
	if len(args) > 0 {
		kind = text(args[0])
	}
	p.client.Track(kind, p.properties(args))
}

// properties are what JSON.stringify makes of them, every string cleaned.
func (p *page) properties(args []js.Value) string {
	if len(args) < 2 {
		return ""
	}
	clean := js.FuncOf(func(_ js.Value, pair []js.Value) any {
		if pair[1].Type() == js.TypeString {
			return capture.Text(pair[1].String())
		}
		return pair[1]
	})
	defer clean.Release()
	return text(p.global.Get("JSON").Call("stringify", args[1], clean))
}

// click notes a click and gives a link to a destination its token: asked for
// when the pointer goes down, and held back for at most so long when it is not
// there yet.
func (p *page) click(event js.Value) {
	pressed := get(event, "type") == "pointerdown"
	target, button := event.Get("target"), event.Get("button").Int()
	marked := target.Call("closest", "[data-continuity-click]")
	link := target.Call("closest", "a[href]:not([download])")
	if marked.Truthy() && !pressed {
		p.client.Click(marked.Get("dataset").Get("continuityClick").String())
	}
	if !link.Truthy() || !isWeb(get(link, "protocol")) ||
		get(link, "host") == get(p.global.Get("location"), "host") || button > 1 {
		return
	}
	if !pressed {
		p.client.Outbound(get(link, "href"))
	}
	if !capture.IsDestination(get(p.data, "destinations"), get(link, "host")) {
		return
	}
	if pressed {
		p.mint(link)
	} else if p.waits(event, link) {
		event.Call("preventDefault")
		p.held = link
		p.After(holdFor, p.follow)
		p.mint(link)
	}
}

// waits tells whether a click opens an undecorated link in this same window.
func (p *page) waits(event, link js.Value) bool {
	for _, key := range []string{"defaultPrevented", "button", "metaKey", "ctrlKey", "shiftKey"} {
		if event.Get(key).Truthy() {
			return false
		}
	}
	return !link.Get("target").Truthy() && !capture.IsDecorated(get(link, "search"))
}

// How long a click is held back and a link stays decorated, in milliseconds.
const (
	holdFor     = 800
	decorateFor = 5_000
)

func (p *page) mint(link js.Value) {
	if p.minting.Equal(link) {
		return
	}
	p.minting = link
	p.client.Mint(get(link, "host"), func(token string) {
		p.minting = js.Undefined()
		if token != "" {
			href := get(link, "href")
			link.Set("href", capture.Decorate(href, token))
			p.After(decorateFor, func() { link.Set("href", href) })
		}
		p.follow()
	})
}

func (p *page) follow() {
	if p.held.Truthy() {
		p.global.Get("location").Set("href", p.held.Get("href"))
	}
	p.held = js.Undefined()
}

func (p *page) submit(form js.Value) {
	name := form.Get("dataset").Get("continuityForm")
	if name.Type() != js.TypeString {
		return
	}
	var controls []capture.Control
	elements := form.Get("elements")
	for i := range elements.Length() {
		controls = append(controls, control(elements.Index(i)))
	}
	p.client.Submit(name.String(), controls)
}

func control(element js.Value) capture.Control {
	kind := get(element, "type")
	box := len(kind) > 1 && (kind[:2] == "ch" || kind[:2] == "ra")
	return capture.Control{
		Name: get(element, "name"), Type: kind,
		Autocomplete: get(element, "autocomplete"),
		Mark:         get(element.Get("dataset"), "continuity"),
		Value:        get(element, "value"),
		Off:          element.Get("disabled").Truthy() || box && !element.Get("checked").Truthy(),
	}
}

func isWeb(protocol string) bool { return protocol == "http:" || protocol == "https:" }
