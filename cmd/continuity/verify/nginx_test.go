package verify

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/gomega"

	"continuity/cmd/app"
)

// cached puts a cache of its own in the place of none.
func cached(directives string) func(string) string {
	return instead("proxy_cache off;", "proxy_cache CACHE; "+directives)
}

const hostLine = "proxy_set_header Host $http_host;"

var nginxVariants = []variant{
	{what: "as it ships"},
	{what: "whose cache ignores Set-Cookie and keeps POST", check: "two visitors, two keys", found: "one key",
		changes: cached("proxy_cache_key $uri; proxy_cache_methods GET HEAD POST; proxy_cache_valid any 10m; proxy_ignore_headers Set-Cookie Cache-Control Expires Vary;")},
	{what: "whose cache is forced upon everything and strips Set-Cookie", check: "two visitors, two keys", found: "cached",
		changes: cached("proxy_cache_key $uri; proxy_cache_methods GET HEAD POST; proxy_cache_valid any 10m; proxy_ignore_headers Set-Cookie Cache-Control Expires Vary; proxy_hide_header Set-Cookie;")},
	{what: "that strips Set-Cookie", check: "cookie", found: "Set-Cookie is stripped",
		changes: instead(hostLine, hostLine+" proxy_hide_header Set-Cookie;")},
	{what: "that forwards no cookies", check: "key comes back", found: "given another one",
		changes: instead(hostLine, hostLine+` proxy_set_header Cookie "";`)},
	{what: "that rewrites the cookie's Path", check: "cookie", found: "Path=/shop/ instead of Path=/",
		changes: instead(hostLine, hostLine+" proxy_cookie_path / /shop/;")},
	{what: "that adds a Domain", check: "cookie", found: "Domain=example.org was added",
		changes: instead(hostLine, hostLine+` proxy_cookie_path / "/; Domain=example.org";`)},
	{what: "that changes the cookie's flags", check: "cookie", found: "SameSite=None instead of SameSite=Lax",
		changes: instead(hostLine, hostLine+" proxy_cookie_flags ~ samesite=none;")},
	{what: "that lets scripts read the cookie", check: "cookie", found: "HttpOnly is missing",
		changes: instead(hostLine, hostLine+" proxy_cookie_flags ~ nohttponly;")},
	{what: "that caches errors", check: "errors are not stored", found: "errors are cached",
		changes: cached("proxy_cache_key $uri; proxy_cache_methods GET HEAD POST; proxy_cache_valid 400 403 404 405 415 10m; proxy_ignore_headers Cache-Control;")},
	{what: "that caches what was stored for a key", check: "reset", found: "still answered as known",
		changes: cached("proxy_cache_methods POST; proxy_cache_key $uri$http_cookie$request_body; proxy_cache_valid 204 10m; proxy_ignore_headers Set-Cookie Cache-Control;")},
	{what: "that does not pass the Host", check: "origin and host", found: "Host does not arrive",
		changes: instead(hostLine, "")},
	{what: "that does not pass the Origin", check: "origin and host", found: "Origin does not arrive",
		changes: instead(hostLine, hostLine+` proxy_set_header Origin "";`)},
	{what: "that makes a GET of every request", check: "mint", found: "405",
		changes: instead(hostLine, hostLine+" proxy_method GET;")},
	{what: "that does not pass bodies", check: "mint", found: "did not arrive",
		changes: instead(hostLine, hostLine+` proxy_pass_request_body off; proxy_set_header Content-Length "";`)},
	{what: "that redirects", check: "mint", found: "redirected",
		changes: instead("proxy_pass", "return 301 https://www.example.org$request_uri; proxy_pass")},
	{what: "that takes small bodies only", check: "body", found: "63 KiB is answered 413",
		changes: instead("client_max_body_size 128k;", "client_max_body_size 16k;")},
	{what: "that takes few cookies", check: "foreign cookies", found: "answered 400",
		changes: instead("large_client_header_buffers 4 32k;", "")},
	{what: "that lets browsers cache", check: "no store", found: "Cache-Control is",
		changes: instead(hostLine, hostLine+" proxy_hide_header Cache-Control; expires 10m;")},
	{what: "that tells of hits", check: "no cache hit", found: "X-Cache: HIT",
		changes: instead(hostLine, hostLine+` add_header X-Cache "HIT, MISS" always;`)},
	{what: "that greets people in an answer", check: "read nothing", found: "tells two visitors apart",
		changes: instead(hostLine, hostLine+` add_header X-Visitor $cookie_bwlai_vk always;`)},
	{what: "that leads to the private interface", check: "private interface", found: "can be reached",
		changes: instead("location ~", "location ^~ /v1/leads { proxy_pass http://ADMIN; } location ~")},
}

// nginx runs all variants in one process, each on an address and a cache of its own.
func nginx(at service, variants []variant) (listen []string) {
	GinkgoHelper()
	binary, folder := program("nginx", "nginx"), workshop()
	listen = kept(variants)
	var sites strings.Builder
	for i, v := range variants {
		name := fmt.Sprintf("cache%d", i)
		fmt.Fprintf(&sites, "proxy_cache_path %s/%s keys_zone=%s:1m;\n", folder, name, name)
		text := v.written("nginx.conf", listen[i], host(at.Public))
		sites.WriteString(strings.NewReplacer("CACHE", name, "ADMIN", host(at.Admin)).Replace(text))
	}
	config := write(folder, "nginx.conf", fmt.Sprintf(`
		daemon off; worker_processes 1; pid %[1]s/pid; error_log stderr error;
		events { worker_connections 512; }
		http {
			access_log off;
			client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
			fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
			%[2]s
		}`, folder, sites.String()))
	expectServed(proxy(folder, binary, "-c", config, "-p", folder, "-e", "stderr"), listen[0])
	return listen
}

var _ = Describe("A deploy behind nginx", Ordered, ContinueOnFailure, func() {
	var listen []string

	BeforeAll(func() {
		listen = nginx(startService(nil), nginxVariants)
	})

	for i, v := range nginxVariants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			expectTold(verifying(ctx, Options{URL: "http://" + listen[i]}), v)
		})
	}
})

var _ = Describe("A deploy whose edge is compared with its origin", Ordered, ContinueOnFailure, func() {
	var at service
	var listen []string
	variants := []variant{
		{what: "right"},
		{what: "stripping Set-Cookie", changes: instead(hostLine, hostLine+" proxy_hide_header Set-Cookie;"), check: "edge and origin", found: "Set-Cookie is stripped at the edge"},
		{what: "changing it", changes: instead(hostLine, hostLine+" proxy_cookie_path / /shop/;"), check: "edge and origin", found: "Set-Cookie is changed at the edge"},
		{what: "writing its own Cache-Control", changes: instead(hostLine, hostLine+" proxy_hide_header Cache-Control; add_header Cache-Control no-store always;"), check: "edge and origin", found: "Cache-Control"},
		{what: "keeping Sec-GPC back", changes: instead(hostLine, hostLine+` proxy_set_header Sec-GPC "";`), check: "Sec-GPC", found: "the origin answers it 200, the edge 201"},
	}

	BeforeAll(func() {
		at = startService(func(c *app.Config) { c.RespectGPC = true })
		listen = nginx(at, variants)
	})

	for i, v := range variants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			report := verifying(ctx, Options{URL: "http://" + listen[i], Origin: at.Public})
			expectTold(report, v)
			if v.changes == nil {
				Expect(of(report, "Sec-GPC").Verdict).To(Equal(Safe))
				Expect(of(report, "edge and origin").Verdict).To(Equal(Safe))
			}
		})
	}
})
