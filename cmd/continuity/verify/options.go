package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Options is what a verification needs to know. URL is required; the zero value of
// anything else takes its default or leaves out what it is for.
type Options struct {
	URL          string        // the public side as browsers reach it, such as https://www.example.org
	Origin       string        // the service behind the edge, to compare with; empty: not compared
	Page         string        // a page that embeds the client; empty: not looked at
	Tree         string        // the id of a tree whose page loads may be counted; empty: none is loaded
	CookieName   string        // default bwlai_vk
	CookieDomain string        // the Domain that the service is set to; empty: host-only
	GPC          bool          // the service is set to respect Sec-GPC
	Flood        int           // creations that may be spent on learning whether a forged address is believed; 0: none
	From         string        // local IP address to ask from; empty: the system chooses
	Resolver     string        // host:port of a DNS server; empty: the system's
	Timeout      time.Duration // of one request; default 15 seconds
	Patience     time.Duration // how long a verification waits for rate limits in all; default 70 seconds
}

func (o Options) complete() (Options, error) {
	o.CookieName = cmp.Or(o.CookieName, "bwlai_vk")
	o.CookieDomain = strings.ToLower(strings.TrimPrefix(o.CookieDomain, "."))
	o.Timeout = cmp.Or(o.Timeout, 15*time.Second)
	o.Patience = cmp.Or(o.Patience, 70*time.Second)
	o.URL, o.Origin = strings.TrimRight(o.URL, "/"), strings.TrimRight(o.Origin, "/")
	return o, o.check()
}

// Check is nil for options that a verification can begin with.
func (o Options) Check() error {
	_, err := o.complete()
	return err
}

func (o Options) check() error {
	if o.Flood < 0 || o.Timeout < 0 || o.Patience < 0 {
		return errors.New("no number or duration may be negative")
	}
	if o.From != "" {
		if _, err := netip.ParseAddr(o.From); err != nil {
			return errors.New("from: must be an IP address of this machine")
		}
	}
	if o.Resolver != "" {
		if _, _, err := net.SplitHostPort(o.Resolver); err != nil {
			return errors.New("resolver: must be host:port")
		}
	}
	if strings.ContainsAny(o.Tree, "/?#") {
		return errors.New("tree: must be the id of a tree")
	}
	return errors.Join(
		checkAddress("url", o.URL), checkAddress("origin", cmp.Or(o.Origin, o.URL)), checkAddress("page", cmp.Or(o.Page, o.URL)),
	)
}

func checkAddress(name, value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%s: must be an http or https address", name)
	}
	return nil
}

// resolver asks the server that was named, or the system's.
func (o Options) resolver() *net.Resolver {
	if o.Resolver == "" {
		return net.DefaultResolver
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, o.Resolver)
	}}
}
