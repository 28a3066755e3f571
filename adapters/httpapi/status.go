package httpapi

import (
	"net/http"

	"continuity/domain/fault"
)

// statuses is the one table from a fault's code to an HTTP status.
var statuses = map[fault.Code]int{
	fault.Invalid:      http.StatusBadRequest,
	fault.Rejected:     http.StatusUnprocessableEntity,
	fault.Unlisted:     http.StatusUnprocessableEntity,
	fault.Unauthorized: http.StatusUnauthorized,
	fault.Forbidden:    http.StatusForbidden,
	fault.NotFound:     http.StatusNotFound,
	fault.Taken:        http.StatusConflict,
	fault.NotAllowed:   http.StatusMethodNotAllowed,
	fault.Gone:         http.StatusGone,
	fault.TooLarge:     http.StatusRequestEntityTooLarge,
	fault.Unsupported:  http.StatusUnsupportedMediaType,
	fault.Limited:      http.StatusTooManyRequests,
	fault.Unavailable:  http.StatusServiceUnavailable,
	fault.Internal:     http.StatusInternalServerError,
}
