package verify

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/table"
	. "github.com/onsi/gomega"
)

// answered is an answer with these header lines.
func answered(lines ...string) answer {
	a := answer{asked: "POST /v1/append", header: http.Header{}}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		a.header.Add(name, value)
	}
	return a
}

var _ = Describe("Signs of a cache", func() {
	DescribeTable("are seen",
		func(lines ...string) { Expect(answered(lines...).fromCache()).NotTo(BeEmpty()) },
		Entry("an age", "Age: 1"),
		Entry("Cloudflare", "CF-Cache-Status: HIT"),
		Entry("Cloudflare's stale answers", "CF-Cache-Status: STALE"),
		Entry("CloudFront", "X-Cache: Hit from cloudfront"),
		Entry("CloudFront after asking the origin", "X-Cache: RefreshHit from cloudfront"),
		Entry("Fastly, of two nodes", "X-Cache: MISS, HIT"),
		Entry("Akamai", "X-Cache: TCP_MEM_HIT from a23-45.deploy"),
		Entry("nginx by habit", "X-Cache-Status: HIT"),
		Entry("Apache httpd", "X-Cache: HIT from www.example.org"),
		Entry("the standard word", "Cache-Status: edge; fwd=miss, shield; hit; ttl=3"),
		Entry("Varnish's two transactions", "X-Varnish: 32770 5"),
		Entry("a second line", "X-Cache: MISS", "X-Cache: HIT"),
	)

	DescribeTable("are not imagined",
		func(lines ...string) { Expect(answered(lines...).fromCache()).To(BeEmpty()) },
		Entry("Varnish's age of what it passed", "Age: 0", "X-Varnish: 32770", "Via: 1.1 varnish (Varnish/7.1)"),
		Entry("a miss", "X-Cache: Miss from cloudfront"),
		Entry("a pass", "X-Cache: PASS"),
		Entry("dynamic content", "CF-Cache-Status: DYNAMIC"),
		Entry("the mark of what is never stored", "X-Cache: hit-for-miss"),
		Entry("a word that only holds it", "X-Cache: WHITELISTED"),
		Entry("a forwarded one", "Cache-Status: edge; fwd=uri-miss; stored"),
	)
})

var _ = Describe("What may be stored", func() {
	DescribeTable("is seen",
		func(lines ...string) { Expect(answered(lines...).storable()).NotTo(BeEmpty()) },
		Entry("nothing said"),
		Entry("no-cache alone", "Cache-Control: no-cache"),
		Entry("no-store alone", "Cache-Control: no-store"),
		Entry("private alone", "Cache-Control: private"),
		Entry("a time beside it", "Cache-Control: private, no-store, max-age=600"),
		Entry("another line", "Cache-Control: private, no-store", "Cache-Control: public"),
		Entry("a word for CDNs alone", "Cache-Control: private, no-store", "CDN-Cache-Control: max-age=60"),
	)

	It("is nothing where the service's own words arrive", func() {
		Expect(answered("Cache-Control: private, no-store").storable()).To(BeEmpty())
		Expect(answered("Cache-Control: No-Store,private").storable()).To(BeEmpty())
	})
})

