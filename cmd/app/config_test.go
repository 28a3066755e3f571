package app

import (
	"fmt"
	"os"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/limit"
	"continuity/domain/handoff"
)

var _ = Describe("The settings", func() {
	BeforeEach(func() {
		for _, entry := range os.Environ() {
			if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "CONTINUITY_") {
				Expect(os.Unsetenv(name)).To(Succeed())
				DeferCleanup(os.Setenv, name, value)
			}
		}
	})

	set := func(pairs ...string) {
		for _, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			GinkgoT().Setenv("CONTINUITY_"+name, value)
		}
	}

	It("are the defaults where nothing is set", func() {
		c, err := Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(c).To(Equal(Defaults()))
		Expect(c.CookieMaxAge.Duration()).To(Equal(34560000 * time.Second))
	})

	It("are what the environment says", func() {
		set("DATABASE_URL=postgres://db.example.org/c", "PEPPER=test-pepper-v1", "LISTEN=127.0.0.1:0", "RETENTION=unlimited",
			"ORIGINS=https://a.example.org, absent", "COOKIE_MAX_AGE=30d", "APPENDS=false", "ANONYMOUS_ANCHORS=true",
			"RESPECT_GPC=1", "LOG_FORMAT=json", "LOG_LEVEL=debug", "DEMO=true", "COOKIE_NAME=__Host-k",
			"DESTINATIONS=Portal.example.net, localhost:8082", "HANDOFF_TTL=5m", "HELD_FOR=24h")
		c, err := Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Retention.Duration()).To(BeZero())
		Expect(c.CookieMaxAge).To(Equal(30 * day))
		Expect([]bool{c.Appends, c.AnonymousAnchors, c.RespectGPC, c.Demo}).To(Equal([]bool{false, true, true, true}))
		Expect(c.Origins).To(HaveLen(2))
		Expect(c.destinations()).To(Equal([]handoff.Destination{"portal.example.net", "localhost:8082", "127.0.0.1:8082"}),
			"the demonstration's portal is one too")
		Expect([]Period{c.HandoffTTL, c.HeldFor}).To(Equal([]Period{5 * minute, day}))
		Expect(c.database()).To(Equal("postgres://db.example.org/c"))
		Expect(fmt.Sprintf("%v %+v %#v", c, c, c)).NotTo(ContainSubstring("test-pepper-v1"))
	})

	It("take no variable without our prefix", func() {
		GinkgoT().Setenv("DATABASE_URL", "postgres://elsewhere.example.org/x")
		GinkgoT().Setenv("LISTEN", ":1")
		c, err := Load()
		Expect(err).NotTo(HaveOccurred())
		Expect(c).To(Equal(Defaults()))
	})

	DescribeTable("stop the start when one is wrong, by its name and without its value",
		func(name string, pairs ...string) {
			set(pairs...)
			_, err := Load()
			Expect(err).To(BeAssignableToTypeOf(&Misconfigured{}))
			Expect(err).To(MatchError(ContainSubstring("CONTINUITY_" + name)))
			Expect(err.Error()).NotTo(ContainSubstring("s3cret"))
		},
		Entry("a name that nobody knows", "LISTNE is no setting; did you mean CONTINUITY_LISTEN?", "LISTNE=:80"),
		Entry("a name unlike any", "SOMETHING_ELSE_ENTIRELY is no setting", "SOMETHING_ELSE_ENTIRELY=s3cret"),
		Entry("no truth", "APPENDS", "APPENDS=s3cret"),
		Entry("no period", "RETENTION", "RETENTION=s3cret"),
		Entry("a negative period", "RETENTION", "RETENTION=-1h"),
		Entry("no time at all", "RETENTION", "RETENTION=0d"),
		Entry("an absurd period", "RETENTION", "RETENTION=40000d"),
		Entry("no level", "LOG_LEVEL", "LOG_LEVEL=loud"),
		Entry("no format", "LOG_FORMAT", "LOG_FORMAT=xml"),
		Entry("an older cookie than browsers keep", "COOKIE_MAX_AGE", "COOKIE_MAX_AGE=401d"),
		Entry("a cookie for ever", "COOKIE_MAX_AGE", "COOKIE_MAX_AGE=unlimited"),
		Entry("no cookie name", "COOKIE_NAME", "COOKIE_NAME=a;b"),
		Entry("a host cookie with a domain", "COOKIE_DOMAIN", "COOKIE_NAME=__Host-k", "COOKIE_DOMAIN=example.org"),
		Entry("a domain that is none", "COOKIE_DOMAIN", "COOKIE_DOMAIN=example.org; Path=/x"),
		Entry("a secure cookie without Secure", "COOKIE_INSECURE_LOOPBACK", "COOKIE_NAME=__Secure-k", "COOKIE_INSECURE_LOOPBACK=true"),
		Entry("every origin", "ORIGINS", "ORIGINS=*"),
		Entry("no address", "LISTEN", "LISTEN=8080"),
		Entry("no port", "ADMIN_LISTEN", "ADMIN_LISTEN=127.0.0.1:70000"),
		Entry("no database", "DATABASE_URL", "DATABASE_URL=mysql://u:s3cret@db"),
		Entry("no server", "DATABASE_URL", "DATABASE_URL=postgres:///x", "PEPPER=test-pepper-v1"),
		Entry("two peppers", "PEPPER", "PEPPER=test-pepper-v1", "PEPPER_FILE=/dev/null"),
		Entry("an empty pepper", "PEPPER", "PEPPER="),
		Entry("a short pepper", "PEPPER", "PEPPER=s3cret"),
		Entry("no pepper on Postgres", "PEPPER", "DATABASE_URL=postgres://db.example.org/c"),
		Entry("no directory", "DATA_DIR", "DATA_DIR="),
		Entry("every destination", "DESTINATIONS", "DESTINATIONS=*.example.net"),
		Entry("a destination that is a URL", "DESTINATIONS", "DESTINATIONS=portal.example.net,https://shop.example.net"),
		Entry("no destination between commas", "DESTINATIONS", "DESTINATIONS=a.example.net,,b.example.net"),
		Entry("a link that is good for ever", "HANDOFF_TTL", "HANDOFF_TTL=unlimited"),
		Entry("a link that is good for a week", "HANDOFF_TTL", "HANDOFF_TTL=7d"),
		Entry("devices that nobody saved, for ever", "HELD_FOR", "HELD_FOR=unlimited"),
		Entry("no number", "MAX_EVENTS_PER_ANCHOR", "MAX_EVENTS_PER_ANCHOR=s3cret"),
		Entry("nothing at all", "MAX_EVENTS_PER_ANCHOR", "MAX_EVENTS_PER_ANCHOR=0"),
		Entry("no rate", "RATE_PER_KEY", "RATE_PER_KEY=s3cret"),
		Entry("a rate of nothing", "RATE_PER_IP", "RATE_PER_IP=0/m"),
		Entry("a rate in no time", "RATE_NEW_PER_IP", "RATE_NEW_PER_IP=120"),
		Entry("no store for rates", "RATE_STORE", "RATE_STORE=mysql://u:s3cret@db"),
		Entry("no proxy", "TRUSTED_PROXIES", "TRUSTED_PROXIES=10.0.0.0/8,everybody"),
		Entry("no header", "CLIENT_IP_HEADER", "CLIENT_IP_HEADER=X Forwarded For"),
		Entry("a portal on any port", "DEMO_LISTEN", "DEMO=true", "DEMO_LISTEN=127.0.0.1:0"),
		Entry("a portal everywhere", "DEMO_LISTEN", "DEMO=true", "DEMO_LISTEN=:8082"),
	)

	It("tell of everything that is wrong at once", func() {
		set("LISTEN=x", "ADMIN_LISTEN=y", "NOTHING=z")
		_, err := Load()
		Expect(err).To(MatchError(SatisfyAll(
			ContainSubstring("_LISTEN"), ContainSubstring("_ADMIN_LISTEN"), ContainSubstring("_NOTHING"))))
	})

	It("bound what callers may do, as it is said", func() {
		set("RATE_PER_KEY=10/s", "RATE_PER_IP=unlimited", "RATE_NEW_PER_IP=5/h", "RATE_STORE=redis://:s3cret@rates.example.org:6379/1",
			"MAX_EVENTS_PER_ANCHOR=unlimited", "TRUSTED_PROXIES=192.0.2.0/24, 2001:db8::1", "CLIENT_IP_HEADER=X-Forwarded-For")
		c, err := Load()
		Expect(err).NotTo(HaveOccurred())
		Expect([]limit.Rate{c.RatePerKey, c.RatePerIP, c.RateNewPerIP}).To(Equal(
			[]limit.Rate{{Count: 10, Per: time.Second}, {}, {Count: 5, Per: time.Hour}}))
		Expect(c.MaxEventsPerAnchor).To(BeZero())
		Expect(c.TrustedProxies).To(HaveLen(2))
		Expect(fmt.Sprintf("%v %+v %#v", c, c, c)).NotTo(ContainSubstring("s3cret"))
	})

	It("put a relative database under the data directory", func() {
		c := Defaults()
		c.DataDir = "/srv/continuity"
		Expect(c.database()).To(Equal("sqlite:///srv/continuity/continuity.db"))
		c.DatabaseURL = "sqlite:///var/lib/c.db"
		Expect(c.database()).To(Equal("sqlite:///var/lib/c.db"))
	})

	It("write periods as people do", func() {
		for text, want := range map[string]time.Duration{
			"730d": 730 * 24 * time.Hour, "72h": 72 * time.Hour, "15m": 15 * time.Minute, "1h30m": 90 * time.Minute, "unlimited": 0,
		} {
			var p Period
			Expect(p.Decode(text)).To(Succeed())
			Expect(p.Duration()).To(Equal(want))
		}
		Expect(Period(0).String() + " " + (72 * 60 * minute).String()).To(Equal("unlimited 3d"))
	})
})
