package httpapi

import (
	"log/slog"
	"net/http"

	"continuity/ports/capture"
)

// Public is what the public interface needs.
type Public struct {
	Capture    *capture.Service
	Cookie     Cookie
	Origins    Origins
	RespectGPC bool // R16
	Log        *slog.Logger
	// Pages answers GET requests for paths that are not ours; nil for none.
	Pages http.Handler
}

// Handler is the public interface (§5).
func (p Public) Handler() http.Handler {
	api := captureAPI{service: p.Capture, cookie: p.Cookie, respectGPC: p.RespectGPC}
	router := newRouter()
	router.Handle("/v1/append", p.write(api.append))
	router.Handle("/v1/submissions", p.write(api.submit))
	router.Handle("/v1/reset", p.write(api.reset))
	if p.Pages != nil {
		router.PathPrefix("/v1/").Handler(router.NotFoundHandler)
		router.PathPrefix("/").Handler(verbs{http.MethodGet: p.Pages})
	}
	return watch(p.Log, router)
}

// write is a path that pages of accepted origins may POST to.
func (p Public) write(h handler) http.Handler {
	return verbs{
		http.MethodPost:    p.Origins.guard(h),
		http.MethodOptions: p.Origins.guard(handler(options)),
	}
}

func options(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Allow", "OPTIONS, POST")
	return respond(w, http.StatusNoContent, nil)
}
