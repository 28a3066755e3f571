package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"continuity/cmd/app"
	"continuity/ports/access"
)

type serve struct {
	Demo bool `help:"Serve a demonstration site as well, to try the service with."`
	WASM bool `name:"wasm" help:"Load the WASM client in the demonstration, instead of capture.js."`
}

// Run serves until it is told to stop.
func (c serve) Run(ctx context.Context, term terminal) (err error) {
	config, err := app.Load()
	if err != nil {
		return err
	}
	config.Demo = config.Demo || c.Demo
	config.DemoWASM = config.DemoWASM || c.WASM
	service, err := app.Open(ctx, config, app.Deps{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	if !config.Demo {
		return service.Serve(ctx, nil)
	}
	token, secret, err := service.Access.Create(ctx, "demo", []access.Scope{access.LeadsRead})
	if err != nil {
		return err
	}
	// The token is of this run alone.
	defer func() { err = errors.Join(err, service.Access.Revoke(context.WithoutCancel(ctx), token.ID)) }()
	return service.Serve(ctx, func(at app.Addresses) { guide(term.err, at, secret) })
}

// guide says what to do with the demonstration. The token is shown here only.
func guide(w io.Writer, at app.Addresses, secret string) {
	fmt.Fprintf(w, `
The demonstration is open. Look around and send the form at
  %[1]s/

Then see who that was, and read the journey of that lead by its id:
  curl -s -H 'Authorization: Bearer %[3]s' %[2]s/v1/leads
  curl -s -H 'Authorization: Bearer %[3]s' %[2]s/v1/leads/ID/journey

`, at.Public, at.Admin, secret)
	if at.Portal != "" {
		fmt.Fprintf(w, "From any page, \"Adopt a tree\" leads to another site at %s/, and the journey goes along.\n\n", at.Portal)
	}
}
