// Package migrations holds the schema, numbered. One number is the same schema on
// every database: a file is a template, in which only the words for types and the
// triggers differ.
package migrations

import (
	"embed"

	"github.com/uptrace/bun/migrate"
)

//go:embed *.sql
var files embed.FS

// Words are what a database calls the types.
type Words struct {
	Int, Bytes, UUID string
	Postgres         bool
}

// All are the migrations in order.
func All() (*migrate.Migrations, error) {
	all := migrate.NewMigrations()
	if err := all.Discover(files); err != nil {
		return nil, err
	}
	return all, nil
}
