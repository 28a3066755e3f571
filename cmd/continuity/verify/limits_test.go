package verify

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/gomega"

	"continuity/adapters/limit"
	"continuity/cmd/app"
)

// behind lets an address create little, and trusts the proxy on 127.0.0.1 alone.
func behind(header string) func(*app.Config) {
	return func(c *app.Config) {
		c.RateNewPerIP = limit.Rate{Count: 30, Per: time.Minute}
		c.TrustedProxies, c.ClientIPHeader = []string{"127.0.0.1"}, header
	}
}

var _ = Describe("The client's address behind a real proxy", Ordered, ContinueOnFailure, func() {
	// A client of its own address for every spec, so that none finds its limit used up.
	clients := 1
	from := func() string {
		clients++
		return fmt.Sprintf("127.0.0.%d", clients)
	}
	ways := []struct {
		name string
		run  func(service, []variant) []string
	}{{"nginx", nginx}, {"Varnish", varnish}, {"Apache httpd", apache}, {"Caddy", caddy}}

	for _, way := range ways {
		It("is what "+way.name+" sees, as it ships", func(ctx SpecContext) {
			listen := way.run(startService(behind("X-Forwarded-For")), []variant{{}})
			report := verifying(ctx, Options{URL: "http://" + listen[0], Flood: 60, From: from()})
			Expect(report.Verdict).To(Equal(Safe), told(report))
			Expect(of(report, "client address").Verdict).To(Equal(Safe), told(report))
			Expect(of(report, "429").Verdict).To(Equal(Safe), told(report))
		})
	}

	It("is made up where nginx passes on what the client says of itself", func(ctx SpecContext) {
		listen := nginx(startService(behind("X-Forwarded-For")), []variant{
			{changes: instead("proxy_set_header X-Forwarded-For $remote_addr;", "proxy_set_header X-Forwarded-For $http_x_forwarded_for;")},
		})
		expectUnsafe(verifying(ctx, Options{URL: "http://" + listen[0], Flood: 60, From: from()}), "client address", "a forged X-Forwarded-For is believed")
	})

	It("is made up where the service believes a header that nginx does not set", func(ctx SpecContext) {
		listen := nginx(startService(behind("CF-Connecting-IP")), []variant{{}})
		expectUnsafe(verifying(ctx, Options{URL: "http://" + listen[0], Flood: 60, From: from()}), "client address", "a forged CF-Connecting-IP is believed")
	})

	It("is made up where the service trusts everybody who asks", func(ctx SpecContext) {
		at := startService(func(c *app.Config) {
			behind("X-Forwarded-For")(c)
			c.TrustedProxies = []string{"127.0.0.0/8"}
		})
		expectUnsafe(verifying(ctx, Options{URL: at.Public, Flood: 60, From: from()}), "client address", "a forged X-Forwarded-For is believed")
	})

	It("shows with the limits that a service has unless told otherwise", func(ctx SpecContext) {
		at := startService(func(c *app.Config) {
			own := app.Defaults()
			c.RatePerKey, c.RatePerIP, c.RateNewPerIP, c.MaxEventsPerAnchor = own.RatePerKey, own.RatePerIP, own.RateNewPerIP, own.MaxEventsPerAnchor
		})
		// Without patience, a limit that is met before the flood is a check that cannot tell.
		report := verifying(ctx, Options{URL: at.Public, Flood: 150, Patience: 1})
		Expect(report.Verdict).To(Equal(Safe), told(report))
		Expect(of(report, "client address").Verdict).To(Equal(Safe), told(report))
	})
})
