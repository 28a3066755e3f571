package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/ports/access"
)

var _ access.Store = (*DB)(nil)

type tokenRow struct {
	bun.BaseModel `bun:"table:api_tokens,alias:t"`

	ID         string `bun:"id,pk"`
	TokenHash  []byte `bun:"token_hash"`
	Name       string `bun:"name"`
	Scopes     string `bun:"scopes"` // separated by spaces
	CreatedAt  int64  `bun:"created_at"`
	LastUsedAt int64  `bun:"last_used_at,nullzero"`

	Destination handoff.Destination `bun:"destination,nullzero"`
}

func (r tokenRow) token() access.Token {
	token := access.Token{
		ID: r.ID, Name: r.Name, CreatedAt: instant(r.CreatedAt), LastUsedAt: instant(r.LastUsedAt),
		Destination: r.Destination,
	}
	for scope := range strings.FieldsSeq(r.Scopes) {
		token.Scopes = append(token.Scopes, access.Scope(scope))
	}
	return token
}

// SaveToken is access.Store's promise.
func (db *DB) SaveToken(ctx context.Context, token access.Token, hash access.Hash) error {
	scopes := make([]string, len(token.Scopes))
	for i, scope := range token.Scopes {
		scopes[i] = string(scope)
	}
	row := tokenRow{
		ID: token.ID, TokenHash: hash[:], Name: token.Name, Scopes: strings.Join(scopes, " "),
		CreatedAt: millis(token.CreatedAt), Destination: token.Destination,
	}
	err := insert(ctx, db.write, []tokenRow{row})
	return db.outward(err)
}

// TokenOf is access.Store's promise.
func (db *DB) TokenOf(ctx context.Context, hash access.Hash) (access.Token, error) {
	var row tokenRow
	err := db.read.NewSelect().Model(&row).Where("t.token_hash = ?", hash[:]).Scan(ctx)
	if err != nil {
		return access.Token{}, db.missing(err, "no such token")
	}
	return row.token(), nil
}

// UseToken is access.Store's promise.
func (db *DB) UseToken(ctx context.Context, id string, at time.Time) error {
	_, err := db.write.NewUpdate().Model((*tokenRow)(nil)).
		Set("last_used_at = ?", millis(at)).Where("t.id = ?", id).Exec(ctx)
	return db.outward(err)
}

// Tokens is access.Store's promise.
func (db *DB) Tokens(ctx context.Context) ([]access.Token, error) {
	var rows []tokenRow
	if err := db.read.NewSelect().Model(&rows).Order("t.created_at", "t.id").Scan(ctx); err != nil {
		return nil, db.outward(err)
	}
	tokens := make([]access.Token, len(rows))
	for i, row := range rows {
		tokens[i] = row.token()
	}
	return tokens, nil
}

// RevokeToken is access.Store's promise.
func (db *DB) RevokeToken(ctx context.Context, id string) error {
	result, err := db.write.NewDelete().Model((*tokenRow)(nil)).Where("t.id = ?", id).Exec(ctx)
	if err != nil {
		return db.outward(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, fault.New(fault.NotFound, "id", "is no token"))
	}
	return nil
}

// missing turns "no rows" into the fault that says what is not there.
func (db *DB) missing(err error, what string) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.New(fault.NotFound, "", what)
	}
	return db.outward(err)
}
