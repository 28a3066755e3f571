// Package fault is the one error that callers outside may see: a code for
// programs, a field and a message for people.
//
// Everything else that goes wrong is wrapped with %w and stays inside; an
// adapter that meets an error which is no fault answers Internal and tells
// nothing. The table from Code to an HTTP status stands in the HTTP adapter.
package fault

import "errors"

// Code says what kind of thing is wrong, for programs.
type Code string

// The codes a caller may meet.
const (
	Invalid      Code = "invalid"           // the request cannot be read; retrying it unchanged is useless
	Rejected     Code = "identity_rejected" // readable, but no identity this service accepts (R3)
	Unlisted     Code = "unlisted"          // names something the configuration does not list
	Unauthorized Code = "unauthorized"      // no token, or one we do not know
	Forbidden    Code = "forbidden"         // known, and not allowed to do this
	NotFound     Code = "not_found"
	Taken        Code = "taken" // the name is somebody else's already
	NotAllowed   Code = "method_not_allowed"
	Gone         Code = "gone" // was there once, or never: the two are not told apart
	TooLarge     Code = "too_large"
	Unsupported  Code = "unsupported_media_type"
	Limited      Code = "rate_limited"
	Unavailable  Code = "unavailable" // not now; the same request may succeed later
	Internal     Code = "internal"
)

// Error is a refusal that may be shown to whoever asked. Field names the part of
// the input that is wrong, in the caller's own words ("identity.email"); it is
// empty when no single part is. Message never repeats a value from the input.
type Error struct {
	Code    Code
	Field   string
	Message string
}

// New makes a fault. field may be empty.
func New(code Code, field, message string) *Error {
	return &Error{Code: code, Field: field, Message: message}
}

// Error is the sentence for people: the field, then what is wrong with it.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// CodeOf is the code of the first fault in err's chain, and Internal when there is none.
func CodeOf(err error) Code {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Code
	}
	return Internal
}
