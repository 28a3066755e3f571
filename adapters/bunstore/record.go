package bunstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/capture"
)

var _ capture.Store = (*DB)(nil)

// op is one Record on its way through the writer.
type op struct {
	ask    capture.Ask
	decide capture.Decision
	fresh  identity.Fresh
	change identity.Change
}

// writer decides which ops share a transaction.
type writer interface {
	// do returns when the op is committed, or failed.
	do(ctx context.Context, o *op) error
	// close answers everything that was accepted; do fails from then on.
	close()
}

// Record is the promise of capture.Store and of handingoff.Store.
func (db *DB) Record(ctx context.Context, ask capture.Ask, decide capture.Decision) (identity.Change, error) {
	o := &op{ask: ask, decide: decide}
	if ask.Creates {
		const kinds = 5
		first, err := db.ids.take(ctx, kinds)
		if err != nil {
			return identity.Change{}, db.outward(err)
		}
		o.fresh = identity.Fresh{
			Anchor: identity.AnchorID(first), Lead: identity.LeadID(first + 1),
			Submission: identity.SubmissionID(first + 2), Candidate: identity.CandidateID(first + 3),
			Handoff: identity.HandoffID(first + 4),
		}
	}
	if err := db.writer.do(ctx, o); err != nil {
		return identity.Change{}, db.outward(err)
	}
	return o.change, nil
}

// mostRepeats bounds how often a transaction that lost a race is run again.
const mostRepeats = 20

// together runs ops in one transaction, as often as it loses a race.
func (db *DB) together(ctx context.Context, ops []*op) error {
	began := time.Now()
	var done Commit
	err := db.repeat(ctx, func(tx bun.Tx) error {
		done = Commit{Requests: len(ops)}
		v, err := db.load(ctx, tx, ops)
		if err != nil {
			return err
		}
		v.decide(ops, &done)
		if err := v.flush(ctx, tx, db.dialect); err != nil {
			return err
		}
		done.Pruned, err = db.pruneAfter(ctx, tx, ops)
		return err
	})
	if err == nil {
		done.Took = time.Since(began)
		db.committed(done)
	}
	return err
}

// pruneAfter lets every request delete a bounded number of what has expired (R13),
// and tells how many handoffs, devices and people that were.
func (db *DB) pruneAfter(ctx context.Context, tx bun.Tx, ops []*op) (int, error) {
	var now time.Time
	for _, o := range ops {
		if o.ask.Now.After(now) {
			now = o.ask.Now
		}
	}
	return db.pruneInline(ctx, tx, now, len(ops))
}

// decide takes the decisions in order.
func (v *view) decide(ops []*op, done *Commit) {
	for _, o := range ops {
		o.change = o.decide(v.state(o))
		done.count(v, o.change)
		v.apply(o.change)
	}
}

// repeat runs a transaction until it commits or fails for a reason of its own.
func (db *DB) repeat(ctx context.Context, do func(bun.Tx) error) error {
	for range mostRepeats {
		err := db.inTx(ctx, do)
		if err == nil || !errors.Is(err, errAgain) && !db.dialect.repeatable(err) {
			return err
		}
	}
	return fault.New(fault.Unavailable, "", "too many requests for the same people at once")
}

// inTx commits what do did, or nothing of it. A panic is an error like another: it
// must take neither the batch's other callers nor the process with it, and leave
// no transaction open.
func (db *DB) inTx(ctx context.Context, do func(bun.Tx) error) (err error) {
	if err := db.dialect.prepare(ctx, db.write); err != nil {
		return fmt.Errorf("prepare statements: %w", err)
	}
	tx, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a transaction panicked: %v", p)
		}
		if err != nil {
			err = errors.Join(err, rollback(tx))
		}
	}()
	if err := do(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
