package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"continuity/adapters/httpapi"
	"continuity/cmd/app/demo"
	"continuity/domain/handoff"
)

// grace is how long requests that were accepted may still take after a stop.
const grace = 20 * time.Second

// Addresses are where a service listens, as URLs that a browser on the same machine can open.
type Addresses struct {
	Public, Admin string
	Portal        string // of the demonstration; empty without one
}

// Serve listens on both interfaces until ctx ends, then finishes what it accepted
// and returns nil. It calls listening, unless that is nil, once both are bound:
// with port 0 in the settings nobody knows them before. It does not Close the App.
func (a *App) Serve(ctx context.Context, listening func(Addresses)) error {
	var listen net.ListenConfig
	public, err := listen.Listen(ctx, "tcp", a.config.Listen)
	if err != nil {
		return fmt.Errorf("listen for browsers: %w", err)
	}
	admin, err := listen.Listen(ctx, "tcp", a.config.AdminListen)
	if err != nil {
		return errors.Join(fmt.Errorf("listen for the owners: %w", err), public.Close())
	}
	at := Addresses{Public: urlOf(public.Addr()), Admin: urlOf(admin.Addr())}
	servers := []*http.Server{
		httpapi.NewServer(a.Public, a.deps.Logger), httpapi.NewServer(a.Private, a.deps.Logger),
	}
	listeners := []net.Listener{public, admin}
	if portal := a.listenForPortal(ctx); portal != nil {
		at.Portal = urlOf(portal.Addr())
		handler := demo.Portal(at.Public, handoff.Destination(a.config.DemoListen), a.Handoffs)
		servers, listeners = append(servers, httpapi.NewServer(handler, a.deps.Logger)), append(listeners, portal)
	}
	failed := make(chan error, len(servers))
	for i, listener := range listeners {
		go func() { failed <- servers[i].Serve(listener) }()
	}
	a.deps.Logger.Info("listening", "public", at.Public, "admin", at.Admin)
	if listening != nil {
		listening(at)
	}
	select {
	case err = <-failed:
		err = fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
		err = nil
	}
	a.stopping.Store(true)
	a.deps.Logger.Info("stopping")
	return errors.Join(err, shutDown(context.WithoutCancel(ctx), servers))
}

// listenForPortal is nil where there is no demonstration, and where its place is
// taken: the site itself can be tried without it.
func (a *App) listenForPortal(ctx context.Context) net.Listener {
	if !a.config.Demo {
		return nil
	}
	var listen net.ListenConfig
	portal, err := listen.Listen(ctx, "tcp", a.config.DemoListen)
	if err != nil {
		a.deps.Logger.Warn("the demonstration has no portal", "error", err)
		return nil
	}
	return portal
}

func shutDown(ctx context.Context, servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	results := make(chan error, len(servers))
	for _, server := range servers {
		go func() {
			err := server.Shutdown(ctx)
			if err != nil {
				err = errors.Join(fmt.Errorf("finish what was accepted: %w", err), server.Close())
			}
			results <- err
		}()
	}
	var all error
	for range servers {
		all = errors.Join(all, <-results)
	}
	return all
}

// urlOf says localhost for a listener on every address, since that is no address to open.
func urlOf(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return address.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
