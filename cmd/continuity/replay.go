package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"continuity/cmd/continuity/replay"
)

type replayLog struct {
	Log          string        `arg:"" help:"An access log, or - for standard input." type:"existingfile"`
	URL          *url.URL      `help:"The public address to play against." required:"" env:"CONTINUITY_URL"`
	AdminURL     *url.URL      `help:"The private address to compare with; without it nothing is compared." env:"CONTINUITY_ADMIN_URL"`
	Token        string        `help:"A token with the scope leads:read there." env:"CONTINUITY_ADMIN_TOKEN"`
	Site         string        `help:"What is put in front of the log's paths." default:"https://www.example.org"`
	CookieName   string        `help:"The name of the visitor key's cookie." default:"bwlai_vk"`
	Seed         uint64        `help:"The same seed and log give the same plan."`
	Limit        int           `help:"Play so many rows of the log; 0 for all."`
	Concurrency  int           `help:"Devices at a time." default:"16"`
	Gap          time.Duration `help:"Silence that ends a session." default:"30m"`
	Tolerance    time.Duration `help:"How far corrected times may be off." default:"5s"`
	ForwardedFor bool          `help:"Send the log's addresses as X-Forwarded-For."`
	JSON         bool          `help:"Print JSON."`
}

// Run plays the log and prints what was found. It fails when anything differs.
func (c replayLog) Run(ctx context.Context, term terminal) error {
	options := replay.Options{
		Log: c.Log, Stdin: os.Stdin, URL: c.URL.String(), Token: c.Token, Site: c.Site, CookieName: c.CookieName,
		Seed: c.Seed, Limit: c.Limit, Concurrency: c.Concurrency, Gap: c.Gap, Tolerance: c.Tolerance,
		ForwardedFor: c.ForwardedFor, Progress: term.err,
	}
	if c.AdminURL != nil {
		options.AdminURL = c.AdminURL.String()
		if c.Token == "" {
			return misuse{errors.New("--token is needed to compare with --admin-url")}
		}
	}
	report, err := replay.Run(ctx, options)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(term.out, report)
	} else {
		err = report.Print(term.out)
	}
	if err == nil && !report.OK() {
		err = fmt.Errorf("%d differences between what was played and what is held", report.Differences)
	}
	return err
}
