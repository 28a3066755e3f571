package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"continuity/cmd/continuity/verify"
	"continuity/domain/fault"
)

type verified struct {
	URL          string        `arg:""              help:"The public address as browsers reach it, such as https://www.example.org."`
	Origin       string        `help:"Address of the service behind the edge: compares what the edge answers with what it was told."`
	Page         string        `help:"A page that embeds the client: looks at its HTML and policy, and applies Safari's rule to the two hosts."`
	Tree         string        `help:"Id of a tree made for this: looks at its page. Its page loads are counted."`
	Every        time.Duration `help:"Go on as a canary, at this distance, until stopped. Exits with the worst that was found."`
	CookieName   string        `default:"bwlai_vk"  help:"Name of the cookie."`
	CookieDomain string        `help:"Domain that the service is set to; none is host-only."`
	GPC          bool          `help:"The service is set to respect Sec-GPC: it is unsafe if it does not."                                 name:"gpc"`
	Flood        int           `default:"150"       help:"Creations that may be spent on using up this machine's own limit, to learn whether a forged address is believed; 0 leaves that out. A canary spends none."`
	From         string        `help:"Local IP address to ask from. Over loopback: one that is no trusted proxy."`
	Resolver     string        `help:"host:port of the DNS server to ask; that of the system if none is given."`
	Timeout      time.Duration `default:"15s"       help:"How long one answer may take."`
	JSON         bool          `help:"Print each report as one line of JSON."                                                              name:"json"`
}

// The ends of a verification other than a safe one; the report tells the rest.
var (
	errNotSafe = errors.New("the deploy is not safe")
	errUntold  = errors.New("whether the deploy is safe could not be told")
)

// Run verifies once, or until ctx ends.
func (c verified) Run(ctx context.Context, term terminal) error {
	o := verify.Options{
		URL: c.URL, Origin: c.Origin, Page: c.Page, Tree: c.Tree, CookieName: c.CookieName, CookieDomain: c.CookieDomain,
		GPC: c.GPC, Flood: c.Flood, From: c.From, Resolver: c.Resolver, Timeout: c.Timeout,
	}
	if err := o.Check(); err != nil {
		return fault.New(fault.Invalid, "", err.Error())
	}
	if c.Every < 0 {
		return fault.New(fault.Invalid, "every", "must not be negative")
	}
	if c.Every > 0 {
		verdict, err := verify.Watch(ctx, o, c.Every, func(r verify.Report) error { return c.tell(r, r.Summary, term) })
		return concluded(verdict, err)
	}
	report, err := verify.Run(ctx, o)
	if err != nil {
		return fmt.Errorf("%w: %w", errUntold, err)
	}
	return concluded(report.Verdict, c.tell(report, report.Print, term))
}

func (c verified) tell(r verify.Report, print func(w io.Writer) error, term terminal) error {
	if c.JSON {
		return r.PrintJSON(term.out)
	}
	return print(term.out)
}

func concluded(verdict verify.Verdict, err error) error {
	switch {
	case err != nil:
		return err
	case verdict == verify.Unsafe:
		return errNotSafe
	case verdict == verify.Unknown:
		return errUntold
	}
	return nil
}
