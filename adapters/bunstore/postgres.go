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

func (postgres) lockIdle(q *bun.SelectQuery, table string) *bun.SelectQuery {
	return q.For("UPDATE OF " + table + " SKIP LOCKED")
}
func (postgres) bytewise() string { return `COLLATE "C"` }

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

// prepare has nothing to do: the driver keeps each statement that a connection has parsed.
func (postgres) prepare(context.Context, *bun.DB) error { return nil }

// anchorsOfKeys takes the keys as one array, for the same reason as insertEvents.
func (postgres) anchorsOfKeys(ctx context.Context, tx bun.Tx, keys [][]byte) ([]anchorRow, error) {
	rows, err := tx.Tx.QueryContext(ctx,
		selectAnchors+" WHERE a.visitor_key_hash = ANY($1::bytea[]) ORDER BY a.id FOR UPDATE OF a", keys)
	if err != nil {
		return nil, err
	}
	return appendAnchors(nil, rows)
}

// insertEvents hands each column over as one array: a statement of one shape,
// however many rows, which the server parses once.
func (postgres) insertEvents(ctx context.Context, tx bun.Tx, rows []eventRow) error {
	columns := make([][]any, len(eventColumns))
	values := make([]any, 0, len(eventColumns))
	for i := range rows {
		values = rows[i].appendValues(values[:0])
		for c, value := range values {
			columns[c] = append(columns[c], value)
		}
	}
	args := make([]any, len(columns))
	for c := range columns {
		args[c] = columns[c]
	}
	_, err := tx.Tx.ExecContext(ctx, unnestEvents, args...)
	return err
}

const unnestEvents = `INSERT INTO events (anchor_id, event_id, event_name, session, occurred_at, received_at,
	clamped, source, position, kind, url, title, referrer, campaign, props, ownership, lead_id, submission_id)
SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bigint[],
	$7::boolean[], $8::smallint[], $9::smallint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
	$15::text[], $16::smallint[], $17::bigint[], $18::bigint[])
ON CONFLICT DO NOTHING`

// scrub: what the server keeps of deleted rows is its operator's, see Vacuum.
func (postgres) scrub(context.Context, *bun.DB) error { return nil }

// vacuum writes the tables with identities anew: a plain vacuum frees a row's place
// and leaves its bytes there. Writers wait for each as long as that takes. Of events,
// which name nobody and may be many, dead rows are freed only.
func (postgres) vacuum(ctx context.Context, db *bun.DB) error {
	for _, table := range []string{"leads", "lead_keys", "submissions", "anchors", "candidates", "doubtful_sessions"} {
		if _, err := db.ExecContext(ctx, "VACUUM (FULL) "+table); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	_, err := db.ExecContext(ctx, "VACUUM events")
	return err
}
