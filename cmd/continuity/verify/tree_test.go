package verify

import (
	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/gomega"
)

// treeChecks runs the checks of a tree's page and nothing else.
func treeChecks(ctx SpecContext, url, tree string) []Result {
	GinkgoHelper()
	o, err := Options{URL: url, Tree: tree}.complete()
	Expect(err).NotTo(HaveOccurred())
	in := &inspection{o: o, edge: newWire(o, o.URL), nonce: "spec"}
	defer in.edge.close()
	return []Result{in.run(ctx, check{"tree page", checkTree}), in.run(ctx, check{"tree prefetch", checkTreePrefetch})}
}

// forced is a cache that people force upon a whole site: of GET alone, as is usual.
const forced = "proxy_cache_valid any 10m; proxy_ignore_headers Set-Cookie Cache-Control Expires Vary; "

var treeVariants = []variant{
	{what: "as it ships"},
	{what: "whose cache is forced upon every page", check: "tree page", found: "one id", changes: cached(forced)},
	{what: "whose cache strips Set-Cookie", check: "tree page", found: "Set-Cookie is stripped", changes: cached(forced + "proxy_hide_header Set-Cookie;")},
	{what: "that forwards no cookies", check: "tree page", found: "another id", changes: instead(hostLine, hostLine+` proxy_set_header Cookie "";`)},
	{what: "that rewrites the cookie's Path", check: "tree page", found: "Path=/t/ instead of Path=/", changes: instead(hostLine, hostLine+" proxy_cookie_path / /t/;")},
	{what: "that turns a HEAD into a visit", check: "tree page", found: "a HEAD sets", changes: instead(hostLine, hostLine+" proxy_method GET;")},
	{what: "that does not pass Sec-Purpose", check: "tree prefetch", found: "Sec-Purpose does not arrive", changes: instead(hostLine, hostLine+` proxy_set_header Sec-Purpose "";`)},
	{what: "that caches errors", check: "tree prefetch", found: "errors are cached",
		changes: cached("proxy_cache_valid 503 10m; proxy_ignore_headers Cache-Control;")},
}

var _ = Describe("A tree's page behind nginx", Ordered, ContinueOnFailure, func() {
	var listen []string

	BeforeAll(func() {
		at := startService(nil)
		at.plant("verify")
		listen = nginx(at, treeVariants)
	})

	for i, v := range treeVariants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			results := treeChecks(ctx, "http://"+listen[i], "verify")
			expectTold(Report{Results: results, Verdict: conclude(results)}, v)
		})
	}

	It("belongs to a tree that there is", func(ctx SpecContext) {
		for _, result := range treeChecks(ctx, "http://"+listen[0], "nowhere") {
			Expect(result.Verdict).To(Equal(Unknown))
			Expect(result.Found).To(ContainSubstring("there is no tree"))
		}
	})

	It("shows a forced cache even without a tree, by its language", func(ctx SpecContext) {
		expectUnsafe(verifying(ctx, Options{URL: "http://" + listen[1]}), "errors are not stored", "language of who asked before")
	})
})

var _ = Describe("A tree's page behind Apache httpd", Ordered, ContinueOnFailure, func() {
	var listen []string
	variants := []variant{
		{what: "as it ships"},
		{what: "whose cache keeps what it must not", check: "tree page", found: "one id", changes: before(apacheCache)},
		{what: "whose cache leaves Set-Cookie out", check: "tree page", found: "Set-Cookie is stripped", changes: before(apacheCache + "\n CacheIgnoreHeaders Set-Cookie")},
	}

	BeforeAll(func() {
		at := startService(nil)
		at.plant("verify")
		listen = apache(at, variants)
	})

	for i, v := range variants {
		It("is told to be what it is: one "+v.what, func(ctx SpecContext) {
			results := treeChecks(ctx, "http://"+listen[i], "verify")
			expectTold(Report{Results: results, Verdict: conclude(results)}, v)
		})
	}
})
