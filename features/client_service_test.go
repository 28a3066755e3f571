package features_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
	"continuity/features/world"
)

var _ = Describe("The client at a real service", func() {
	eachBuild(func(build string) {
		It("brings a journey to its lead, and the return visit after it", func() {
			if build == client.Loader && client.Hashed(client.WASM) == client.WASM {
				Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs capture.wasm: go run ./cmd/bundle -wasm")
				Skip("capture.wasm is not built: go run ./cmd/bundle -wasm")
			}
			config := world.Config("SQLite")
			config.CookieInsecureLoopback = true
			a := world.Open(config, nil)
			owner := world.Listen(a)
			pages := &site{build: build, head: map[string]string{}, heads: map[string]string{}, body: map[string]string{
				"/contact": strings.Replace(contactForm, "ana@", "ana-browser@", 1),
			}}
			mux := http.NewServeMux()
			mux.Handle("/v1/", a.Public)
			for path, file := range client.Routes() {
				mux.Handle(path, file)
			}
			mux.HandleFunc("/", pages.page)
			server := httptest.NewServer(mux)
			DeferCleanup(func() {
				server.CloseClientConnections()
				server.Close()
			})

			v := newVisitor()
			first := v.tab()
			first.open(server.URL + "/read?utm_source=tree")
			first.leave()
			first.close()
			Expect(v.key()).To(BeEmpty(), "reading makes no device")
			second := v.tab()
			second.open(server.URL + "/contact")
			second.click("button")
			Eventually(v.key).ShouldNot(BeEmpty())
			key := v.key()
			Eventually(pages.visits).Should(ContainElement(HavePrefix("/thanks")))
			second.close()
			third := v.tab()
			third.open(server.URL + "/return")
			third.leave()

			journey := func() []string {
				var steps []string
				lead, found := owner.Find("ana-browser@example.org")
				if !found {
					return nil
				}
				for _, e := range owner.Journey(lead.ID) {
					steps = append(steps, e.Kind+" "+strings.TrimPrefix(e.URL, server.URL))
				}
				return steps
			}
			Eventually(journey).Should(ContainElements(
				"page_view /read?utm_source=tree", "page_view /contact", "form_submit /contact", "page_view /return"))
			Expect(v.key()).To(Equal(key))
		})
	})
})
