// Command load measures the service over loopback, beside the floors that no service of its kind could beat, and
// prints each figure as a ratio to them: milliseconds change with the machine, ratios much less.
//
// Decisions taken here:
//
//   - Every contestant is a process of its own that is started for each run: the built binary (service); the same
//     composition with a transaction per request (direct); a handler behind the same router that reads and decodes
//     the same body and answers 204 (floor). The fourth (raw) is this program, which writes rows that the service
//     wrote, under new ids and random devices, in bare multi-row statements, --batch beacons a transaction.
//   - Runs alternate, service, floor, direct, raw, and again; a ratio is taken within one round, and what is told is
//     the median of the rounds with the smallest and the largest.
//   - Before each run on the empty database everything goes back to the same few devices and events: what a run
//     left behind would slow the next one.
//   - The client is written by hand over a connection, with requests made beforehand in which only ids, times and
//     the key change: on two cores net/http's client costs more than the service that it is to measure.
//   - An open loop sends by a schedule and counts from the scheduled time, so that a request that waits for the one
//     before it tells of that wait (no coordinated omission).
//   - Devices and the events of a big database are put there through the ports of the service, not by statements of
//     our own: they are what a schema makes of them. A big database is filled by larger beacons of random devices.
//   - Requests are not logged unless --log asks for it; the floor logs nothing either.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type commands struct {
	Measure measure `cmd:"" default:"withargs" help:"Measure the service and its floors (the default)."`
	Floor   floor   `cmd:"" hidden:""`
	Direct  direct  `cmd:"" hidden:""`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed := kong.Parse(&commands{}, kong.Name("load"), kong.UsageOnError(),
		kong.Description("Measures the service over loopback beside its floors."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	parsed.FatalIfErrorf(parsed.Run())
}
