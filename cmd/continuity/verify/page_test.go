package verify

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/decorators"
	. "github.com/onsi/ginkgo/v2/dsl/table"
	. "github.com/onsi/gomega"
)

// edge passes requests on to a service as they came, and changes its answers.
func edge(origin string, change func(*http.Response)) string {
	GinkgoHelper()
	target, err := url.Parse(origin)
	Expect(err).NotTo(HaveOccurred())
	pass := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host },
		ModifyResponse: func(r *http.Response) error {
			change(r)
			return nil
		},
	}
	server := httptest.NewServer(pass)
	DeferCleanup(server.Close)
	return server.URL
}

var _ = Describe("The page that embeds the client", Ordered, func() {
	var at service

	BeforeAll(func() { at = startService(nil) })

	// site is a site's own page, which names the service's client.
	site := func(write http.HandlerFunc) string {
		server := httptest.NewServer(write)
		DeferCleanup(server.Close)
		return server.URL + "/contact"
	}
	embed := func(w http.ResponseWriter, more string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Contact</title><script defer src="%s/capture.js"></script>%s`, at.Public, more)
	}

	It("carries nothing of a visitor, and lets the client connect", func(ctx SpecContext) {
		page := site(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src "+at.Public+"; connect-src "+at.Public)
			embed(w, "")
		})
		report := verifying(ctx, Options{URL: at.Public, Page: page})
		Expect(report.Verdict).To(Equal(Safe), told(report))
		for _, check := range []string{"page", "page policy", "Safari"} {
			Expect(of(report, check).Verdict).To(Equal(Safe), told(report))
		}
	})

	It("may be behind a redirect", func(ctx SpecContext) {
		page := site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/contact" {
				http.Redirect(w, r, "/en/contact", http.StatusFound)
				return
			}
			embed(w, "")
		})
		Expect(of(verifying(ctx, Options{URL: at.Public, Page: page}), "page").Verdict).To(Equal(Safe))
	})

	DescribeTable("is unsafe",
		func(ctx SpecContext, check, found string, write func(w http.ResponseWriter, r *http.Request)) {
			page := site(func(w http.ResponseWriter, r *http.Request) { write(w, r) })
			expectUnsafe(verifying(ctx, Options{URL: at.Public, Page: page}), check, found)
		},
		Entry("with a key in it", "page", "repeats the visitor's key", func(w http.ResponseWriter, r *http.Request) {
			key := ""
			if c, err := r.Cookie("bwlai_vk"); err == nil {
				key = c.Value
			}
			embed(w, `<input type="hidden" name="visitor_key" value="`+key+`">`)
		}),
		Entry("with a cookie", "page", "sets bwlai_vk", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA")
			embed(w, "")
		}),
		Entry("with somebody's consent", "page", "constant", func(w http.ResponseWriter, _ *http.Request) {
			embed(w, `<script>continuity.allowed = true;</script>`)
		}),
		Entry("with a policy that forbids the requests", "page policy", "does not let it connect", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "connect-src 'self'")
			embed(w, "")
		}),
		Entry("with such a policy in its head", "page policy", "does not let it connect", func(w http.ResponseWriter, _ *http.Request) {
			embed(w, `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`)
		}),
		Entry("with a policy that forbids the script", "page policy", "does not let it run", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "script-src 'self'")
			embed(w, "")
		}),
	)

	It("cannot be told of when it embeds none", func(ctx SpecContext) {
		page := site(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<title>Contact</title>") })
		report := verifying(ctx, Options{URL: at.Public, Page: page})
		Expect(of(report, "page").Verdict).To(Equal(Unknown))
		Expect(report.Verdict).To(Equal(Unknown))
	})

	It("may ask the browser for consent by a function", func(ctx SpecContext) {
		page := site(func(w http.ResponseWriter, _ *http.Request) {
			embed(w, `<script>continuity.allowed = () => ask();</script>`)
		})
		Expect(of(verifying(ctx, Options{URL: at.Public, Page: page}), "page").Verdict).To(Equal(Safe))
	})

	It("finds the client's files right where they are served", func(ctx SpecContext) {
		Expect(of(verifying(ctx, Options{URL: at.Public}), "client files").Verdict).To(Equal(Safe))
	})

	DescribeTable("finds them spoiled",
		func(ctx SpecContext, found string, change func(header http.Header)) {
			url := edge(at.Public, func(r *http.Response) {
				if strings.HasPrefix(r.Request.URL.Path, "/capture") {
					change(r.Header)
				}
			})
			expectUnsafe(verifying(ctx, Options{URL: url}), "client files", found)
		},
		Entry("as another type", "not as JavaScript", func(h http.Header) { h.Set("Content-Type", "text/plain") }),
		Entry("not cacheable", "cannot be cached", func(h http.Header) { h.Set("Cache-Control", "no-store") }),
		Entry("without their hash", "no ETag", func(h http.Header) { h.Del("ETag") }),
		Entry("with a cookie", "sets a cookie", func(h http.Header) { h.Set("Set-Cookie", "session=1") }),
		Entry("in a coding that was not asked for", "Vary is lost", func(h http.Header) { h.Set("Content-Encoding", "br") }),
	)

	It("finds WebAssembly under a wrong type", func() {
		f, ok := (&inspection{}).judgeFile("/capture.wasm", answer{status: http.StatusOK, body: wasmMagic, header: http.Header{"Content-Type": {"application/octet-stream"}}})
		Expect(ok).To(BeFalse())
		Expect(f.found).To(ContainSubstring("application/wasm"))
	})
})
