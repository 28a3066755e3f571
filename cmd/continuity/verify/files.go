package verify

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"strings"
)

var spoiled = hazard{
	danger: "The client does not run, or every page load fetches it anew.",
	fix:    "Pass /capture… through with its Content-Type, Content-Encoding, Vary, ETag and Cache-Control; minify and rewrite nothing there.",
}

var wasmMagic = []byte("\x00asm")

// hashedName is a file's name with the hash of its content.
var hashedName = regexp.MustCompile(`\.[0-9a-f]{8,}\.`)

// checkClientFiles looks at the files where the service serves them.
func checkClientFiles(ctx context.Context, in *inspection) (finding, error) {
	served := 0
	for _, path := range in.clientPaths() {
		a, err := in.edge.ask(ctx, get(path).with("Accept-Encoding", "identity"))
		if err != nil {
			return finding{}, err
		}
		if a.status == http.StatusNotFound {
			continue
		}
		served++
		if f, ok := in.judgeFile(path, a); !ok {
			return f, nil
		}
		if f, ok, err := in.judgeCodings(ctx, path, a); !ok || err != nil {
			return f, err
		}
	}
	if served == 0 {
		return skipped("the service serves no client here (/capture.js is answered 404)"), nil
	}
	return safe("%d files, cacheable, of the right type, without a cookie", served), nil
}

// clientPaths are the short names, and that which the page uses.
func (in *inspection) clientPaths() []string {
	paths := []string{"/capture.js", "/capture-wasm.js", "/capture.wasm"}
	if script := in.script(); script != nil && script.Scheme+"://"+script.Host == in.edge.origin && hashedName.MatchString(script.Path) {
		paths = append(paths, script.Path)
	}
	return paths
}

func (in *inspection) judgeFile(path string, a answer) (finding, bool) {
	media, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	_, noStore := a.directives()["no-store"]
	wasm := strings.HasSuffix(path, ".wasm")
	switch {
	case a.status != http.StatusOK:
		return unknown("%s is answered %d", path, a.status), false
	case len(a.header.Values("Set-Cookie")) > 0:
		return oneKey.found("%s sets a cookie, and is cacheable", path), false
	case wasm && media != "application/wasm":
		return spoiled.found("%s is served as %s, and not as application/wasm", path, quoted(media)), false
	case !wasm && media != "text/javascript" && media != "application/javascript":
		return spoiled.found("%s is served as %s, and not as JavaScript", path, quoted(media)), false
	case wasm && !bytes.HasPrefix(a.body, wasmMagic):
		return spoiled.found("%s is no WebAssembly", path), false
	case noStore || freshFor(a.directives()) == 0:
		return spoiled.found("%s cannot be cached: Cache-Control is %s", path, quoted(a.header.Get("Cache-Control"))), false
	case a.header.Get("ETag") == "":
		return spoiled.found("%s has no ETag: the hash of its content is lost on the way", path), false
	case hashedName.MatchString(path) && !strings.Contains(a.header.Get("Cache-Control"), "immutable"):
		return spoiled.found("%s is named by its content, and yet not immutable", path), false
	}
	return finding{}, true
}

// judgeCodings asks as browsers that read different codings: none may be given the
// other's.
func (in *inspection) judgeCodings(ctx context.Context, path string, plain answer) (finding, bool, error) {
	for _, coding := range []string{"br", "gzip", "identity"} {
		a, err := in.edge.ask(ctx, get(path).with("Accept-Encoding", coding))
		if err != nil {
			return finding{}, false, err
		}
		if got := a.header.Get("Content-Encoding"); got != "" && !strings.EqualFold(got, coding) {
			return spoiled.found("%s is given in %s to who reads only %s: Vary is lost", path, quoted(got), coding), false, nil
		}
		if coding == "identity" && !bytes.Equal(a.body, plain.body) {
			return spoiled.found("%s is not the same twice", path), false, nil
		}
	}
	return finding{}, true, nil
}
