package world

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/onsi/gomega/gexec"

	"continuity/adapters/pgtest"
	"continuity/cmd/app"
	"continuity/ports/access"
)

var postgres pgtest.Shared

// Stop ends what the ways started; a suite calls it at its end.
func Stop() error {
	gexec.CleanupBuildArtifacts()
	return postgres.Stop()
}

// EachWay tells a story on every way in. With CONTINUITY_URL (and
// CONTINUITY_ADMIN_URL, CONTINUITY_ADMIN_TOKEN) set, it is told to that deployment alone; stories of handoffs need
// its destinations to be ours, and CONTINUITY_PORTAL_TOKEN and CONTINUITY_SHOP_TOKEN.
func EachWay(story func(world func() *World)) {
	if public := os.Getenv("CONTINUITY_URL"); public != "" {
		Context("at the deployment", func() {
			story(func() *World {
				driver := NewHTTP(public, os.Getenv("CONTINUITY_ADMIN_URL"), os.Getenv("CONTINUITY_ADMIN_TOKEN"))
				driver.Destinations = map[string]string{
					Portal: os.Getenv("CONTINUITY_PORTAL_TOKEN"), Shop: os.Getenv("CONTINUITY_SHOP_TOKEN"),
				}
				return &World{Driver: driver, tag: newTag()}
			})
		})
		return
	}
	for _, database := range []string{"SQLite", "Postgres"} {
		Context("on "+database+", in process", func() {
			story(func() *World {
				clock := NewClock()
				a := Open(Config(database), clock)
				return &World{Driver: inProcess{a}, clock: clock, tag: newTag()}
			})
		})
		Context("on "+database+", over HTTP", func() {
			story(func() *World {
				clock := NewClock()
				a := Open(Config(database), clock)
				return &World{Driver: Listen(a), clock: clock, tag: newTag()}
			})
		})
	}
}

// Config is a service of the running spec's own, on an empty database of that kind.
// Its limits are off: the clock of its stories is not the one that limits go by.
func Config(database string) app.Config {
	GinkgoHelper()
	c := app.Defaults().WithoutLimits()
	c.DataDir, c.SecretsDir = GinkgoT().TempDir(), GinkgoT().TempDir()
	c.DatabaseURL = "sqlite://" + filepath.Join(c.DataDir, "continuity.db")
	if database == "Postgres" {
		c.DatabaseURL = postgres.Database("features", migrated)
		c.Pepper = app.NewSecret("test-pepper-v1")
	}
	c.Listen, c.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	c.Destinations = []string{Portal, Shop}
	return c
}

// OwnPostgres is an empty database on a server that a spec may crash: nobody else uses it meanwhile, since the
// specs of one suite run one after the other.
type OwnPostgres struct {
	*pgtest.Cluster
	URL string
}

// Postgres is such a database, for the running spec alone.
func Postgres() OwnPostgres {
	GinkgoHelper()
	own := OwnPostgres{Cluster: postgres.Cluster(), URL: postgres.Database("features", migrated)}
	DeferCleanup(func() {
		if CurrentSpecReport().Failed() {
			Expect(own.Restart()).To(Succeed(), "it may have been left crashed")
		}
	})
	return own
}

func migrated(url string) error {
	c := app.Defaults()
	c.DatabaseURL, c.Pepper = url, app.NewSecret("test-pepper-v1")
	a, err := app.Open(ctx, c, app.Deps{Logger: silent()})
	if err != nil {
		return err
	}
	return a.Close()
}

func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// Open opens a service for the running spec; clock may be nil.
func Open(config app.Config, clock *Clock) *app.App {
	GinkgoHelper()
	deps := app.Deps{Logger: slog.New(slog.NewTextHandler(GinkgoWriter, nil))}
	if clock != nil {
		deps.Now = clock.Now
	}
	a, err := app.Open(ctx, config, deps)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(a.Close)
	return a
}

// Listen puts a service on the network, with tokens for every scope.
func Listen(a *app.App) *HTTP {
	GinkgoHelper()
	public, admin := httptest.NewServer(a.Public), httptest.NewServer(a.Private)
	DeferCleanup(public.Close)
	DeferCleanup(admin.Close)
	way := NewHTTP(public.URL, admin.URL, newSecret(a, "", owners()...))
	way.Destinations = map[string]string{
		Portal: newSecret(a, Portal, access.Handoffs), Shop: newSecret(a, Shop, access.Handoffs),
	}
	return way
}

// owners are the scopes that are of no destination.
func owners() (scopes []access.Scope) {
	for _, scope := range access.Scopes {
		if scope != access.Handoffs {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

func newSecret(a *app.App, destination string, scopes ...access.Scope) string {
	GinkgoHelper()
	_, secret, err := a.Access.CreateFor(ctx, "stories", scopes, destination)
	Expect(err).NotTo(HaveOccurred())
	return secret
}
