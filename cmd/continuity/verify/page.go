package verify

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// clientScript is the path of the client, under its short or its hashed name.
var clientScript = regexp.MustCompile(`/capture(-wasm)?(\.[0-9a-f]+)?\.js$`)

// frozen is consent as a fact in a page instead of a question to the browser.
var frozen = regexp.MustCompile(`(?i)continuity\s*(\.\s*allowed\s*=|=\s*\{[^}]*allowed["']?\s*:)\s*(true|false|!0|!1|1\b|0\b)`)

// checkPage asks for the page that embeds the client as a known visitor and as a new
// one. The page may be cached by anybody, so nothing in it may be a visitor's.
func checkPage(ctx context.Context, in *inspection) (finding, error) {
	if in.o.Page == "" {
		in.missing = "no page was named (--page)"
		return skipped("%s", in.missing), nil
	}
	in.missing = "the page is unsafe already"
	h := hazard{
		danger: "The page may be stored and shown to others, with what belongs to one visitor.",
		fix:    "Write no key, token or name into HTML; set the service's cookies by POST alone.",
	}
	known, visitor := "verify"+in.nonce[:16], uuid.NewString() // a key has 22 characters
	for _, cookie := range []string{in.cookie(known) + "; " + visitorCookie + "=" + visitor, ""} {
		a, err := in.visitPage(ctx, cookie)
		if err != nil || a.status != http.StatusOK {
			in.missing = "the page cannot be loaded"
			return unknown("the page is answered %d", a.status), err
		}
		if what := in.visitors(a, known, visitor); what != "" {
			return h.found("%s", what), nil
		}
		in.page = &a
	}
	if frozen.Match(in.page.body) {
		return hazard{
			danger: "Consent is written into the HTML: whoever gets the page out of a cache gets the consent of somebody else.",
			fix:    "Let continuity.allowed be a function that asks the browser's own state, not a value that the server writes.",
		}.found("continuity.allowed is a constant in the page"), nil
	}
	if in.script() == nil {
		return unknown("the page embeds no capture.js or capture-wasm.js"), nil
	}
	return safe("the page carries nothing of a visitor"), nil
}

// visitors says what an answer has that belongs to one visitor.
func (in *inspection) visitors(a answer, key, id string) string {
	for _, name := range []string{in.o.CookieName, visitorCookie} {
		if len(a.cookies(name)) > 0 {
			return "a GET of the page sets " + name
		}
	}
	switch {
	case bytes.Contains(a.body, []byte(key)):
		return "the page repeats the visitor's key"
	case bytes.Contains(a.body, []byte(id)):
		return "the page repeats the visitor's " + visitorCookie
	}
	return ""
}

// visitPage follows redirects, as a browser would.
func (in *inspection) visitPage(ctx context.Context, cookie string) (answer, error) {
	w := newWire(in.o, "")
	defer w.close()
	at := in.o.Page
	for range 10 {
		u, err := url.Parse(at)
		if err != nil {
			return answer{}, unaddressed(err)
		}
		w.host = u.Host
		a, err := w.ask(ctx, get(at).with("Accept", "text/html").as(cookie))
		if err != nil || a.status < http.StatusMultipleChoices || a.status >= http.StatusBadRequest || a.header.Get("Location") == "" {
			return a, err
		}
		next, err := u.Parse(a.header.Get("Location"))
		if err != nil {
			return a, unaddressed(err)
		}
		at = next.String()
	}
	return answer{status: http.StatusLoopDetected}, nil
}

// script is where the page has the client from; nil where it has it not.
func (in *inspection) script() *url.URL {
	if in.page == nil {
		return nil
	}
	page, err := url.Parse(in.o.Page)
	if err != nil {
		return nil
	}
	tokens := html.NewTokenizer(bytes.NewReader(in.page.body))
	for tokens.Next() != html.ErrorToken {
		tag := tokens.Token()
		if tag.DataAtom != atom.Script {
			continue
		}
		if u, err := page.Parse(attribute(tag, "src")); err == nil && clientScript.MatchString(u.Path) {
			return u
		}
	}
	return nil
}

// policies are the page's Content-Security-Policies, those of its meta elements too.
func (in *inspection) policies() (all []string) {
	for _, line := range in.page.header.Values("Content-Security-Policy") {
		all = append(all, strings.Split(line, ",")...)
	}
	tokens := html.NewTokenizer(bytes.NewReader(in.page.body))
	for tokens.Next() != html.ErrorToken {
		tag := tokens.Token()
		if tag.DataAtom == atom.Meta && strings.EqualFold(attribute(tag, "http-equiv"), "Content-Security-Policy") {
			all = append(all, attribute(tag, "content"))
		}
	}
	return all
}

func attribute(tag html.Token, name string) string {
	for _, a := range tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// checkPolicy holds the page's policy against what the client does.
func checkPolicy(_ context.Context, in *inspection) (finding, error) {
	if in.page == nil {
		return skipped("%s", in.missing), nil
	}
	page, err := url.Parse(in.o.Page)
	if err != nil {
		return finding{}, err
	}
	endpoint, err := url.Parse(in.o.URL + "/v1/append")
	if err != nil {
		return finding{}, err
	}
	policies := in.policies()
	for _, text := range policies {
		p := parsePolicy(text)
		if !p.allows("connect-src", page, endpoint) {
			return hazard{
				danger: "The browser blocks the client's requests: nothing of this page's visitors arrives.",
				fix:    "Add " + endpoint.Scheme + "://" + endpoint.Host + " to connect-src in the page's Content-Security-Policy.",
			}.found("the page's policy does not let it connect to %s", endpoint.Host), nil
		}
		if script := in.script(); script != nil && !p.allowsScript(page, script) {
			return hazard{
				danger: "The browser does not run the client.",
				fix:    "Add " + script.Scheme + "://" + script.Host + " to script-src in the page's Content-Security-Policy.",
			}.found("the page's policy does not let it run %s", script.Path), nil
		}
	}
	if len(policies) == 0 {
		return safe("the page has no Content-Security-Policy"), nil
	}
	return safe("the page's policy lets the client run and connect"), nil
}
