package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"continuity/cmd/app"
)

type audit struct {
	Limit int  `default:"100" help:"How many lines, the newest first; at most 1000."`
	JSON  bool `help:"Print JSON."`
}

type noteView struct {
	ID      int64     `json:"id,string"`
	At      time.Time `json:"at"`
	Who     string    `json:"who"`
	What    string    `json:"what"`
	Subject string    `json:"subject"`
}

// Run lists who read what, and who did what.
func (c audit) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		notes, err := service.Access.Notes(ctx, 0, c.Limit)
		if err != nil {
			return err
		}
		if c.JSON {
			views := make([]noteView, len(notes))
			for i, n := range notes {
				views[i] = noteView{n.ID, n.At, n.Who, n.What, n.Subject}
			}
			return printJSON(term.out, views)
		}
		table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "AT\tWHO\tWHAT\tSUBJECT")
		for _, n := range notes {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", n.At.Format(time.DateTime), n.Who, n.What, n.Subject)
		}
		return table.Flush()
	})
}
