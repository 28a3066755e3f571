package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"continuity/domain/identity"
)

// Commit is what one transaction of the writer did.
type Commit struct {
	Requests   int
	Took       time.Duration // its repeats included
	Pruned     int           // devices and handoffs that had expired
	Candidates int           // pairs of people that are new
	Shared     int           // devices that turned out to be shared
}

// Waiting counts the requests that wait to be written.
func (db *DB) Waiting() int {
	if g, ok := db.writer.(*grouped); ok {
		return len(g.queue)
	}
	return 0
}

// committed notes that the database has taken something, and tells of it.
func (db *DB) committed(c Commit) {
	db.progress.Store(time.Now().UnixNano())
	if db.observe != nil {
		db.observe(c)
	}
}

const (
	// soon is how long a database may take to show that it answers.
	soon = 2 * time.Second
	// stall is how long a busy one may go without a commit.
	stall = 10 * time.Second
)

// Ready is nil while the database answers. One whose connections are all at work is
// busy and not dead, as long as that work ends in commits.
func (db *DB) Ready(ctx context.Context) (busy bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	if err := db.write.PingContext(ctx); err != nil {
		if db.atWork(err) {
			return true, nil
		}
		return false, db.outward(err)
	}
	if err := db.read.PingContext(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return false, db.outward(err)
	}
	return false, nil
}

// atWork says whether a ping failed because it found no connection free.
func (db *DB) atWork(err error) bool {
	full := func(s sql.DBStats) bool { return s.MaxOpenConnections > 0 && s.InUse >= s.MaxOpenConnections }
	return errors.Is(err, context.DeadlineExceeded) && full(db.write.Stats()) &&
		time.Since(time.Unix(0, db.progress.Load())) < stall
}

// count adds what a change brings that was not there before.
func (c *Commit) count(v *view, change identity.Change) {
	for _, a := range change.Anchors {
		before := v.anchors[a.ID]
		if a.Shared && (before == nil || !before.value.Shared) {
			c.Shared++
		}
	}
	for _, candidate := range change.Candidates {
		if candidate.State == identity.Open {
			c.Candidates++
		}
	}
}
