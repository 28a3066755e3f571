package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"continuity/cmd/continuity/replay/accesslog"
)

// Run reads the log, plays it and compares. It fails on options that make no
// sense, a log without a readable line, a service that cannot be asked, leads
// that an earlier replay of the same seed left behind, and when ctx ends; what
// the service does wrong is no error but a difference in the report. The report
// is filled in as far as the replay came, beside an error too.
func Run(ctx context.Context, o Options) (Report, error) {
	start := time.Now()
	o, err := o.complete()
	if err != nil {
		return Report{}, err
	}
	log, err := accesslog.Open(o.Log, o.Stdin)
	if err != nil {
		return Report{Format: string(log.Format), BadLines: log.BadLines, FirstBad: log.FirstBad}, fmt.Errorf("%s: %w", o.Log, err)
	}
	if o.Limit > 0 && o.Limit < len(log.Rows) {
		log.Rows = log.Rows[:o.Limit]
	}
	p := draw(log.Rows, o)
	report, t := newReport(log, p), newTally(o.Differences)
	err = perform(ctx, o, p, t, &report)
	t.report(&report)
	report.Seconds = since(start)
	return report, err
}

// perform is the part that talks to the service.
func perform(ctx context.Context, o Options, p plan, t *tally, report *Report) error {
	client := newClient(o.Concurrency)
	defer client.CloseIdleConnections()
	check := newAudit(o, p, &ledger{base: o.AdminURL, token: o.Token, client: client, patience: o.Patience}, t)
	if o.AdminURL != "" {
		unused, err := check.unused(ctx)
		if err != nil {
			return fmt.Errorf("ask the private side: %w", err)
		}
		if !unused {
			return fmt.Errorf("seed %d was played against this service before: take another", o.Seed)
		}
	}
	play := player{o: o, plan: p, client: client, tally: t, origin: originOf(o.URL)}
	steps := 0
	for _, s := range p.scripts {
		steps += len(s.steps)
	}
	var finish func()
	play.done, finish = progress(o, steps, "playing")
	err := play.play(ctx)
	finish()
	if err != nil {
		return fmt.Errorf("play: %w", err)
	}
	if o.AdminURL == "" {
		return nil
	}
	check.done, finish = progress(o, p.people, "comparing")
	report.Found, err = check.run(ctx)
	finish()
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	report.Compared = true
	return nil
}

// progress is a bar that counts to most, or nothing when none was asked for.
// The bar is decoration: what goes wrong with drawing it is nobody's concern.
func progress(o Options, most int, what string) (done func(int), finish func()) {
	if o.Progress == nil || most == 0 {
		return func(int) {}, func() {}
	}
	bar := progressbar.NewOptions(most, progressbar.OptionSetWriter(o.Progress), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	return func(n int) { _ = bar.Add(n) }, func() { _ = bar.Finish() }
}
