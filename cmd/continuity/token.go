package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"continuity/cmd/app"
	"continuity/domain/handoff"
	"continuity/ports/access"
)

type tokens struct {
	Create tokenCreate `cmd:"" help:"Make a token and show its secret, once."`
	List   tokenList   `cmd:"" help:"List the tokens, without their secrets."`
	Revoke tokenRevoke `cmd:"" help:"End a token at once."`
}

type tokenCreate struct {
	Name        string   `arg:"" help:"What the token is for."`
	Scopes      []string `help:"What it may do: leads:read, leads:write, submissions, handoffs, trees, privacy." required:""`
	Destination string   `help:"The host that a token with the scope handoffs speaks for." placeholder:"HOST"`
	JSON        bool     `help:"Print JSON."`
}

type createdView struct {
	ID          string              `json:"id"`
	Token       string              `json:"token"`
	Scopes      []access.Scope      `json:"scopes"`
	Destination handoff.Destination `json:"destination,omitempty"`
}

// Run makes the token. Its secret alone goes to standard output, unless JSON is asked for.
func (c tokenCreate) Run(ctx context.Context, term terminal) error {
	scopes := make([]access.Scope, len(c.Scopes))
	for i, scope := range c.Scopes {
		scopes[i] = access.Scope(strings.TrimSpace(scope))
	}
	return withService(ctx, func(service *app.App) error {
		token, secret, err := service.Access.CreateFor(ctx, c.Name, scopes, c.Destination)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(term.out, createdView{ID: token.ID, Token: secret, Scopes: token.Scopes, Destination: token.Destination})
		}
		fmt.Fprintf(term.err, "Token %s is made. Keep its secret, it is not shown again:\n", token.ID)
		fmt.Fprintln(term.out, secret)
		return nil
	})
}

type tokenList struct {
	JSON bool `help:"Print JSON."`
}

type tokenView struct {
	ID          string              `json:"id"`
	Name        string              `json:"name"`
	Scopes      []access.Scope      `json:"scopes"`
	Destination handoff.Destination `json:"destination,omitempty"`
	CreatedAt   time.Time           `json:"created_at"`
	LastUsedAt  *time.Time          `json:"last_used_at"`
}

// Run lists the tokens, the oldest first.
func (c tokenList) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		all, err := service.Access.List(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(term.out, tokenViews(all))
		}
		return printTokens(term.out, all)
	})
}

func tokenViews(all []access.Token) []tokenView {
	views := make([]tokenView, len(all))
	for i, t := range all {
		views[i] = tokenView{ID: t.ID, Name: t.Name, Scopes: t.Scopes, Destination: t.Destination, CreatedAt: t.CreatedAt.UTC()}
		if !t.LastUsedAt.IsZero() {
			used := t.LastUsedAt.UTC()
			views[i].LastUsedAt = &used
		}
	}
	return views
}

func printTokens(w io.Writer, all []access.Token) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tNAME\tSCOPES\tDESTINATION\tCREATED\tLAST USED")
	for _, t := range all {
		scopes := make([]string, len(t.Scopes))
		for i, scope := range t.Scopes {
			scopes[i] = string(scope)
		}
		used := "never"
		if !t.LastUsedAt.IsZero() {
			used = t.LastUsedAt.UTC().Format(time.DateTime)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n",
			t.ID, t.Name, strings.Join(scopes, ","), t.Destination, t.CreatedAt.UTC().Format(time.DateTime), used)
	}
	return table.Flush()
}

type tokenRevoke struct {
	ID string `arg:"" help:"The token's id, as list shows it."`
}

// Run ends the token.
func (c tokenRevoke) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		if err := service.Access.Revoke(ctx, c.ID); err != nil {
			return err
		}
		fmt.Fprintf(term.err, "Token %s is revoked.\n", c.ID)
		return nil
	})
}

// withService runs act on the service as configured, and closes it.
func withService(ctx context.Context, act func(*app.App) error) (err error) {
	service, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	return act(service)
}

func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
