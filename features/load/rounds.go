package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"
)

// The contestants, in the order of a round.
const (
	asService = "service"
	asFloor   = "floor"
	asDirect  = "direct"
	asRaw     = "raw"
)

// run is what one contestant did in one round.
type run struct {
	Stage      string  `json:"stage"`
	Contestant string  `json:"contestant"`
	Load       load    `json:"load"`
	Round      int     `json:"round"`
	PerSecond  float64 `json:"beacons_per_second"`
	Events     float64 `json:"events_per_second"`
	P50        float64 `json:"p50_ms"` // of raw, a batch's
	P99        float64 `json:"p99_ms"`
	P999       float64 `json:"p999_ms"`
	CPU        float64 `json:"cpu_us_per_request"`
	IdleMiB    float64 `json:"idle_mib"`
	PeakMiB    float64 `json:"peak_mib"`
	Refused    int     `json:"refused"`
	Failed     int     `json:"failed"`
}

// loads are what is measured, the closed loops first.
func (b *bench) loads() (all []load) {
	for _, mode := range b.Modes {
		for _, n := range b.Connections {
			all = append(all, load{Connections: n, Reconnect: mode == "reconnect"})
		}
	}
	for _, rate := range b.Rates {
		all = append(all, load{Connections: b.OpenOver, Rate: rate})
	}
	return all
}

// contestants of a load: the two that are compared in every one, and in closed loops that keep their connections
// also what sharing a transaction and what HTTP and the rules cost.
func contestants(l load) []string {
	if l.Reconnect || l.Rate > 0 {
		return []string{asService, asFloor}
	}
	return []string{asService, asFloor, asDirect, asRaw}
}

// rounds runs every load as often as asked, the contestants in turn.
func (b *bench) rounds(ctx context.Context, stage string) error {
	for _, l := range b.loads() {
		for round := range b.Runs {
			for _, name := range contestants(l) {
				if stage == empty && name != asFloor {
					if err := b.place.reset(ctx); err != nil {
						return fmt.Errorf("go back to the empty database: %w", err)
					}
				}
				r, err := b.run(ctx, name, l)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				r.Stage, r.Contestant, r.Load, r.Round = stage, name, l, round
				b.report.Runs = append(b.report.Runs, r)
				fmt.Fprintf(os.Stderr, "%s\n", r)
			}
		}
	}
	return nil
}

func (b *bench) run(ctx context.Context, contestant string, l load) (run, error) {
	if contestant == asRaw {
		return b.runRaw(ctx)
	}
	p, err := b.start(ctx, contestant)
	if err != nil {
		return run{}, err
	}
	var before atomic.Int64
	t := traffic{devices: b.seeds.devices, submissions: b.Submissions}
	s := generate(p.address, l, t, b.Warmup, b.Duration, func() { before.Store(int64(p.cpu())) })
	used := p.cpu() - time.Duration(before.Load())
	r := resultOf(s, 1)
	r.IdleMiB, r.PeakMiB = p.idle, p.status("VmHWM")
	if answered := len(s.latencies) + s.refused; answered > 0 {
		r.CPU = float64(used.Microseconds()) / float64(answered)
	}
	return r, errors.Join(p.stop(), ctx.Err())
}

func (b *bench) start(ctx context.Context, contestant string) (*process, error) {
	public, err := freeAddress()
	if err != nil {
		return nil, err
	}
	admin, err := freeAddress()
	if err != nil {
		return nil, err
	}
	settings := b.place.environment(public, admin, b.LogLevel)
	switch contestant {
	case asFloor:
		return start(ctx, public, nil, b.self, "floor", public)
	case asDirect:
		return start(ctx, public, settings, b.self, "direct")
	}
	return start(ctx, public, settings, b.binary, "serve")
}

func (b *bench) runRaw(ctx context.Context) (_ run, err error) {
	rows := b.Batch * eventsOfBeacon
	r, err := newRaw(ctx, b.place, rows)
	if err != nil {
		return run{}, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	if _, err := r.run(ctx, rows, b.Warmup); err != nil {
		return run{}, err
	}
	s, err := r.run(ctx, rows, b.Duration)
	return resultOf(s, b.Batch), err
}

// resultOf tells of a sample each of whose latencies covers so many beacons.
func resultOf(s sample, beacons int) run {
	rate := float64(len(s.latencies)*beacons) / s.spent.Seconds()
	return run{
		PerSecond: rate, Events: rate * eventsOfBeacon,
		P50: s.quantile(0.5), P99: s.quantile(0.99), P999: s.quantile(0.999),
		Refused: s.refused, Failed: s.failed,
	}
}

// journey reads the reader's journey page by page, as the port does, and tells the median and the worst.
func (b *bench) journey(ctx context.Context) error {
	const times = 51
	return b.seed(ctx, func(s *seeder) error {
		taken := make([]time.Duration, 0, times)
		for range times {
			begin := time.Now()
			events, err := s.read(ctx)
			if err != nil {
				return err
			}
			if events != readerEvents {
				return fmt.Errorf("the journey has %d events, not %d", events, readerEvents)
			}
			taken = append(taken, time.Since(begin))
		}
		slices.Sort(taken)
		b.report.Journey = &reading{
			Events: readerEvents, Devices: readerDevices,
			Median: ms(taken[times/2]), Min: ms(taken[0]), Max: ms(taken[times-1]),
		}
		return nil
	})
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (r run) String() string {
	return fmt.Sprintf("%-8s %-8s %-26s %8.0f/s  p50 %7.2f  p99 %7.2f  p99.9 %7.2f ms  cpu %4.0f µs  idle %3.0f peak %3.0f MiB  refused %d failed %d",
		r.Stage, r.Contestant, r.Load, r.PerSecond, r.P50, r.P99, r.P999, r.CPU, r.IdleMiB, r.PeakMiB, r.Refused, r.Failed)
}

// String names the load for people.
func (l load) String() string {
	how := "kept"
	if l.Reconnect {
		how = "reconnecting"
	}
	if l.Rate > 0 {
		return fmt.Sprintf("open %.0f/s over %d", l.Rate, l.Connections)
	}
	return fmt.Sprintf("closed, %d %s", l.Connections, how)
}
