package httpapi

import (
	"context"
	"net/http"

	"github.com/rs/cors"

	"continuity/domain/handoff"
)

// destinations are the origins whose pages may claim, each with its destination.
type destinations map[string]handoff.Destination

func newDestinations(list []handoff.Destination) destinations {
	origins := destinations{}
	for _, destination := range list {
		for _, origin := range destination.Origins() {
			origins[origin] = destination
		}
	}
	return origins
}

type destinationKey struct{}

// guard lets through what comes from a page of a destination, and answers so that
// the page may know whether it was accepted. Credentials are never invited.
func (d destinations) guard(next http.Handler) http.Handler {
	shared := cors.New(cors.Options{
		AllowOriginFunc: func(origin string) bool { _, ok := d.of(origin); return ok },
		AllowedMethods:  []string{http.MethodPost},
		AllowedHeaders:  []string{"Content-Type"},
		MaxAge:          preflightAge,
	}).Handler(next)
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", neverCached)
		sent := r.Header["Origin"]
		if len(sent) == 1 {
			if at, ok := d.of(sent[0]); ok {
				shared.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), destinationKey{}, at)))
				return nil
			}
		}
		w.Header().Set("Vary", "Origin")
		return errForeign
	})
}

func (d destinations) of(origin string) (handoff.Destination, bool) {
	normal, ok := normalOrigin(origin)
	if !ok {
		return "", false
	}
	at, ok := d[normal]
	return at, ok
}

// destination is the one whose page a guarded request comes from.
func destination(r *http.Request) handoff.Destination {
	at, _ := r.Context().Value(destinationKey{}).(handoff.Destination)
	return at
}
