package bunstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/migrate"

	"continuity/adapters/bunstore/migrations"
)

const (
	lockPoll        = 20 * time.Millisecond
	migrationsTable = "bun_migrations"
)

// Migrate brings the schema up to date. Any number of processes may call it at
// once; one that dies in the middle leaves a schema that the next call completes. A
// database that a newer version has changed is refused: this one would write to it
// by rules that hold no more.
//
// Each migration runs in a transaction in which it is also marked: bun marks it
// before or after, on another connection, and its own lock survives a crash.
func (db *DB) Migrate(ctx context.Context) (err error) {
	release, err := db.dialect.migrating(ctx, db.write)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	all, err := migrations.All()
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	migrator := migrate.NewMigrator(db.write, all,
		migrate.WithTableName(migrationsTable),
		migrate.WithTemplateData(db.dialect.words()),
		migrate.WithMarkAppliedOnSuccess(true),
		migrate.WithUpsert(true),
		migrate.AfterMigration(mark),
	)
	if err := migrator.Init(ctx); err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	unknown, err := migrator.MissingMigrations(ctx)
	if err != nil {
		return fmt.Errorf("look up the migrations: %w", err)
	}
	if len(unknown) > 0 {
		return fmt.Errorf("the database was changed by a newer version of this program, which made migration %s: start that version",
			unknown[0].Name)
	}
	if _, err := migrator.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// mark runs inside the migration's own transaction; bun's later mark then finds
// the row and changes nothing that matters.
func mark(ctx context.Context, conn bun.IConn, migration *migrate.Migration) error {
	_, err := conn.ExecContext(ctx,
		"INSERT INTO "+migrationsTable+" (name, group_id) VALUES (?, ?)", migration.Name, migration.GroupID)
	return err
}
