package verify

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/ginkgo/v2/dsl/table"
	. "github.com/onsi/gomega"
)

// limited stands before a service and lets an address create so often, and no more. The
// address is the one that a header claims; that of the peer where none is believed.
func limited(origin string, most int, believed string, change func(http.Header)) string {
	GinkgoHelper()
	target, err := url.Parse(origin)
	Expect(err).NotTo(HaveOccurred())
	pass := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }}
	var mu sync.Mutex
	counts := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/handoffs" || r.Header.Get("Cookie") != "" || r.Method != http.MethodPost {
			pass.ServeHTTP(w, r)
			return
		}
		peer, _, _ := net.SplitHostPort(r.RemoteAddr)
		mu.Lock()
		client := cmp.Or(r.Header.Get(believed), peer)
		counts[client]++
		enough := counts[client] > most
		mu.Unlock()
		if !enough {
			pass.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Retry-After", "30")
		w.Header().Set("Cache-Control", "private, no-store")
		change(w.Header())
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	DeferCleanup(server.Close)
	return server.URL
}

func unchanged(http.Header) {}

var _ = Describe("The client's address", Ordered, func() {
	const most = 20
	var at service

	BeforeAll(func() { at = startService(nil) })

	It("is safe where nothing that a client says of itself is believed", func(ctx SpecContext) {
		report := verifying(ctx, Options{URL: limited(at.Public, most, "X-None", unchanged), Flood: 40, From: "127.0.0.1"})
		Expect(report.Verdict).To(Equal(Safe), told(report))
		Expect(of(report, "client address").Verdict).To(Equal(Safe), told(report))
		Expect(of(report, "429").Verdict).To(Equal(Safe), told(report))
	})

	DescribeTable("is unsafe where a header is believed",
		func(ctx SpecContext, name string) {
			report := verifying(ctx, Options{URL: limited(at.Public, most, name, unchanged), Flood: 40, From: "127.0.0.1"})
			expectUnsafe(report, "client address", "a forged "+name+" is believed")
		},
		Entry("of proxies", "X-Forwarded-For"),
		Entry("of nginx", "X-Real-IP"),
		Entry("of Cloudflare", "CF-Connecting-IP"),
		Entry("of the standard", "Forwarded"),
	)

	It("is not judged from loopback, where this machine may be the proxy", func(ctx SpecContext) {
		report := verifying(ctx, Options{URL: limited(at.Public, most, "X-Forwarded-For", unchanged), Flood: 40})
		Expect(of(report, "client address").Verdict).To(Equal(Skipped), told(report))
		Expect(of(report, "client address").Found).To(ContainSubstring("trusted proxy itself"))
	})

	It("is not judged where no limit is met", func(ctx SpecContext) {
		report := verifying(ctx, Options{URL: limited(at.Public, 1000, "X-Forwarded-For", unchanged), Flood: 10})
		Expect(of(report, "client address").Found).To(ContainSubstring("no limit was met within 10 creations"))
		Expect(report.Verdict).To(Equal(Safe), told(report))
	})

	DescribeTable("is told with a 429 that is right, or else",
		func(ctx SpecContext, found string, change func(http.Header)) {
			report := verifying(ctx, Options{URL: limited(at.Public, most, "X-None", change), Flood: 40})
			expectUnsafe(report, "429", found)
		},
		Entry("it names no time", "no Retry-After", func(h http.Header) { h.Del("Retry-After") }),
		Entry("it may be stored", "may be stored", func(h http.Header) { h.Set("Cache-Control", "max-age=60") }),
		Entry("it sets a key", "sets bwlai_vk", func(h http.Header) { h.Set("Set-Cookie", "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA; Max-Age=34560000") }),
	)

	It("may be limited already, which ends the patience and nothing else", func(ctx SpecContext) {
		report, err := Run(ctx, Options{URL: limited(at.Public, 0, "X-None", unchanged), Patience: 1})
		Expect(err).NotTo(HaveOccurred())
		Expect(report.Verdict).To(Equal(Unknown), told(report))
		Expect(of(report, "mint").Found).To(ContainSubstring("try again in a minute"))
	})
})

