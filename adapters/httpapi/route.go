package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"continuity/domain/fault"
)

// handler answers a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		refuse(w, err)
	}
}

// verbs are the methods of one path. It stands in for the router's own method
// matching, which tells no Allow.
type verbs map[string]http.Handler

func (v verbs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead && v[method] == nil {
		method = http.MethodGet
	}
	if h := v[method]; h != nil {
		h.ServeHTTP(w, r)
		return
	}
	allowed := slices.Sorted(maps.Keys(v))
	if v[http.MethodGet] != nil {
		allowed = append(allowed, http.MethodHead)
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	refuse(w, fault.New(fault.NotAllowed, "", "this path does not know that method"))
}

// newRouter answers what no route matches in our own words, and tells the
// exchange which route did. Paths are not cleaned: a redirect would lose a body.
func newRouter() *mux.Router {
	router := mux.NewRouter().SkipClean(true)
	router.NotFoundHandler = handler(func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.NotFound, "", "no such path")
	})
	router.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if x, ok := w.(*exchange); ok {
				x.route, _ = mux.CurrentRoute(r).GetPathTemplate()
			}
			next.ServeHTTP(w, r)
		})
	})
	return router
}
