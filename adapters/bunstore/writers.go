package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
)

// direct gives every op a transaction of its own.
type direct struct{ db *DB }

func (d direct) do(ctx context.Context, o *op) error { return d.db.together(ctx, []*op{o}) }

func (direct) close() {}

// grouped puts what arrived during the last commit into the next transaction. No
// timer: an op that finds nobody at work goes at once, and a batch grows by itself
// with the load.
type grouped struct {
	db    *DB
	queue chan *queued
	done  chan struct{}
	bytes atomic.Int64 // held by what was accepted and not answered

	mu     sync.RWMutex // held for reading while an op is put into the queue
	closed bool
}

type queued struct {
	*op
	taken  atomic.Bool // by the writer, or by a caller who gave up
	answer chan error
}

// What waits is bounded by number and by memory; beyond that, callers are told to
// come back. An op holds some memory even if it says that it holds none.
const (
	mostQueued = 4096
	mostBytes  = 64 << 20
	leastBytes = 1 << 10
	mostInTx   = 512
)

func (q *queued) bytes() int64 { return int64(max(q.ask.Bytes, leastBytes)) }

func newGrouped(db *DB) *grouped {
	g := &grouped{db: db, queue: make(chan *queued, mostQueued), done: make(chan struct{})}
	go g.run()
	return g
}

func (g *grouped) do(ctx context.Context, o *op) error {
	if err := ctx.Err(); err != nil {
		return err // the writer could be faster than the look at ctx below
	}
	q := &queued{op: o, answer: make(chan error, 1)}
	if err := g.accept(q); err != nil {
		return err
	}
	select {
	case err := <-q.answer:
		return err
	case <-ctx.Done():
		if q.taken.CompareAndSwap(false, true) {
			return ctx.Err() // nobody has looked at it, and nobody will
		}
		return <-q.answer
	}
}

func (g *grouped) accept(q *queued) error {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.closed {
		return fault.New(fault.Unavailable, "", "shutting down")
	}
	if g.bytes.Add(q.bytes()) <= mostBytes {
		select {
		case g.queue <- q:
			return nil
		default:
		}
	}
	g.bytes.Add(-q.bytes())
	return fault.New(fault.Unavailable, "", "too much is waiting to be written")
}

func (g *grouped) close() {
	g.mu.Lock()
	if !g.closed {
		g.closed = true
		close(g.queue)
	}
	g.mu.Unlock()
	<-g.done
}

func (g *grouped) run() {
	defer close(g.done)
	for first := range g.queue {
		batch := g.gather(first)
		if len(batch) > 0 {
			g.write(batch)
		}
	}
}

// gather takes what is queued now, and waits for nothing.
func (g *grouped) gather(first *queued) []*queued {
	batch := g.take(nil, first)
	for len(batch) < mostInTx {
		select {
		case q, open := <-g.queue:
			if !open {
				return batch
			}
			batch = g.take(batch, q)
		default:
			return batch
		}
	}
	return batch
}

func (g *grouped) take(batch []*queued, q *queued) []*queued {
	if q.taken.CompareAndSwap(false, true) {
		return append(batch, q)
	}
	g.bytes.Add(-q.bytes())
	return batch
}

// write commits the batch or, if anything is wrong with it, each op alone: one
// caller's error stays its own.
func (g *grouped) write(batch []*queued) {
	ops := make([]*op, len(batch))
	for i, q := range batch {
		ops[i] = q.op
	}
	err := g.commit(ops)
	for _, q := range batch {
		alone := err
		if err != nil && len(batch) > 1 && !g.db.dialect.away(err) {
			alone = g.commit([]*op{q.op})
		}
		g.bytes.Add(-q.bytes())
		q.answer <- alone
	}
}

// patience is how long one transaction may take before its callers are told to
// come back: a database that has stopped answering must not hold them for ever.
const patience = 8 * time.Second

func (g *grouped) commit(ops []*op) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return g.db.together(ctx, ops)
}

func rollback(tx bun.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}