var _ = Describe("A cookie's attributes", func() {
	in := &inspection{o: Options{URL: "https://www.example.org", CookieName: "bwlai_vk"}}
	const key = "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA; "

	It("are right as the service writes them, in any order", func() {
		Expect(in.wrongAttributes(answered("Set-Cookie: " + key + "Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax"))).To(BeEmpty())
		Expect(in.wrongAttributes(answered("Set-Cookie: " + key + "samesite=lax;secure;httponly;path=/;max-age=34560000"))).To(BeEmpty())
	})

	DescribeTable("are told where they differ",
		func(rest, wrong string) {
			Expect(in.wrongAttributes(answered("Set-Cookie: " + key + rest))).To(ContainElement(wrong))
		},
		Entry("a shorter life", "Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax", "Max-Age=604800 instead of Max-Age=34560000"),
		Entry("no life", "Path=/; HttpOnly; Secure; SameSite=Lax", "Max-Age=34560000 is missing"),
		Entry("a date beside it", "Max-Age=34560000; Expires=Tue, 01 Dec 2026 00:00:00 GMT; Path=/; HttpOnly; Secure; SameSite=Lax", "Expires=Tue, 01 Dec 2026 00:00:00 GMT was added"),
		Entry("plain http", "Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax", "Secure is missing"),
		Entry("twice", "Max-Age=34560000; Path=/; Path=/; HttpOnly; Secure; SameSite=Lax", "an attribute stands twice"),
	)

	It("may lack Secure over plain http on the machine itself, and nowhere else", func() {
		line := "Set-Cookie: " + key + "Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax"
		for url, wrong := range map[string]int{
			"http://localhost:8080": 0, "http://127.0.0.1:8080": 0, "http://[::1]:8080": 0,
			"https://localhost": 1, "http://www.example.org": 1, "http://192.0.2.1": 1,
		} {
			on := &inspection{o: Options{URL: url, CookieName: "bwlai_vk"}}
			Expect(on.wrongAttributes(answered(line))).To(HaveLen(wrong), url)
		}
	})

	It("have the domain that was configured, and no other", func() {
		on := &inspection{o: Options{URL: "https://www.example.org", CookieName: "bwlai_vk", CookieDomain: "example.org"}}
		Expect(on.wrongAttributes(answered("Set-Cookie: " + key + "Max-Age=34560000; Path=/; Domain=example.org; HttpOnly; Secure; SameSite=Lax"))).To(BeEmpty())
		Expect(on.wrongAttributes(answered("Set-Cookie: " + key + "Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax"))).To(ConsistOf("Domain=example.org is missing"))
	})
})

var _ = Describe("A page's policy", func() {
	page := &url.URL{Scheme: "https", Host: "www.example.org", Path: "/contact"}
	endpoint := &url.URL{Scheme: "https", Host: "id.example.org", Path: "/v1/append"}

	DescribeTable("lets the client connect",
		func(text string, target *url.URL) {
			Expect(parsePolicy(text).allows("connect-src", page, target)).To(BeTrue())
		},
		Entry("where it says nothing of that", "script-src 'self'", endpoint),
		Entry("by its own origin", "default-src 'self'", page),
		Entry("by the host", "default-src 'none'; connect-src id.example.org", endpoint),
		Entry("by the origin", "connect-src https://id.example.org", endpoint),
		Entry("by the scheme", "connect-src https:", endpoint),
		Entry("by a pattern", "connect-src *.example.org", endpoint),
		Entry("by a star", "connect-src *", endpoint),
		Entry("by a path", "connect-src https://id.example.org/v1/", endpoint),
	)

	DescribeTable("keeps it from connecting",
		func(text string) { Expect(parsePolicy(text).allows("connect-src", page, endpoint)).To(BeFalse()) },
		Entry("by none", "connect-src 'none'"),
		Entry("by the page's origin alone", "connect-src 'self'"),
		Entry("by the default", "default-src 'self'"),
		Entry("by another host", "connect-src https://www.example.org"),
		Entry("by another port", "connect-src https://id.example.org:8443"),
		Entry("by another path", "connect-src https://id.example.org/v2/"),
		Entry("by a pattern that needs a host below it", "connect-src *.id.example.org"),
		Entry("by its first word", "connect-src 'none'; connect-src *"),
	)

	It("lets scripts run by host, nonce or hash", func() {
		script := &url.URL{Scheme: "https", Host: "id.example.org", Path: "/capture.js"}
		for text, runs := range map[string]bool{
			"script-src 'self'": false, "script-src id.example.org": true, "script-src 'nonce-abc'": true,
			"default-src 'none'": false, "img-src 'none'": true, "script-src-elem id.example.org; script-src 'none'": true,
		} {
			Expect(parsePolicy(text).allowsScript(page, script)).To(Equal(runs), text)
		}
	})
})
