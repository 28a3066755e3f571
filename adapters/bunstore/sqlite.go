package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"continuity/adapters/bunstore/migrations"
	"continuity/domain/fault"
)

// sqlite is one file: one connection writes, a pool beside it reads.
type sqlite struct {
	path string

	mu      sync.Mutex
	inserts sized // of events
	lookups sized // of anchors by key
}

// sqliteAt makes the path absolute, since SQLite takes some relative ones, such as
// :memory:, for something else than a file.
func sqliteAt(path string) (dialect, error) {
	if path == "" {
		return nil, errors.New("the database URL sqlite:// names no file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the database: %w", err)
	}
	return &sqlite{path: path}, nil
}

// busyTimeout is how long a connection waits for another process, in milliseconds.
const busyTimeout = 10000

// The pragmas stand in the DSN, so that every connection of a pool has them.
func (s *sqlite) dsn(mode string, extra ...string) string {
	query := url.Values{"mode": {mode}, "_pragma": append([]string{
		fmt.Sprintf("busy_timeout(%d)", busyTimeout), "foreign_keys(1)",
	}, extra...)}
	if mode == "rwc" {
		query.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: s.path}).EscapedPath(), RawQuery: query.Encode()}).String()
}

func (s *sqlite) open() (write, read *bun.DB, err error) {
	if err := s.create(); err != nil {
		return nil, nil, err
	}
	w, err := sql.Open("sqlite", s.dsn("rwc",
		"journal_mode(WAL)", "synchronous(FULL)", "secure_delete(1)", "cache_size(-16000)"))
	if err != nil {
		return nil, nil, err
	}
	w.SetMaxOpenConns(1)
	if err := s.try(w); err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	r, err := sql.Open("sqlite", s.dsn("ro", "query_only(1)"))
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	r.SetMaxOpenConns(4)
	return bun.NewDB(w, sqlitedialect.New()), bun.NewDB(r, sqlitedialect.New()), nil
}

// create makes the file for its owner alone, which SQLite would not; what SQLite
// puts beside it gets the same mode. Its errors name the path, which SQLite's do not.
func (s *sqlite) create() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// try begins to write: the file has to be a database before a read-only connection
// can open it, and a folder that takes no log shows only now.
func (s *sqlite) try(w *sql.DB) error {
	tx, err := w.Begin()
	if err != nil {
		return fmt.Errorf("write to %s: %w", s.path, err)
	}
	return tx.Rollback()
}

// migrating holds a file lock, which the system drops when its holder dies.
func (s *sqlite) migrating(ctx context.Context, _ *bun.DB) (func() error, error) {
	lock := flock.New(s.path + ".migrating")
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	return lock.Close, nil
}

func (*sqlite) words() any {
	return migrations.Words{Int: "INTEGER", Bytes: "BLOB", UUID: "BLOB"}
}

// lock adds nothing: a write transaction is alone from its first statement.
func (*sqlite) lock(q *bun.SelectQuery, _ string) *bun.SelectQuery { return q }

func (*sqlite) lockIdle(q *bun.SelectQuery, _ string) *bun.SelectQuery { return q }
func (*sqlite) bytewise() string                                       { return "COLLATE BINARY" }

func (*sqlite) repeatable(error) bool { return false }

func (*sqlite) away(err error) bool {
	refusal, ok := errors.AsType[*driver.Error](err)
	if !ok {
		return errors.Is(err, sql.ErrConnDone)
	}
	switch refusal.Code() & 0xff {
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED, codes.SQLITE_FULL, codes.SQLITE_IOERR, codes.SQLITE_CANTOPEN:
		return true
	}
	return false
}

const (
	scrubs    = 50
	scrubWait = 200 // milliseconds that one may hold up writers
)

// scrub writes the log back and empties it. Whoever still reads the state of before
// holds it up; between its tries others may write.
func (*sqlite) scrub(ctx context.Context, db *bun.DB) error {
	for range scrubs {
		done, err := emptyLog(ctx, db)
		if done || err != nil {
			return err
		}
	}
	return fault.New(fault.Unavailable, "", "it is erased, but somebody reads on and so the log cannot be emptied; ask again")
}

func emptyLog(ctx context.Context, db *bun.DB) (done bool, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, fmt.Sprint("PRAGMA busy_timeout = ", scrubWait)); err != nil {
		return false, err
	}
	var busy, log, written int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &written)
	_, restored := conn.ExecContext(ctx, fmt.Sprint("PRAGMA busy_timeout = ", busyTimeout))
	return busy == 0, errors.Join(err, restored)
}

// vacuum only scrubs: secure_delete has overwritten what was deleted.
func (s *sqlite) vacuum(ctx context.Context, db *bun.DB) error { return s.scrub(ctx, db) }
