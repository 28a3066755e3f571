package bunstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
)

// Config says which database, and how to write to it.
type Config struct {
	// URL is postgres://…, or sqlite:// and the path of a file to the letter, in
	// which nothing is escaped.
	URL string
	// Direct gives every Record a transaction of its own, instead of one for all
	// that arrived during the last commit.
	Direct bool
	// Observe is told of every transaction that committed; nil for nobody.
	Observe func(Commit)
}

// DB is the database: it implements the Store of every port.
type DB struct {
	dialect dialect
	write   *bun.DB
	read    *bun.DB
	ids     *ids
	seal    seal
	// nextPrune is when it is worth looking for what has expired, in milliseconds.
	nextPrune atomic.Int64
	writer    writer
	closing   atomic.Bool

	observe  func(Commit)
	progress atomic.Int64 // when something was committed last, in nanoseconds
}

// dialect is what differs between databases.
type dialect interface {
	// open opens the pool that writes and the one that reads; they may be one.
	open() (write, read *bun.DB, err error)
	// migrating holds other migrators off, in any process, until release is called.
	migrating(ctx context.Context, db *bun.DB) (release func() error, err error)
	words() any
	// lock makes a select hold its rows until the transaction ends.
	lock(q *bun.SelectQuery, table string) *bun.SelectQuery
	// lockIdle is lock, and passes over rows that others hold.
	lockIdle(q *bun.SelectQuery, table string) *bun.SelectQuery
	// bytewise is the collation that orders text by its bytes.
	bytewise() string
	// repeatable says that the transaction lost a race and may simply be run again.
	repeatable(err error) bool
	// away says that the database cannot be reached or is full or busy now.
	away(err error) bool
	// anchorsOfKeys finds and locks the anchors of these keys. It is the first statement
	// of every append, and so written by hand.
	anchorsOfKeys(ctx context.Context, tx bun.Tx, keys [][]byte) ([]anchorRow, error)
	// prepare is called before each transaction, for what has to be parsed outside of it once.
	prepare(ctx context.Context, db *bun.DB) error
	insertEvents(ctx context.Context, tx bun.Tx, rows []eventRow) error
	// scrub takes what was deleted out of the database's own log, where that is a
	// file beside it.
	scrub(ctx context.Context, db *bun.DB) error
	// vacuum takes what was deleted out of tables and indexes.
	vacuum(ctx context.Context, db *bun.DB) error
}

// Open opens the database; it neither creates nor changes the schema, see Migrate.
func Open(ctx context.Context, config Config) (*DB, error) {
	d, err := dialectOf(config.URL)
	if err != nil {
		return nil, err
	}
	db := &DB{dialect: d, observe: config.Observe}
	if db.write, db.read, err = d.open(); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := db.Ping(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("reach the database: %w", err), db.Close())
	}
	db.ids = &ids{db: db.write}
	db.writer = direct{db}
	if !config.Direct {
		db.writer = newGrouped(db)
	}
	return db, nil
}

func dialectOf(url string) (dialect, error) {
	scheme, rest, _ := strings.Cut(url, "://")
	switch scheme {
	case "sqlite":
		return sqliteAt(rest)
	case "postgres", "postgresql":
		return postgres{url: url}, nil
	}
	return nil, errors.New("the database URL must begin with sqlite:// or postgres://")
}

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	return errors.Join(db.write.PingContext(ctx), db.read.PingContext(ctx))
}

// Close answers what was accepted, then closes the database. From its start on, who
// asks for anything gets fault.Unavailable.
func (db *DB) Close() error {
	db.closing.Store(true)
	if db.writer != nil {
		db.writer.close()
	}
	if db.read == db.write {
		return db.write.Close()
	}
	// The last connection to a file moves its log into it, which a reader may not.
	return errors.Join(db.read.Close(), db.write.Close())
}

// outward turns what a database says into what a caller may see.
func (db *DB) outward(err error) error {
	if err == nil || fault.CodeOf(err) != fault.Internal {
		return err
	}
	if db.closing.Load() || db.dialect.away(err) || db.dialect.repeatable(err) {
		return errors.Join(fault.New(fault.Unavailable, "", "the database cannot take this now"), err)
	}
	return err
}
