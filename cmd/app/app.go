package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
	_ "time/tzdata" // reports by day need the zones, which a small machine may lack

	"continuity/adapters/bunstore"
	"continuity/adapters/httpapi"
	"continuity/adapters/limit"
	"continuity/adapters/metrics"
	"continuity/adapters/qrcode"
	"continuity/client"
	"continuity/cmd/app/demo"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/ports/access"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
	"continuity/ports/privacy"
	"continuity/ports/reporting"
	"continuity/ports/scanning"
)

// Deps are what a service takes from the world besides its settings. A zero field
// is the real thing: the system's clock and random source, a log to standard error.
type Deps struct {
	Now    func() time.Time
	Random io.Reader
	Logger *slog.Logger
	// Direct gives every request a transaction of its own. It is no setting: only a
	// measurement wants it, to tell what sharing one is worth.
	Direct bool
}

// App is a service that is ready to be asked.
type App struct {
	Public  http.Handler
	Private http.Handler

	Capture   *capture.Service
	Handoffs  *handingoff.Service
	Reporting *reporting.Service
	Privacy   *privacy.Service
	Access    *access.Service
	Scanning  *scanning.Service

	config   Config
	deps     Deps
	db       *bunstore.DB
	secrets  secrets
	rates    *limit.Redis // nil: rates are counted in memory
	metrics  *metrics.Metrics
	stopping atomic.Bool
}

// Open checks the settings, opens the database, brings its schema up to date and
// makes the service. A setting that cannot be used is a *Misconfigured.
func Open(ctx context.Context, config Config, deps Deps) (*App, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	deps = deps.filled(config)
	secrets, err := config.secrets(deps.Random)
	if err != nil {
		return nil, err
	}
	told := metrics.New()
	db, err := bunstore.Open(ctx, bunstore.Config{URL: config.database(), Direct: deps.Direct, Observe: committed(told)})
	if err != nil {
		return nil, err
	}
	if err := db.Migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("bring the schema up to date: %w", err), db.Close())
	}
	if err := secrets.enrol(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := db.KeepFor(ctx, config.keep()); err != nil {
		return nil, errors.Join(fmt.Errorf("apply the retention: %w", err), db.Close())
	}
	a := &App{config: config, deps: deps, db: db, secrets: secrets, metrics: told}
	if err := a.compose(secrets.peppers); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if (len(config.TrustedProxies) > 0) != (config.ClientIPHeader != "") {
		deps.Logger.Warn("trusted proxies and the header with the client's address are of use together only: the peer is the client")
	}
	return a, nil
}

func (c Config) keep() identity.Retention {
	return identity.Retention{Period: c.Retention.Duration(), HeldFor: c.HeldFor.Duration()}
}

func (a *App) compose(peppers identity.Peppers) error {
	c, d := a.config, a.deps
	keep := c.keep()
	rules := capture.Rules{Retention: keep, AnonymousAnchors: c.AnonymousAnchors, Off: !c.Appends}
	a.Capture = capture.New(a.db, rules, peppers, d.Now, d.Random)
	destinations, err := c.destinations()
	if err != nil {
		return err
	}
	a.Handoffs = handingoff.New(a.db, handingoff.Rules{
		Retention: keep, TTL: c.HandoffTTL.Duration(), Destinations: destinations, Off: !c.Appends,
	}, peppers, d.Now, d.Random)
	a.Reporting = reporting.New(a.db, peppers, keep, d.Now)
	a.Privacy = privacy.New(a.db, peppers, keep, d.Now)
	a.Access = access.New(a.db, d.Now, d.Random)
	a.Scanning = scanning.New(a.db, qrcode.Codes{}, scanning.Rules{Retention: keep, Off: !c.Appends}, d.Now, d.Random)
	origins, err := httpapi.ParseOrigins(c.Origins)
	if err != nil {
		return err
	}
	proxies, err := httpapi.ParseProxies(c.TrustedProxies, c.ClientIPHeader)
	if err != nil {
		return err
	}
	limits, err := a.limits()
	if err != nil {
		return err
	}
	a.gauges()
	public := httpapi.Public{
		Capture: a.Capture, Handoffs: a.Handoffs, Scanning: a.Scanning, Destinations: destinations,
		Cookie: httpapi.Cookie{
			Name: c.CookieName, Domain: c.CookieDomain, MaxAge: c.CookieMaxAge.Duration(),
			InsecureLoopback: c.CookieInsecureLoopback || c.Demo && !strings.HasPrefix(c.CookieName, "__"),
		},
		Origins: origins, AnonymousAnchors: c.AnonymousAnchors, RespectGPC: c.RespectGPC, Client: client.Routes(),
		Proxies: proxies, Limits: limits, Log: d.Logger, Observe: a.answered("public"),
	}
	if c.Demo {
		public.Pages = demo.Pages(c.script(), handoff.Destination(c.DemoListen))
	}
	a.Public = public.Handler()
	a.Private = httpapi.Private{
		Capture: a.Capture, Handoffs: a.Handoffs, Reporting: a.Reporting, Privacy: a.Privacy, Access: a.Access, Scanning: a.Scanning,
		PublicURL: c.PublicURL, Ready: a.ready, Proxies: proxies, Log: d.Logger,
		Metrics: a.metrics.Handler(), Observe: a.answered("private"),
	}.Handler()
	return nil
}

// script is the client that the demonstration's pages load.
func (c Config) script() string {
	if c.DemoWASM {
		return client.Loader
	}
	return client.Script
}

// ready tells whether requests can be served: not while stopping, and not without the database.
func (a *App) ready(ctx context.Context) (busy bool, err error) {
	if a.stopping.Load() {
		return false, errors.New("stopping")
	}
	return a.db.Ready(ctx)
}

// Close answers what was accepted, closes the database and lets go of the rest.
func (a *App) Close() error {
	err := a.db.Close()
	if a.rates != nil {
		err = errors.Join(err, a.rates.Close())
	}
	return err
}

func (d Deps) filled(c Config) Deps {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Random == nil {
		d.Random = rand.Reader
	}
	if d.Logger == nil {
		d.Logger = NewLogger(c, os.Stderr)
	}
	return d
}

// NewLogger is a log as the settings want it.
func NewLogger(c Config, out io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(out, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}
