package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// measure is the command, with what may be said about it.
type measure struct {
	Database    string        `help:"sqlite or postgres." enum:"sqlite,postgres" default:"sqlite"`
	Connections []int         `help:"How many connections a closed loop has, one load each." default:"64,256"`
	Modes       []string      `help:"keep-alive, and reconnect for a connection per request." enum:"keep-alive,reconnect" default:"keep-alive,reconnect"`
	Rates       []float64     `help:"Scheduled requests a second of the open loops." default:"250,500,1000,2000,4000"`
	OpenOver    int           `help:"Connections of an open loop." default:"256"`
	Duration    time.Duration `help:"Of one run." default:"5s"`
	Warmup      time.Duration `help:"Before each run, not counted." default:"1s"`
	Runs        int           `help:"Rounds of alternated runs." default:"5"`
	Devices     int           `help:"Returning devices." default:"20000"`
	Submissions float64       `help:"Share of submissions among the requests." default:"0.02"`
	Batch       int           `help:"Beacons in a transaction of the raw inserts." default:"64"`
	Events      int64         `help:"Measure once more after this many events have been put there." default:"0"`
	PerBeacon   int           `help:"Events of a beacon that fills the database." default:"12"`
	LogLevel    string        `help:"Of the service; info logs every request." default:"warn"`
	Folder      string        `help:"Where the database goes (SQLite); the system's temporary folder unless said." default:""`
	Binary      string        `help:"The built service; it is built when none is named." default:""`
	Out         string        `help:"Where JSON and plots go." default:"bin/bench"`
}

// bench is one measurement on its way.
type bench struct {
	measure
	place  *place
	seeds  *seeder
	binary string
	self   string
	report *report
}

// Run measures, prints, and leaves JSON and a plot behind.
func (m measure) Run(ctx context.Context) (err error) {
	here, err := thisMachine(defaultTo(m.Folder, os.TempDir()))
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d cores, %s, %s, %.1f GiB free, load %s\n", here.CPU, here.Cores, here.Go, here.System, here.FreeGiB, here.Load)
	if err := here.room(m.Events + expected(m)); err != nil {
		return err
	}
	if err := os.MkdirAll(m.Out, 0o750); err != nil {
		return err
	}
	b := &bench{measure: m, report: &report{Machine: here, Settings: m, At: time.Now().UTC()}}
	if b.place, err = newPlace(m.Database, m.Folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.place.remove()) }()
	if err := b.build(ctx); err != nil {
		return err
	}
	if err := b.stages(ctx); err != nil {
		return err
	}
	b.report.print(os.Stdout)
	return b.report.save(filepath.Join(m.Out, "http-"+m.Database))
}

// expected is how many events the runs themselves may leave behind, at a rate that no service here reaches.
func expected(m measure) int64 {
	const eventsPerSecond = 60_000
	loads := len(m.Connections)*len(m.Modes) + len(m.Rates)
	return int64(m.Runs*loads) * int64((m.Duration+m.Warmup).Seconds()*eventsPerSecond)
}

func (b *bench) build(ctx context.Context) (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.Binary != "" {
		b.binary, err = filepath.Abs(b.Binary)
		return err
	}
	b.binary = filepath.Join(b.place.folder, "continuity")
	build := exec.CommandContext(ctx, "go", "build", "-o", b.binary, "continuity/cmd/continuity")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the service: %w: %s", err, said)
	}
	return nil
}

// The stages. On the empty database every run starts with devices and hardly an event.
const (
	empty  = "empty"
	atSize = "at size"
)

// stages measures on a database with devices and hardly an event and, when asked to, on a big one.
func (b *bench) stages(ctx context.Context) error {
	arrive := func(s *seeder) error { return s.arrive(ctx, b.Devices) }
	if err := b.place.seed(ctx, func() error { return b.seed(ctx, arrive) }); err != nil {
		return err
	}
	if err := b.rounds(ctx, empty); err != nil {
		return err
	}
	if err := b.place.reset(ctx); err != nil {
		return err
	}
	before, had, err := b.place.size(ctx)
	if err != nil {
		return err
	}
	if err := b.seed(ctx, func(s *seeder) error { return s.fill(ctx, b.Events, b.PerBeacon) }); err != nil {
		return err
	}
	if b.Events > 0 {
		after, has, err := b.place.size(ctx)
		if err != nil {
			return err
		}
		b.report.Size = &size{Events: has, MiB: float64(after) / (1 << 20), BytesPerEvent: float64(after-before) / float64(has-had)}
		if err := b.rounds(ctx, atSize); err != nil {
			return err
		}
	}
	return b.journey(ctx)
}

// seed composes the service in this process for as long as do takes.
func (b *bench) seed(ctx context.Context, do func(*seeder) error) error {
	service, err := b.place.open(ctx)
	if err != nil {
		return err
	}
	if b.seeds == nil {
		b.seeds = &seeder{}
	}
	b.seeds.service = service
	return errors.Join(do(b.seeds), service.Close())
}

func defaultTo(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
