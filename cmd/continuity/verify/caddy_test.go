package verify

import (
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
)

// inProxy puts subdirectives into the way to the service.
func inProxy(directives string) func(string) string {
	return instead("reverse_proxy 127.0.0.1:8080", "reverse_proxy 127.0.0.1:8080 {\n"+directives+"\n}")
}

var caddyVariants = []variant{
	{what: "as it ships"},
	{what: "that strips Set-Cookie", check: "cookie", found: "Set-Cookie is stripped", changes: inProxy("header_down -Set-Cookie")},
	{what: "that gives everybody one cookie", check: "two visitors, two keys", found: "one key",
		changes: inProxy(`header_down Set-Cookie "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax"`)},
	{what: "that forwards no cookies", check: "key comes back", found: "given another one", changes: inProxy("header_up -Cookie")},
	{what: "that rewrites the cookie's Path", check: "cookie", found: "Path=/shop instead of Path=/",
		changes: inProxy("header_down Set-Cookie Path=/ Path=/shop")},
	{what: "that adds a Domain", check: "cookie", found: "Domain=example.org was added",
		changes: inProxy(`header_down Set-Cookie Path=/ "Path=/; Domain=example.org"`)},
	{what: "that takes Secure away", check: "cookie", found: "HttpOnly is missing",
		changes: inProxy(`header_down Set-Cookie "HttpOnly; Secure; SameSite=Lax" "SameSite=Lax"`)},
	{what: "that writes the upstream's Host", check: "origin and host", found: "Host does not arrive",
		changes: inProxy("header_up Host upstream.example.org")},
	{what: "that adds the site's own Origin", check: "origin and host", found: "Origin does not arrive",
		changes: inProxy(`header_up Origin "http://{http.request.hostport}"`)},
	{what: "that lets browsers cache", check: "no store", found: "public, max-age=600",
		changes: inProxy(`header_down Cache-Control "public, max-age=600"`)},
	{what: "that takes small bodies only", check: "body", found: "63 KiB is answered",
		changes: instead("reverse_proxy", "request_body {\nmax_size 16KB\n}\nreverse_proxy")},
	{what: "that answers GET by itself", check: "methods", found: "is answered 200",
		changes: instead("reverse_proxy", "@get method GET HEAD\nrespond @get \"here is nothing\" 200\nreverse_proxy")},
}

// caddy runs all variants in one process, a site each.
func caddy(at service, variants []variant) (listen []string) {
	GinkgoHelper()
	binary, folder := program("caddy", "caddy"), workshop()
	listen = kept(variants)
	var sites strings.Builder
	sites.WriteString("{\nadmin off\nauto_https off\n}\n")
	for i, v := range variants {
		sites.WriteString(v.written("Caddyfile", listen[i], host(at.Public)))
	}
	config := write(folder, "Caddyfile", sites.String())
	expectServed(proxy(folder, binary, "run", "--config", config, "--adapter", "caddyfile"), listen[0])
	return listen
}

var _ = Describe("A deploy behind Caddy", Ordered, ContinueOnFailure, func() {
	var listen []string

	BeforeAll(func() { listen = caddy(startService(nil), caddyVariants) })

	for i, v := range caddyVariants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			expectTold(verifying(ctx, Options{URL: "http://" + listen[i]}), v)
		})
	}
})
