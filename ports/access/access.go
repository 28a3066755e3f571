// Package access is the conversation about who may use the private interface:
// tokens with scopes, made by an operator, shown once, stored hashed.
package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"continuity/domain/fault"
	"continuity/domain/handoff"
)

// Scope names what a token may do.
type Scope string

// The scopes.
const (
	LeadsRead   Scope = "leads:read"
	LeadsWrite  Scope = "leads:write"
	Submissions Scope = "submissions"
	Handoffs    Scope = "handoffs" // of one destination
	Trees       Scope = "trees"
	Privacy     Scope = "privacy"
)

// Scopes are all that there are.
var Scopes = []Scope{LeadsRead, LeadsWrite, Submissions, Handoffs, Trees, Privacy}

// Token is what is known of a token: never the secret itself.
type Token struct {
	ID         string // public, opaque
	Name       string
	Scopes     []Scope
	CreatedAt  time.Time
	LastUsedAt time.Time // zero: never
	// Destination is whose server holds the token; only of one with the scope Handoffs.
	Destination handoff.Destination
}

// Hash is the SHA-256 of a token's secret, the only form of it that is stored.
type Hash [sha256.Size]byte

// Store is what access asks of a database.
type Store interface {
	AuditLog
	SaveToken(ctx context.Context, token Token, hash Hash) error
	// TokenOf is the token with that hash, fault.NotFound if there is none.
	TokenOf(ctx context.Context, hash Hash) (Token, error)
	// UseToken notes when a token was last used.
	UseToken(ctx context.Context, id string, at time.Time) error
	// Tokens lists all, the oldest first.
	Tokens(ctx context.Context) ([]Token, error)
	// RevokeToken removes a token at once, fault.NotFound if there is none.
	RevokeToken(ctx context.Context, id string) error
}

// Service is what may be asked of us about tokens.
type Service struct {
	store  Store
	now    func() time.Time
	random io.Reader
}

// New makes the Service. random must be a cryptographic source.
func New(store Store, now func() time.Time, random io.Reader) *Service {
	return &Service{store: store, now: now, random: random}
}

const (
	prefix     = "ctk_" // so that a leaked token is recognised as one
	idBytes    = 6
	secretSize = 32
)

// Create makes a token of no destination, as CreateFor does.
func (s *Service) Create(ctx context.Context, name string, scopes []Scope) (Token, string, error) {
	return s.CreateFor(ctx, name, scopes, "")
}

// CreateFor makes a token and returns its secret, which is never to be had again.
// destination is a host, and stands beside the scope Handoffs and no other.
func (s *Service) CreateFor(ctx context.Context, name string, scopes []Scope, destination string) (Token, string, error) {
	if strings.TrimSpace(name) == "" {
		return Token{}, "", fault.New(fault.Invalid, "name", "must not be empty")
	}
	if len(scopes) == 0 {
		return Token{}, "", fault.New(fault.Invalid, "scopes", "must name at least one scope")
	}
	for _, scope := range scopes {
		if !slices.Contains(Scopes, scope) {
			return Token{}, "", fault.New(fault.Invalid, "scopes", "has an unknown scope; there are "+list(Scopes))
		}
	}
	at, err := destinationOf(scopes, destination)
	if err != nil {
		return Token{}, "", err
	}
	raw := make([]byte, idBytes+secretSize)
	if _, err := io.ReadFull(s.random, raw); err != nil {
		return Token{}, "", fmt.Errorf("draw a token: %w", err)
	}
	secret := prefix + base64.RawURLEncoding.EncodeToString(raw[idBytes:])
	token := Token{
		ID: hex.EncodeToString(raw[:idBytes]), Name: name, Scopes: scopes,
		CreatedAt: s.now().UTC().Truncate(time.Millisecond), Destination: at,
	}
	if err := s.store.SaveToken(ctx, token, hash(secret)); err != nil {
		return Token{}, "", fmt.Errorf("save a token: %w", err)
	}
	return token, secret, nil
}

func destinationOf(scopes []Scope, text string) (handoff.Destination, error) {
	switch needed := slices.Contains(scopes, Handoffs); {
	case needed && text == "":
		return "", fault.New(fault.Invalid, "destination", "is needed by the scope handoffs")
	case !needed && text != "":
		return "", fault.New(fault.Invalid, "destination", "is only for the scope handoffs")
	case !needed:
		return "", nil
	}
	destination, ok := handoff.ParseDestination(text)
	if !ok || destination == handoff.Verify {
		return "", fault.New(fault.Invalid, "destination", "must be a host such as portal.example.org or localhost:8082")
	}
	return destination, nil
}

// usedEvery is how precisely LastUsedAt is kept.
const usedEvery = time.Minute

// Check is the token of a secret, if it has the scope: fault.Unauthorized when
// there is no such token, fault.Forbidden when it may not.
func (s *Service) Check(ctx context.Context, secret string, scope Scope) (Token, error) {
	token, err := s.store.TokenOf(ctx, hash(secret))
	if fault.CodeOf(err) == fault.NotFound {
		return Token{}, fault.New(fault.Unauthorized, "", "a valid bearer token is needed")
	}
	if err != nil {
		return Token{}, fmt.Errorf("check a token: %w", err)
	}
	if !slices.Contains(token.Scopes, scope) {
		return Token{}, fault.New(fault.Forbidden, "", "the token lacks the scope "+string(scope))
	}
	now := s.now()
	if now.Sub(token.LastUsedAt) < usedEvery {
		return token, nil
	}
	// A database that cannot be written to now, as on a full disk, may still be read by whoever is asked to see to it.
	err = s.store.UseToken(ctx, token.ID, now)
	if err != nil && fault.CodeOf(err) != fault.Unavailable && !errors.Is(err, context.Canceled) {
		return Token{}, fmt.Errorf("note a token's use: %w", err)
	}
	return token, nil
}

// List is every token, the oldest first.
func (s *Service) List(ctx context.Context) ([]Token, error) { return s.store.Tokens(ctx) }

// Revoke ends a token at once.
func (s *Service) Revoke(ctx context.Context, id string) error { return s.store.RevokeToken(ctx, id) }

func hash(secret string) Hash { return sha256.Sum256([]byte(secret)) }

func list(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, ", ")
}
