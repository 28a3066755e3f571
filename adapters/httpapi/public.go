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
	// AnonymousAnchors says that an append may create a device (R1).
	AnonymousAnchors bool
	RespectGPC       bool // R16
	Proxies          Proxies
	Limits           Limits
	Log              *slog.Logger
	// Client serves the client's files, each under its own path.
	Client map[string]http.Handler
	// Pages are served beside the interface, each under its own path.
	Pages map[string]http.Handler
}

// Handler is the public interface (§5).
func (p Public) Handler() http.Handler {
	limits := newLimiting(p.Limits, p.Cookie)
	api := captureAPI{service: p.Capture, cookie: p.Cookie, limits: limits, anonymous: p.AnonymousAnchors, respectGPC: p.RespectGPC}
	router := newRouter()
	router.Handle("/v1/append", p.write(limits.calls(api.append)))
	router.Handle("/v1/submissions", p.write(limits.calls(api.submit)))
	router.Handle("/v1/reset", p.write(limits.calls(api.reset)))
	handoffs := handoffAPI{service: p.Handoffs, cookie: p.Cookie, limits: limits, respectGPC: p.RespectGPC}
	router.Handle("/v1/handoffs", p.write(limits.calls(handoffs.mint)))
	router.Handle("/v1/handoffs/claim", posts(newDestinations(p.Destinations).guard, limits.clients(handoffs.claim)))
	scans := p.scanning(limits)
	router.Handle("/t/{tree:(?s:.*)}", verbs{http.MethodGet: http.HandlerFunc(scans.page)})
	router.Handle("/v1/trees/{tree}/scans", p.write(scans.report))
	for path, file := range p.Client {
		router.Handle(path, verbs{http.MethodGet: file})
	}
	for path, page := range p.Pages {
		router.Handle(path, page)
	}
	return watch(p.Log, p.Proxies, router)
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
