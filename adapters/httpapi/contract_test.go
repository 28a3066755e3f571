package httpapi

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gorilla/mux"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// patterns are what a route's template says of a variable besides its name.
var patterns = regexp.MustCompile(`\{(\w+):.*\}`)

// offered are the paths of a router, with their methods.
func offered(router *mux.Router) (all []string) {
	GinkgoHelper()
	Expect(router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := route.GetPathTemplate()
		path = patterns.ReplaceAllString(path, "{$1}")
		if methods, ok := route.GetHandler().(verbs); ok {
			for method := range methods {
				all = append(all, method+" "+path)
			}
		}
		return err
	})).To(Succeed())
	return all
}

// documented are the paths of an interface in the document. What a GET may do a HEAD may.
func documented(document *openapi3.T, where string) (all []string) {
	GinkgoHelper()
	for path, item := range document.Paths.Map() {
		for _, one := range item.Extensions["x-interfaces"].([]any) {
			if one != where {
				continue
			}
			for method := range item.Operations() {
				if method != http.MethodHead && !(where == "private" && method == http.MethodOptions) {
					all = append(all, method+" "+path)
				}
			}
		}
	}
	return all
}

var _ = Describe("The contract", func() {
	It("names the routes of both interfaces, and no others", func() {
		loader := openapi3.NewLoader()
		document, err := loader.LoadFromData(OpenAPI())
		Expect(err).NotTo(HaveOccurred())
		Expect(document.Validate(context.Background(), openapi3.IsOpenAPI31OrLater())).To(Succeed())
		s := newSite()
		s.Client = map[string]http.Handler{}
		for _, path := range []string{"/capture.js", "/capture-wasm.js", "/capture.wasm"} {
			s.Client[path] = http.NotFoundHandler()
		}
		Expect(documented(document, "public")).To(ConsistOf(offered(s.router())))
		private := Private{Metrics: http.NotFoundHandler()}
		routes := offered(private.router())
		routes = append(routes, "GET /metrics")
		Expect(documented(document, "private")).To(ConsistOf(unique(routes)))
	})

	It("is served as it is", func() {
		w := (&site{}).sendTo(Private{Log: newSite().Log}.Handler(), http.MethodGet, "/openapi.yaml", "")
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Body.Bytes()).To(Equal(OpenAPI()))
		Expect(w.Header().Get("Content-Type")).To(Equal("application/yaml"))
	})
})

func unique(list []string) (once []string) {
	seen := map[string]bool{}
	for _, entry := range list {
		if !seen[entry] {
			once = append(once, strings.TrimSpace(entry))
		}
		seen[entry] = true
	}
	return once
}
