package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"runtime/debug"
	"time"

	"continuity/domain/fault"
)

// exchange is one request on its way, and what the log will tell of it.
type exchange struct {
	http.ResponseWriter
	client  string // its address
	route   string // the template that matched, never the path
	status  int
	skipped int
	limit   string // which limit refused, empty if none
	failure error
}

// WriteHeader notes the status.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write notes the status that it implies.
func (x *exchange) Write(p []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	return x.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach what is inside.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func skippedEvents(w http.ResponseWriter, n int) {
	if x, ok := w.(*exchange); ok {
		x.skipped = n
	}
}

// watch logs every exchange and turns a panic into an internal error. The log
// has the route's template, never the path, the query, a header or a body.
func watch(log *slog.Logger, proxies Proxies, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		x := &exchange{ResponseWriter: w, client: proxies.Client(r)}
		defer func() {
			p := recover()
			if p != nil && p != http.ErrAbortHandler {
				x.panicked(log, p)
			}
			x.log(log, r, time.Since(began))
			if p == http.ErrAbortHandler {
				panic(p)
			}
		}()
		next.ServeHTTP(x, r)
	})
}

// panicked logs where, and of a panic's value only what the runtime itself says:
// any other value might repeat what somebody sent.
func (x *exchange) panicked(log *slog.Logger, p any) {
	what := fmt.Sprintf("a value of type %T", p)
	if runtimeError, ok := p.(runtime.Error); ok {
		what = runtimeError.Error()
	}
	log.Error("panic", "route", x.route, "what", what, "stack", string(debug.Stack()))
	if x.status != 0 {
		// Half an answer must not look like a whole one.
		panic(http.ErrAbortHandler)
	}
	refuse(x, fmt.Errorf("panic: %s", what))
}

func (x *exchange) log(log *slog.Logger, r *http.Request, took time.Duration) {
	status := x.status
	if status == 0 {
		status = http.StatusOK
	}
	attributes := []slog.Attr{
		slog.String("method", knownMethod(r.Method)),
		slog.String("route", x.route),
		slog.Int("status", status),
		slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("network", network(x.client)),
	}
	if x.skipped > 0 {
		attributes = append(attributes, slog.Int("skipped", x.skipped))
	}
	if x.limit != "" {
		attributes = append(attributes, slog.String("limit", x.limit))
	}
	if x.failure != nil {
		attributes = append(attributes, slog.String("error", x.failure.Error()))
	}
	log.LogAttrs(r.Context(), x.level(r), "request", attributes...)
}

// level is an error only for what somebody should look into: neither a caller who
// hung up nor a database that is busy is that.
func (x *exchange) level(r *http.Request) slog.Level {
	switch {
	case x.failure == nil || r.Context().Err() != nil:
		return slog.LevelInfo
	case fault.CodeOf(x.failure) == fault.Unavailable:
		return slog.LevelWarn
	}
	return slog.LevelError
}

// knownMethod keeps a made-up method, which is input, out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// network is the /24 or /48 that an address is in, which tells no household.
func network(client string) string { return prefixOf(client, 24, 48) }

// prefixOf is the network of so many bits that an address of either kind is in.
func prefixOf(client string, bits4, bits6 int) string {
	address, err := netip.ParseAddr(client)
	if err != nil {
		return ""
	}
	bits := bits6
	if address.Is4() {
		bits = bits4
	}
	prefix, err := address.Prefix(bits)
	if err != nil {
		return ""
	}
	return prefix.String()
}
