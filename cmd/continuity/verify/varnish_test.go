package verify

import (
	"fmt"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
)

// posts is the recipe by which people make Varnish keep answers to POST: it is looked
// up like a GET, and sent on as what it was.
func posts(response string) func(string) string {
	return func(text string) string {
		return instead("return (pass);", `std.cache_req_body(128KB); set req.http.X-Method = req.method; return (hash);`)(
			strings.Replace(text, "vcl 4.1;", "vcl 4.1; import std;", 1)) + `
			sub vcl_hash { hash_data(req.url); hash_data(req.http.X-Method); return (lookup); }
			sub vcl_backend_fetch { set bereq.method = bereq.http.X-Method; unset bereq.http.X-Method; return (fetch); }
			sub vcl_backend_response { ` + response + ` return (deliver); }`
	}
}

func adding(text string) func(string) string {
	return func(whole string) string { return whole + text }
}

var varnishVariants = []variant{
	{what: "as it ships"},
	{what: "whose VCL caches POST", check: "two visitors, two keys", found: "one key",
		changes: posts("set beresp.ttl = 10m; set beresp.uncacheable = false;")},
	{what: "whose VCL caches POST and strips Set-Cookie", check: "two visitors, two keys", found: "cached",
		changes: posts("unset beresp.http.Set-Cookie; set beresp.ttl = 10m;")},
	{what: "whose VCL caches errors", check: "errors are not stored", found: "errors are cached",
		changes: posts("if (beresp.status >= 400) { set beresp.ttl = 10m; } else { set beresp.uncacheable = true; }")},
	{what: "that strips Set-Cookie", check: "cookie", found: "Set-Cookie is stripped",
		changes: adding("sub vcl_deliver { unset resp.http.Set-Cookie; }")},
	{what: "that forwards no cookies", check: "key comes back", found: "given another one",
		changes: instead("return (pass);", "unset req.http.Cookie; return (pass);")},
	{what: "that rewrites the Host", check: "origin and host", found: "Host does not arrive",
		changes: instead("return (pass);", `set req.http.Host = "origin.example.org"; return (pass);`)},
	{what: "that rewrites the cookie's Domain", check: "cookie", found: "Domain=example.org was added",
		changes: adding(`sub vcl_deliver { set resp.http.Set-Cookie = regsub(resp.http.Set-Cookie, "Path=/", "Path=/; Domain=example.org"); }`)},
	{what: "that keeps errors of a GET", check: "no cache hit", found: "answered by a cache",
		changes: func(text string) string {
			return instead("return (pass);", `if (req.method == "GET" || req.method == "HEAD") { unset req.http.Cookie; return (hash); } return (pass);`)(text) +
				"sub vcl_backend_response { set beresp.ttl = 10m; set beresp.grace = 10m; return (deliver); }"
		}},
}

// varnish runs all variants in one process: each is a VCL of its own, and the address
// that a request came to says which one is meant.
func varnish(at service, variants []variant) (listen []string) {
	GinkgoHelper()
	binary, folder := program("varnishd", "varnish"), workshop()
	listen = kept(variants)
	var commands, way strings.Builder
	arguments := []string{binary, "-F", "-j", "none", "-n", filepath.Join(folder, "varnish"), "-f", "", "-T", "none", "-s", "malloc,64m",
		"-p", "http_req_hdr_len=32k", "-p", "http_req_size=64k", "-p", "workspace_client=128k", "-p", "workspace_backend=128k",
		"-p", "cc_command=cc -O0 -fpic -shared -w -o %o %s", "-p", "thread_pool_min=5", "-p", "thread_pools=1"}
	way.WriteString("vcl 4.1; backend default none; sub vcl_recv {\n")
	for i, v := range variants {
		file := write(folder, fmt.Sprintf("v%d.vcl", i), v.written("varnish.vcl", listen[i], host(at.Public)))
		fmt.Fprintf(&commands, "vcl.load v%d %s\nvcl.label l%d v%d\n", i, file, i, i)
		fmt.Fprintf(&way, "if (local.socket == \"a%d\") { return (vcl(l%d)); }\n", i, i)
		arguments = append(arguments, "-a", fmt.Sprintf("a%d=%s", i, listen[i]))
	}
	way.WriteString("return (synth(500)); }\n")
	fmt.Fprintf(&commands, "vcl.load way %s\nvcl.use way\nstart\n", write(folder, "way.vcl", way.String()))
	arguments = append(arguments, "-I", write(folder, "commands", commands.String()))
	expectServed(proxy(folder, arguments...), listen[0])
	return listen
}

var _ = Describe("A deploy behind Varnish", Ordered, ContinueOnFailure, func() {
	var listen []string

	BeforeAll(func() { listen = varnish(startService(nil), varnishVariants) })

	for i, v := range varnishVariants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			expectTold(verifying(ctx, Options{URL: "http://" + listen[i]}), v)
		})
	}
})
