package main

import (
	"context"
	"fmt"

	"continuity/cmd/app"
)

type migrate struct{}

// Run opens the service, which brings the schema up to date, and closes it.
func (migrate) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(*app.App) error {
		fmt.Fprintln(term.err, "The schema is up to date.")
		return nil
	})
}
