package verify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// inspection is one verification under way, and what its checks leave for each other.
type inspection struct {
	o      Options
	edge   *wire
	direct *wire // nil: there is no origin to compare with
	nonce  string
	advice []string

	first   answer   // the first mint
	keys    []string // of visitors without cookies, in order
	shared  bool     // what is a key's own was given to two: no key may be touched
	page    *answer  // the page that embeds the client
	missing string   // why there is no page
}

// Run asks the deploy everything once. It fails only on options that make no sense
// and when ctx ends; a deploy that cannot be reached is a report that could not tell.
func Run(ctx context.Context, o Options) (Report, error) {
	started := time.Now()
	o, err := o.complete()
	if err != nil {
		return Report{}, err
	}
	in := &inspection{o: o, edge: newWire(o, o.URL), nonce: rand.Text()}
	defer in.edge.close()
	if o.Origin != "" {
		in.direct = newWire(o, o.Origin)
		defer in.direct.close()
	}
	report := Report{URL: o.URL, At: started.UTC().Truncate(time.Second)}
	for _, c := range checks {
		result := in.run(ctx, c)
		if err := ctx.Err(); err != nil {
			return report, fmt.Errorf("verify: %w", err)
		}
		report.Results = append(report.Results, result)
	}
	in.leave(ctx)
	report.Verdict, report.Advice = conclude(report.Results), in.advice
	report.Seconds = time.Since(started).Round(100 * time.Millisecond).Seconds()
	return report, nil
}

func (in *inspection) run(ctx context.Context, c check) Result {
	f, err := c.run(ctx, in)
	switch {
	case errors.Is(err, errNoKey), errors.Is(err, errShared):
		f = skipped("%v", err)
	case err != nil:
		f = unknown("%v", err)
	}
	return Result{Check: c.name, Verdict: f.verdict, Found: f.found, Danger: f.danger, Fix: f.fix}
}

// errNoKey is the end of a check that needs a visitor, where nobody became one.
var errNoKey = errors.New("needs a key, and none was given")

// errShared ends a check that would touch a key which may be a stranger's.
var errShared = errors.New("the key that came may be another visitor's, and is not touched")

// key is that of the first visitor.
func (in *inspection) key() (string, error) {
	if in.shared {
		return "", errShared
	}
	if len(in.keys) == 0 || in.keys[0] == "" {
		return "", errNoKey
	}
	return in.keys[0], nil
}

// cookie is a key as a browser sends it.
func (in *inspection) cookie(key string) string { return in.o.CookieName + "=" + key }

// mint is a handoff that leads nowhere: its token cannot be claimed.
func mint() request { return post("/v1/handoffs", `{"destination":"verify.invalid"}`) }

// beacon is an append without events, which stores none.
func beacon() request { return post("/v1/append", `{"events":[]}`) }

// leave retires the keys that the verification was given, so that what stays is held
// anchors without a key, which expire. Keys that came from a cache may be somebody's:
// those are not touched.
func (in *inspection) leave(ctx context.Context) {
	if in.shared {
		return
	}
	for _, key := range in.keys {
		if key != "" {
			_, _ = in.edge.ask(ctx, post("/v1/reset", "").as(in.cookie(key))) // what stays then expires by itself
		}
	}
}
