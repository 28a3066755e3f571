package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the drivers of the two databases
	_ "modernc.org/sqlite"

	"continuity/adapters/pgtest"
	"continuity/cmd/app"
)

// place is where a database lives: a folder, and a cluster of our own for Postgres.
type place struct {
	folder  string
	url     string
	cluster *pgtest.Cluster // nil for SQLite
	drop    func() error    // of the present database in the cluster, nil before there is one
}

const pepper = "load-pepper-v1"

func newPlace(database, within string) (*place, error) {
	folder, err := os.MkdirTemp(within, "continuity-load-")
	if err != nil {
		return nil, err
	}
	p := &place{folder: folder, url: "sqlite://" + filepath.Join(folder, "continuity.db")}
	if database != "postgres" {
		return p, nil
	}
	if p.cluster, err = pgtest.Start(); err != nil {
		return nil, errors.Join(err, p.remove())
	}
	return p, nil
}

// seededName is the state that reset goes back to: a file, or a template in the cluster.
const seededName = "seeded"

// seed has do fill an empty database and keeps what that is then, for reset.
func (p *place) seed(ctx context.Context, do func() error) error {
	if p.cluster == nil {
		if err := do(); err != nil {
			return err
		}
		if _, _, err := p.size(ctx); err != nil { // which empties the log into the file
			return err
		}
		return errors.Join(os.Rename(p.file(), p.file()+"."+seededName), p.reset(ctx))
	}
	err := p.cluster.Template(seededName, func(url string) error {
		p.url = url
		return do()
	})
	if err != nil {
		return err
	}
	return p.reset(ctx)
}

// reset makes the database what it was when it had been seeded. Nobody may be using it.
func (p *place) reset(ctx context.Context) (err error) {
	if p.cluster != nil {
		if p.drop != nil {
			err = p.drop()
		}
		if err == nil {
			p.url, p.drop, err = p.cluster.Database(ctx, seededName)
		}
		return err
	}
	for _, part := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(p.file() + part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	from, err := os.Open(p.file() + "." + seededName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := os.Create(p.file())
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Sync(), to.Close())
}

func (p *place) file() string { return strings.TrimPrefix(p.url, "sqlite://") }

func (p *place) remove() error {
	var err error
	if p.cluster != nil {
		err = p.cluster.Stop()
	}
	return errors.Join(err, os.RemoveAll(p.folder))
}

// environment are the settings of a service here.
func (p *place) environment(listen, admin, level string) []string {
	return []string{
		"CONTINUITY_DATABASE_URL=" + p.url, "CONTINUITY_SECRETS_DIR=" + p.folder, "CONTINUITY_PEPPER=" + pepper,
		"CONTINUITY_LISTEN=" + listen, "CONTINUITY_ADMIN_LISTEN=" + admin, "CONTINUITY_LOG_LEVEL=" + level,
		"CONTINUITY_RATE_PER_KEY=unlimited", "CONTINUITY_RATE_PER_IP=unlimited", "CONTINUITY_RATE_NEW_PER_IP=unlimited",
		"CONTINUITY_MAX_EVENTS_PER_ANCHOR=unlimited",
	}
}

// open composes the service here, in this process.
func (p *place) open(ctx context.Context) (*app.App, error) {
	c := app.Defaults().WithoutLimits()
	c.DatabaseURL, c.SecretsDir, c.Pepper = p.url, p.folder, app.NewSecret(pepper)
	return app.Open(ctx, c, app.Deps{})
}

// connect opens the database itself, as the service's writer does: one connection, and durable.
func (p *place) connect() (*sql.DB, error) {
	driver, source := "pgx", p.url
	if path, ok := strings.CutPrefix(p.url, "sqlite://"); ok {
		query := url.Values{"_txlock": {"immediate"}, "_pragma": {
			"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "secure_delete(1)", "cache_size(-16000)",
		}}
		driver, source = "sqlite", "file:"+path+"?"+query.Encode()
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// size is what the database takes on disk, its log left out, and how many events it holds.
func (p *place) size(ctx context.Context) (bytes, events int64, err error) {
	db, err := p.connect()
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	weigh := []string{"PRAGMA wal_checkpoint(TRUNCATE)", "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"}
	if p.cluster != nil {
		weigh = []string{"CHECKPOINT", "SELECT pg_database_size(current_database())"}
	}
	if _, err := db.ExecContext(ctx, weigh[0]); err != nil {
		return 0, 0, fmt.Errorf("checkpoint: %w", err)
	}
	if err := db.QueryRowContext(ctx, weigh[1]).Scan(&bytes); err != nil {
		return 0, 0, fmt.Errorf("weigh the database: %w", err)
	}
	err = db.QueryRowContext(ctx, "SELECT COUNT(*) FROM events").Scan(&events)
	return bytes, events, err
}
