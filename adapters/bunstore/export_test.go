package bunstore

import (
	"github.com/uptrace/bun"
)

// MigrationsTable is where the applied migrations are marked.
const MigrationsTable = migrationsTable

// The bounds of the queue.
const (
	MostQueued = mostQueued
	MostInTx   = mostInTx
	MostBytes  = mostBytes
)

// Pools are the connections themselves, for specs that look behind the ports.
func (db *DB) Pools() (write, read *bun.DB) { return db.write, db.read }

// Queued is how many Records wait to be written.
func (db *DB) Queued() int { return len(db.writer.(*grouped).queue) }
