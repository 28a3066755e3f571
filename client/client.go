// Package client embeds the capture client, the hand-written capture.js and the
// WASM build with its loader, and serves both without ever setting a cookie.
//
// Decisions that shaped it: the files lie here compressed, with brotli and with
// gzip, so that the binary carries no compressor; whoever accepts neither gets
// the gzip one unpacked; a short name for the page's one line is revalidated
// within the hour, the name with the content's hash never changes; any origin
// may load the files, because a site may run the service on a host of its own.
package client

import (
	"embed"
	"net/http"
	"strings"
)

//go:embed dist
var dist embed.FS

// The short names.
const (
	Script = "/capture.js"
	Loader = "/capture-wasm.js"
	WASM   = "/capture.wasm"
)

var assets = []asset{
	load(Script, "text/javascript; charset=utf-8"),
	load(Loader, "text/javascript; charset=utf-8"),
	load(WASM, "application/wasm"),
}

// Handler serves GET and HEAD of the client's files under their short and their
// hashed names, and 404 for every other path. The WASM is 404 with the reason
// in a binary that was built without it.
func Handler() http.Handler {
	mux := http.NewServeMux()
	for path, h := range Routes() {
		mux.Handle(path, h)
	}
	return mux
}

// Routes are the same handlers by their paths.
func Routes() map[string]http.Handler {
	routes := map[string]http.Handler{}
	for _, a := range assets {
		routes[a.name] = a.serve(shortLived)
		if a.hash != "" {
			routes[a.hashed()] = a.serve(immutable)
		}
	}
	return routes
}

// Hashed is the name under which a file's present content is served for ever,
// or the short name again where the file was not built.
func Hashed(name string) string {
	for _, a := range assets {
		if a.name == name && a.hash != "" {
			return a.hashed()
		}
	}
	return name
}

// hashed puts the hash before the extension.
func (a asset) hashed() string {
	dot := strings.LastIndexByte(a.name, '.')
	return a.name[:dot] + "." + a.hash + a.name[dot:]
}