var _ = Describe("A verification", Ordered, func() {
	var at service

	BeforeAll(func() { at = startService(nil) })

	It("leaves no key behind that anybody could append under", func(ctx SpecContext) {
		var mu sync.Mutex
		keys := map[string]bool{}
		url := edge(at.Public, func(r *http.Response) {
			mu.Lock()
			defer mu.Unlock()
			if key := (answer{header: r.Header}).key("bwlai_vk"); key != "" {
				keys[key] = true
			}
		})
		Expect(verifying(ctx, Options{URL: url}).Verdict).To(Equal(Safe))
		Expect(len(keys)).To(BeNumerically(">", strangers))
		w := newWire(Options{URL: at.Public}, at.Public)
		defer w.close()
		for key := range keys {
			a, err := w.ask(ctx, beacon().as("bwlai_vk="+key))
			Expect(err).NotTo(HaveOccurred())
			Expect(a.status).To(Equal(http.StatusOK), "a dead key is answered as none")
		}
	})

	It("never touches a key that may be somebody's", func(ctx SpecContext) {
		var mu sync.Mutex
		sent := map[string]bool{}
		shared := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			sent[r.Header.Get("Cookie")] = true
			mu.Unlock()
			w.Header().Set("Set-Cookie", "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax")
			w.WriteHeader(http.StatusCreated)
			_, _ = w.Write([]byte(`{"token":"t","expires_at":"2026-12-01T00:00:00.000Z"}`))
		}))
		DeferCleanup(shared.Close)
		expectUnsafe(verifying(ctx, Options{URL: shared.URL, Flood: 5, Origin: shared.URL}), "two visitors, two keys", "one key")
		Expect(sent).To(HaveLen(1), "no cookie was ever sent")
	})

	It("cannot tell of a deploy that it cannot reach", func(ctx SpecContext) {
		report := verifying(ctx, Options{URL: "http://" + freeAddress()})
		Expect(report.Verdict).To(Equal(Unknown))
	})

	It("cannot tell of another service, nor of one that recognises nobody", func(ctx SpecContext) {
		other := httptest.NewServer(http.NotFoundHandler())
		DeferCleanup(other.Close)
		report := verifying(ctx, Options{URL: other.URL})
		Expect(of(report, "mint").Found).To(ContainSubstring("is this Continuity?"))
		Expect(report.Verdict).NotTo(Equal(Safe))
		gpc := edge(at.Public, func(r *http.Response) {
			if r.StatusCode == http.StatusCreated {
				r.StatusCode, r.Body, r.ContentLength = http.StatusOK, http.NoBody, 0
				r.Header = http.Header{"Cache-Control": {"private, no-store"}}
			}
		})
		Expect(verifying(ctx, Options{URL: gpc}).Verdict).To(Equal(Unknown))
	})

	It("is a watch until it is stopped, and ends with the worst it saw", func(ctx SpecContext) {
		watching, stop := context.WithCancel(ctx)
		defer stop()
		seen := 0
		verdict, err := Watch(watching, Options{URL: at.Public, Flood: 100}, 1, func(r Report) error {
			Expect(of(r, "client address").Verdict).To(Equal(Skipped))
			if seen++; seen == 3 {
				stop()
			}
			return nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(seen).To(Equal(3))
		Expect(verdict).To(Equal(Safe))
		bad := edge(at.Public, func(r *http.Response) {
			if seen == 3 {
				r.Header.Del("Set-Cookie")
			}
		})
		watching, stop = context.WithCancel(ctx)
		defer stop()
		verdict, err = Watch(watching, Options{URL: bad}, 1, func(Report) error {
			if seen++; seen == 5 {
				stop()
			}
			return nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(verdict).To(Equal(Unsafe), "the first round was, and the second one was not")
	})

	It("says which setting respects Sec-GPC", func(ctx SpecContext) {
		Expect(of(verifying(ctx, Options{URL: at.Public}), "Sec-GPC").Verdict).To(Equal(Skipped))
		expectUnsafe(verifying(ctx, Options{URL: at.Public, GPC: true}), "Sec-GPC", "does not arrive")
	})

	DescribeTable("refuses options that make no sense",
		func(o Options, names string) { Expect(o.Check()).To(MatchError(ContainSubstring(names))) },
		Entry("no address", Options{}, "url"),
		Entry("another scheme", Options{URL: "ftp://www.example.org"}, "url"),
		Entry("an origin that is none", Options{URL: "https://www.example.org", Origin: "localhost"}, "origin"),
		Entry("a page that is none", Options{URL: "https://www.example.org", Page: "/contact"}, "page"),
		Entry("less than nothing", Options{URL: "https://www.example.org", Flood: -1}, "negative"),
		Entry("a name to ask from", Options{URL: "https://www.example.org", From: "eth0"}, "from"),
		Entry("a resolver without a port", Options{URL: "https://www.example.org", Resolver: "192.0.2.53"}, "resolver"),
		Entry("a path for a tree", Options{URL: "https://www.example.org", Tree: "/t/oak"}, "tree"),
	)
})
