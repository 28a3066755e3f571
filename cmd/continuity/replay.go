package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"continuity/cmd/app"
	"continuity/cmd/continuity/replay"
	"continuity/ports/access"
)

type replayed struct {
	Log          string        `arg:""                                                                                                   help:"Access log in Common or Combined format, or tab-separated; gzip too; - for standard input."`
	URL          string        `help:"Public URL of the service to play against."                                                        required:""`
	AdminURL     string        `help:"Private URL of that service; that of this configuration if none is given."`
	Token        string        `env:"CONTINUITY_ADMIN_TOKEN"                                                                             help:"Token with the scope leads:read; without one, a token is made in the configured database for this run alone."`
	Site         string        `default:"https://www.example.org"                                                                        help:"Put in front of the log's paths."`
	CookieName   string        `default:"bwlai_vk"                                                                                       help:"Name of the cookie."`
	Seed         uint64        `default:"1"                                                                                              help:"The same seed and log are the same play."`
	Limit        int           `help:"Rows of the log to play; 0 is all."`
	Concurrency  int           `default:"16"                                                                                             help:"Devices at a time."`
	Gap          time.Duration `default:"30m"                                                                                            help:"Silence that ends a session."`
	Patience     time.Duration `default:"5m"                                                                                             help:"How long one request waits for a busy service in all."`
	ForwardedFor bool          `help:"Send the log's addresses as X-Forwarded-For, for a service that trusts this machine as its proxy."`
	Scans        bool          `help:"Play the rows as scans of trees, and compare the trees' numbers."`
	Trees        int           `default:"20" help:"With --scans: how many trees the paths are spread over."`
	JSON         bool          `help:"Print the report as JSON."                                                                         name:"json"`
}

// errDiffers is the exit of a replay that found differences; the report tells them.
var errDiffers = errors.New("the service does not hold what it should")

// Run plays the log and compares.
func (c replayed) Run(ctx context.Context, term terminal) (err error) {
	if c.Token == "" || c.AdminURL == "" {
		forget, refused := c.introduce(ctx)
		if refused != nil {
			return refused
		}
		defer func() { err = errors.Join(err, forget()) }()
	}
	options := replay.Options{
		Log: c.Log, Stdin: os.Stdin, URL: c.URL, AdminURL: c.AdminURL, Token: c.Token, Site: c.Site,
		CookieName: c.CookieName, Seed: c.Seed, Limit: c.Limit, Concurrency: c.Concurrency, Gap: c.Gap,
		Patience: c.Patience, ForwardedFor: c.ForwardedFor, Trees: c.Trees, Progress: term.err,
	}
	if c.Scans {
		report, err := replay.RunScans(ctx, options)
		return c.tell(term, report, err)
	}
	report, err := replay.Run(ctx, options)
	return c.tell(term, report, err)
}

// played is the report of either kind of replay.
type played interface {
	Print(w io.Writer) error
	OK() bool
}

func (c replayed) tell(term terminal, report played, err error) error {
	if err != nil {
		return err
	}
	if c.JSON {
		err = json.NewEncoder(term.out).Encode(report)
	} else {
		err = report.Print(term.out)
	}
	if err == nil && !report.OK() {
		return errDiffers
	}
	return err
}

// introduce fills in what was not given from the settings of the service.
func (c *replayed) introduce(ctx context.Context) (forget func() error, err error) {
	config, err := app.Load()
	if err != nil {
		return nil, err
	}
	if c.AdminURL == "" {
		c.AdminURL = "http://" + config.AdminListen
	}
	if c.Token != "" {
		return func() error { return nil }, nil
	}
	service, err := app.Open(ctx, config, app.Deps{})
	if err != nil {
		return nil, err
	}
	token, secret, err := service.Access.Create(ctx, "replay", []access.Scope{access.LeadsRead, access.Trees})
	if err != nil {
		return nil, errors.Join(err, service.Close())
	}
	c.Token = secret
	return func() error {
		return errors.Join(service.Access.Revoke(context.WithoutCancel(ctx), token.ID), service.Close())
	}, nil
}
