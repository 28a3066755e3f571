package main

import (
	"context"
	"fmt"

	"github.com/schollz/progressbar/v3"

	"continuity/cmd/app"
)

type seals struct {
	Add    sealAdd    `cmd:"" help:"Add a seal key to the file of the keys. It writes nothing before a rotation."`
	Rotate sealRotate `cmd:"" help:"Seal everything under the newest key. May be stopped and started again."`
}

type sealAdd struct{}

// Run adds the key and tells what to do with the file.
func (sealAdd) Run(term terminal) error {
	config, err := app.Load()
	if err != nil {
		return err
	}
	path, err := config.AddSealKey()
	if err != nil {
		return err
	}
	fmt.Fprintf(term.err, "%s has a new key. Give the file to every node and restart it, then: continuity seal rotate\n", path)
	return nil
}

type rotation struct {
	Retire bool `help:"Then let the database live by the new alone; every node must have been restarted with it."`
	JSON   bool `help:"Print JSON."`
}

type sealRotate struct {
	rotation `embed:""`
}

// Run rotates the seal.
func (c sealRotate) Run(ctx context.Context, term terminal) error {
	return c.run(ctx, term, (*app.App).RotateSeal)
}

type peppers struct {
	Rotate pepperRotate `cmd:"" help:"Write every lead under all peppers of this node. May be stopped and started again."`
}

type pepperRotate struct {
	rotation `embed:""`
}

// Run rotates the peppers.
func (c pepperRotate) Run(ctx context.Context, term terminal) error {
	return c.run(ctx, term, (*app.App).RotatePeppers)
}

func (c rotation) run(ctx context.Context, term terminal, rotate func(*app.App, context.Context, bool, func(int)) error) error {
	return withService(ctx, func(service *app.App) error {
		rows := 0
		bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(term.err), progressbar.OptionSetDescription("rotating"),
			progressbar.OptionClearOnFinish())
		err := rotate(service, ctx, c.Retire, func(n int) {
			rows += n
			_ = bar.Add(n) // a terminal that takes no bar is no reason to stop
		})
		_ = bar.Finish()
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(term.out, map[string]int{"rows": rows})
		}
		fmt.Fprintf(term.err, "Done, %d rows were rewritten.\n", rows)
		return nil
	})
}
