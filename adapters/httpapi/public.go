package httpapi

import (
	"log/slog"
	"net/http"

	"continuity/domain/handoff"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
	"continuity/ports/scanning"
)

// Public is what the public interface needs.
type Public struct {
	Capture  *capture.Service
	Handoffs *handingoff.Service
	Scanning *scanning.Service
	Cookie   Cookie
	Origins  Origins
	// Destinations are those whose pages may claim.
	Destinations []handoff.Destination
	RespectGPC   bool // R16
	// ClientIP tells from where a scan comes; nil: the peer.
	ClientIP ClientIP
	Log      *slog.Logger
	// Client serves the client's files, each under its own path.
	Client map[string]http.Handler
	// Pages are served beside the interface, each under its own path.
	Pages map[string]http.Handler
}

// Handler is the public interface (§5).
func (p Public) Handler() http.Handler {
	api := captureAPI{service: p.Capture, cookie: p.Cookie, respectGPC: p.RespectGPC}
	router := newRouter()
	router.Handle("/v1/append", p.write(api.append))
	router.Handle("/v1/submissions", p.write(api.submit))
	router.Handle("/v1/reset", p.write(api.reset))
	handoffs := handoffAPI{service: p.Handoffs, cookie: p.Cookie, respectGPC: p.RespectGPC}
	router.Handle("/v1/handoffs", p.write(handoffs.mint))
	router.Handle("/v1/handoffs/claim", posts(newDestinations(p.Destinations).guard, handoffs.claim))
	scans := p.scanning()
	router.Handle("/t/{tree:(?s:.*)}", verbs{http.MethodGet: http.HandlerFunc(scans.page)})
	router.Handle("/v1/trees/{tree}/scans", p.write(scans.report))
	for path, file := range p.Client {
		router.Handle(path, verbs{http.MethodGet: file})
	}
	for path, page := range p.Pages {
		router.Handle(path, page)
	}
	return watch(p.Log, router)
}

// write is a path that pages of accepted origins may POST to.
func (p Public) write(h handler) http.Handler { return posts(p.Origins.guard, h) }

// posts is a path that may be POSTed to from where the guard lets through.
func posts(guard func(http.Handler) http.Handler, h handler) http.Handler {
	return verbs{
		http.MethodPost:    guard(h),
		http.MethodOptions: guard(handler(options)),
	}
}

func options(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Allow", "OPTIONS, POST")
	return respond(w, http.StatusNoContent, nil)
}
