package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"continuity/domain/fault"
	"continuity/ports/access"
)

// accessGate speaks for the access port.
type accessGate struct{ service *access.Service }

type tokenKey struct{}

// needs lets a request through whose bearer token has the scope.
func (g accessGate) needs(scope access.Scope, next handler) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) error {
		scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		secret = strings.TrimSpace(secret)
		if !strings.EqualFold(scheme, "Bearer") || secret == "" {
			return fault.New(fault.Unauthorized, "", "a valid bearer token is needed")
		}
		token, err := g.service.Check(r.Context(), secret, scope)
		if err != nil {
			return err
		}
		return next(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, token)))
	})
}

// caller names whose token a request came with, for the record of an act.
func caller(r *http.Request) string {
	token, _ := r.Context().Value(tokenKey{}).(access.Token)
	return token.Name + " (" + token.ID + ")"
}

// noted is needs for a route that shows identities or acts on them: it goes on only
// once the audit log has it.
func (g accessGate) noted(scope access.Scope, next handler) http.Handler {
	return g.needs(scope, func(w http.ResponseWriter, r *http.Request) error {
		if err := g.note(r, subjectOf(r)); err != nil {
			return err
		}
		return next(w, r)
	})
}

// note records what a request does to whom.
func (g accessGate) note(r *http.Request, subject string) error {
	route := ""
	if current := mux.CurrentRoute(r); current != nil {
		route, _ = current.GetPathTemplate() // our routes all have one
	}
	return g.service.Note(r.Context(), caller(r), r.Method+" "+route, subject)
}

// subjectOf is whom a path names, if it names an id of ours.
func subjectOf(r *http.Request) string {
	id, ok := parseID(mux.Vars(r)["id"])
	switch {
	case !ok:
		return ""
	case strings.HasPrefix(r.URL.Path, "/v1/anchors/"):
		return "anchor " + idText(id)
	}
	return "lead " + idText(id)
}
