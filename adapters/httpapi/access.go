package httpapi

import (
	"context"
	"net/http"
	"strings"

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
