// Command continuity is the service and the tools of its operator, on one database
// and under the same settings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"continuity/cmd/app"
	"continuity/domain/fault"
)

// The exit codes.
const (
	done   = 0
	failed = 1
	misled = 2 // wrongly called or configured
)

// cli is the command line (§8).
type cli struct {
	Serve   serve    `cmd:"" default:"withargs"                                                                           help:"Serve browsers and the owners of the site (the default)."`
	Migrate migrate  `cmd:"" help:"Bring the schema of the database up to date."`
	Token   tokens   `cmd:"" help:"Tokens for the private interface."`
	Export  exported `cmd:"" help:"Hand over everything that is kept about an address."`
	Erase   erase    `cmd:"" help:"Remove everything that is kept about an address."`
	Prune   prune    `cmd:"" help:"Delete now what has expired, instead of on the side of requests."`
	Audit   audit    `cmd:"" help:"List who read an identity, or acted on one."`
	Seal    seals    `cmd:"" help:"The keys under which identities are sealed."`
	Pepper  peppers  `cmd:"" help:"The secrets under which addresses are hashed."`
	Replay  replayed `cmd:"" help:"Play an access log as browsers with cookies, and compare what the service then holds."`
	Verify  verified `cmd:"" help:"Prove on a live address that no cache mixes up visitors, and that all that must arrive does. Exit 0 safe, 1 unsafe, 2 could not tell."`
	Tree    trees    `cmd:"" help:"Trees with codes on them."`
	Version version  `cmd:"" help:"Tell which build this is."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// terminal is where a command tells what it found, and how it is doing.
type terminal struct{ out, err io.Writer }

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	var commands cli
	helped := false
	parser, err := kong.New(&commands,
		kong.Name("continuity"),
		kong.Description("Recognises a returning device on a site's own domain. Settings come from CONTINUITY_… in the environment."),
		kong.Writers(out, errs),
		kong.Exit(func(int) { helped = true }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(terminal{out, errs}),
	)
	if err != nil {
		return told(errs, err)
	}
	command, err := parser.Parse(args)
	if helped {
		return done
	}
	if err != nil {
		fmt.Fprintf(errs, "continuity: %v; see continuity --help\n", err)
		return misled
	}
	return told(errs, command.Run())
}

// told is the exit code of an error, once it has been told.
func told(errs io.Writer, err error) int {
	if err == nil {
		return done
	}
	fmt.Fprintln(errs, "continuity:", err)
	if _, ok := errors.AsType[*app.Misconfigured](err); ok || errors.Is(err, errUntold) {
		return misled
	}
	switch fault.CodeOf(err) {
	case fault.Invalid, fault.Rejected:
		return misled
	}
	return failed
}

// open is the service as configured, for a command that acts on its database.
func open(ctx context.Context) (*app.App, error) {
	config, err := app.Load()
	if err != nil {
		return nil, err
	}
	return app.Open(ctx, config, app.Deps{})
}
