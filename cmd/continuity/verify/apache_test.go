package verify

import (
	"fmt"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/gomega"
)

// before puts directives in front of the way to the service.
func before(directives string) func(string) string {
	return instead("    ProxyPassMatch", "    "+directives+"\n    ProxyPassMatch")
}

// apacheCache keeps whatever it is given, for everybody.
const apacheCache = "CacheEnable disk /\n CacheIgnoreCacheControl On\n CacheIgnoreNoLastMod On\n CacheStoreNoStore On\n CacheStorePrivate On\n CacheDefaultExpire 600\n CacheHeader on"

var apacheVariants = []variant{
	{what: "as it ships"},
	{what: "that strips Set-Cookie", check: "cookie", found: "Set-Cookie is stripped",
		changes: before("Header unset Set-Cookie")},
	{what: "that forwards no cookies", check: "key comes back", found: "given another one",
		changes: before("RequestHeader unset Cookie")},
	{what: "that does not preserve the Host", check: "origin and host", found: "Host does not arrive",
		changes: instead("ProxyPreserveHost On", "ProxyPreserveHost Off")},
	{what: "that rewrites the cookie's Path", check: "cookie", found: "Path=/shop instead of Path=/",
		changes: before("ProxyPassReverseCookiePath / /shop")},
	{what: "that makes the cookie a third party's", check: "cookie", found: "SameSite=None instead of SameSite=Lax",
		changes: before("Header edit Set-Cookie SameSite=Lax SameSite=None")},
	{what: "that adds a second life to the cookie", check: "cookie", found: "Max-Age=604800 instead of Max-Age=34560000",
		changes: before("Header edit Set-Cookie Max-Age=34560000 Max-Age=604800")},
	{what: "that takes few cookies", check: "foreign cookies", found: "answered 400",
		changes: instead("LimitRequestFieldSize 32768", "LimitRequestFieldSize 8190")},
	{what: "that lets browsers cache", check: "no store", found: "Cache-Control is",
		changes: before(`Header always set Cache-Control "max-age=600"`)},
	{what: "that sends its cached errors to everybody", check: "no cache hit", found: "answered by a cache",
		changes: before(apacheCache + "\n ExpiresActive On\n Header always set Cache-Control \"public, max-age=600\"")},
}

// apache runs all variants in one process, a virtual host each.
func apache(at service, variants []variant) (listen []string) {
	GinkgoHelper()
	binary, folder := program("apache2", "apache2-bin"), workshop()
	listen = kept(variants)
	var hosts strings.Builder
	for i, v := range variants {
		cache := fmt.Sprintf("%s/cache%d", folder, i)
		Expect(os.Mkdir(cache, 0o777)).To(Succeed())
		Expect(os.Chmod(cache, 0o777)).To(Succeed()) //nolint:gosec // a folder of the specs' own
		text := v.written("apache.conf", listen[i], host(at.Public))
		hosts.WriteString(strings.Replace(text, "CacheEnable disk /", "CacheEnable disk /\n CacheRoot "+cache, 1))
	}
	modules := ""
	for _, name := range []string{"mpm_event", "authz_core", "proxy", "proxy_http", "headers", "expires", "cache", "cache_disk"} {
		modules += fmt.Sprintf("LoadModule %s_module /usr/lib/apache2/modules/mod_%s.so\n", name, name)
	}
	config := write(folder, "httpd.conf", fmt.Sprintf(`
ServerRoot %[1]s
ServerName 127.0.0.1
DefaultRuntimeDir %[1]s
PidFile %[1]s/pid
Mutex file:%[1]s
ErrorLog %[1]s/error.log
%[2]s
StartServers 1
ThreadsPerChild 16
MaxRequestWorkers 32
%[3]s`, folder, modules, hosts.String()))
	expectServed(proxy(folder, binary, "-f", config, "-DFOREGROUND"), listen[0])
	return listen
}

var _ = Describe("A deploy behind Apache httpd", Ordered, ContinueOnFailure, func() {
	var listen []string

	BeforeAll(func() { listen = apache(startService(nil), apacheVariants) })

	for i, v := range apacheVariants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			expectTold(verifying(ctx, Options{URL: "http://" + listen[i]}), v)
		})
	}
})
