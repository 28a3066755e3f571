package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"continuity/adapters/bunstore/migrations"
)

// postgres is a server that any number of nodes share, at READ COMMITTED.
type postgres struct{ url string }

func (p postgres) open() (write, read *bun.DB, err error) {
	config, err := pgx.ParseConfig(p.url)
	if err != nil {
		return nil, nil, errors.New("the Postgres URL cannot be read")
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(16)
	db := bun.NewDB(pool, pgdialect.New())
	return db, db, nil
}

// migrationLock is an arbitrary number that every node of ours uses.
const migrationLock = 0x62776c6169

// migrating holds an advisory lock on a connection of its own, which the server
// drops when that connection ends, however it ends.
func (postgres) migrating(ctx context.Context, db *bun.DB) (func() error, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock(?)", migrationLock); err != nil {
		return nil, errors.Join(fmt.Errorf("take the migration lock: %w", err), conn.Close())
	}
	return func() error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(?)", migrationLock)
		return errors.Join(err, conn.Close())
	}, nil
}

func (postgres) words() any {
	return migrations.Words{Int: "BIGINT", Bytes: "BYTEA", UUID: "UUID", Postgres: true}
}

func (postgres) lock(q *bun.SelectQuery, table string) *bun.SelectQuery {
	return q.For("UPDATE OF " + table)
}

func (postgres) code(err error) string {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refusal.Code
	}
	return ""
}

// repeatable: serialization_failure and deadlock_detected.
func (p postgres) repeatable(err error) bool {
	code := p.code(err)
	return code == "40001" || code == "40P01"
}

// away: connection exceptions (08), insufficient resources (53), operator
// intervention (57), and everything that never reached the server.
func (p postgres) away(err error) bool {
	if code := p.code(err); len(code) == 5 {
		class := code[:2]
		return class == "08" || class == "53" || class == "57"
	}
	_, network := errors.AsType[net.Error](err)
	_, connect := errors.AsType[*pgconn.ConnectError](err)
	return network || connect || errors.Is(err, sql.ErrConnDone) || pgconn.SafeToRetry(err)
}

func (p postgres) violated(err error) bool { return p.code(err) == "23514" }

func (postgres) insertEvents(ctx context.Context, tx bun.Tx, rows []eventRow) error {
	_, err := tx.NewInsert().Model(&rows).On("CONFLICT DO NOTHING").Exec(ctx)
	return err
}
