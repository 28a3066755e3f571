package main

import (
	"context"
	"fmt"

	"github.com/schollz/progressbar/v3"

	"continuity/cmd/app"
)

type prune struct {
	JSON bool `help:"Print JSON."`
}

// Run prunes until nothing that has expired is left, and shows that it is at work.
func (c prune) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		parts := 0
		bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(term.err), progressbar.OptionSetDescription("pruning"),
			progressbar.OptionClearOnFinish())
		err := service.Privacy.Prune(ctx, func() {
			parts++
			_ = bar.Add(1) // a terminal that takes no bar is no reason to stop
		})
		_ = bar.Finish()
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(term.out, map[string]any{"pruned": true})
		}
		fmt.Fprintln(term.err, "Nothing that has expired is left.")
		return nil
	})
}
