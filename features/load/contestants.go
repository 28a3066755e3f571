package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"continuity/adapters/httpapi"
	"continuity/cmd/app"
)

// floor answers 204 to whatever can be decoded, and keeps nothing.
type floor struct {
	Listen string `arg:""`
}

// Run serves until it is told to stop.
func (f floor) Run(ctx context.Context) error {
	router := mux.NewRouter().SkipClean(true)
	empty := func(w http.ResponseWriter, r *http.Request) {
		if _, err := httpapi.DecodeBeacon(w, r); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
	router.HandleFunc("/v1/append", empty)
	router.HandleFunc("/v1/submissions", empty)
	listener, err := net.Listen("tcp", f.Listen)
	if err != nil {
		return err
	}
	server := httpapi.NewServer(router, slog.New(slog.DiscardHandler))
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// direct is the service with a transaction for every request.
type direct struct{}

// Run serves until it is told to stop.
func (direct) Run(ctx context.Context) error {
	config, err := app.Load()
	if err != nil {
		return err
	}
	service, err := app.Open(ctx, config, app.Deps{Direct: true})
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }()
	return service.Serve(ctx, nil)
}

// startPatience bounds the start of a contestant on a big database.
const startPatience = 2 * time.Minute
