package httpapi

import (
	"errors"
	"mime"
	"net/http"
	"strings"
	"sync"

	"continuity/domain/fault"
)

// mostBody bounds a body, in bytes (§5).
const mostBody = 64 << 10

var errTooLarge = fault.New(fault.TooLarge, "", "the body must be at most 64 KiB")

var walkers = sync.Pool{}

// decode reads the body of a request with read, whose result must not keep the
// walker. It refuses other media than JSON, bodies that are too large, and those
// that read refuses.
func decode[T any](w http.ResponseWriter, r *http.Request, read func(*walker) (T, error)) (T, error) {
	var none T
	if err := checkMedia(r.Header); err != nil {
		return none, err
	}
	if r.ContentLength > mostBody {
		return none, errTooLarge
	}
	walk, ok := walkers.Get().(*walker)
	if !ok {
		walk = new(walker)
	}
	defer walkers.Put(walk)
	walk.body.Reset()
	if _, err := walk.body.ReadFrom(http.MaxBytesReader(w, r.Body, mostBody)); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return none, errTooLarge
		}
		return none, fault.New(fault.Invalid, "", "the body did not arrive whole")
	}
	walk.start()
	return read(walk)
}

// checkMedia accepts JSON as text/plain, which a browser sends without asking
// first, as application/json, or under no name, uncompressed and in UTF-8.
func checkMedia(header http.Header) error {
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return fault.New(fault.Unsupported, "", "the body must not be compressed")
	}
	text := header.Get("Content-Type")
	switch text {
	case "", "text/plain;charset=UTF-8", "application/json":
		return nil
	}
	media, parameters, err := mime.ParseMediaType(text)
	if err != nil || media != "text/plain" && media != "application/json" {
		return fault.New(fault.Unsupported, "", "the body must be JSON, as text/plain or application/json")
	}
	if charset, ok := parameters["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return fault.New(fault.Unsupported, "", "the body must be in UTF-8")
	}
	return nil
}
