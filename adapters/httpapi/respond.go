package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"continuity/domain/fault"
)

// neverCached is the Cache-Control of whatever sets a cookie, tells of people, or fails (R15).
const neverCached = "private, no-store"

// respond writes an answer: a body as JSON, or none when body is nil.
func respond(w http.ResponseWriter, status int, body any) error {
	header := w.Header()
	header.Set("Cache-Control", neverCached)
	if body == nil {
		w.WriteHeader(status)
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return err
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// A caller that has gone is nobody to tell about it.
	_, _ = w.Write(text.Bytes())
	return nil
}

type errorBody struct {
	Error errorWords `json:"error"`
}

type errorWords struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// refuse answers an error. What is no fault stays inside and is told as internal.
// A refusal never sets a cookie.
func refuse(w http.ResponseWriter, err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(fault.New(fault.Unavailable, "", "the request was given up"), err)
	}
	words := errorWords{Code: fault.Internal, Message: "something went wrong here"}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		words = errorWords{Code: f.Code, Message: f.Error()}
	}
	status, ok := statuses[words.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	if x, ok := w.(*exchange); ok {
		x.refused = words.Code
		if status >= http.StatusInternalServerError {
			x.failure = err
		}
	}
	header := w.Header()
	header.Del("Set-Cookie")
	switch words.Code {
	case fault.Unavailable, fault.Limited:
		if header.Get("Retry-After") == "" {
			header.Set("Retry-After", "1")
		}
	case fault.Unauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	default:
	}
	// An errorBody always encodes.
	_ = respond(w, status, errorBody{Error: words})
}
