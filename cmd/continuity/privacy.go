package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"

	"continuity/adapters/httpapi"
	"continuity/cmd/app"
	"continuity/ports/privacy"
)

// address is an e-mail address as an argument, or - to read it from standard input,
// so that it shows in no list of processes.
type address struct {
	Email string `arg:"" help:"The e-mail address, or - to read it from standard input."`
}

func (a address) text() (string, error) {
	if a.Email != "-" {
		return a.Email, nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the address: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// atTheCommandLine is who acts here, for the audit log.
func atTheCommandLine() string {
	who, err := user.Current()
	if err != nil {
		return "command line"
	}
	return "command line (" + who.Username + ")"
}

type exported struct {
	address `embed:""`

	HTML   bool   `help:"Write a page for people instead of JSON." name:"html"`
	JSON   bool   `help:"Write JSON (the default)."`
	Output string `help:"Write to this file, readable for its owner alone, instead of standard output." short:"o"`
}

// Run writes the document, which is whole or has failed.
func (c exported) Run(ctx context.Context, term terminal) error {
	email, err := c.text()
	if err != nil {
		return err
	}
	return withService(ctx, func(service *app.App) (err error) {
		to := term.out
		if c.Output != "" {
			file, err := os.OpenFile(c.Output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
			if err != nil {
				return fmt.Errorf("open the file: %w", err)
			}
			defer func() { err = errors.Join(err, file.Close()) }()
			to = file
		}
		if err := service.Access.Note(ctx, atTheCommandLine(), "export", ""); err != nil {
			return err
		}
		dossier := httpapi.NewDossier(to, c.HTML)
		if err := service.Privacy.Export(ctx, email, dossier); err != nil {
			return err
		}
		return dossier.Close()
	})
}

type erase struct {
	address `embed:""`

	DryRun bool `help:"Only tell how much would be removed."`
	Vacuum bool `help:"Clear what Postgres keeps of removed rows in its tables too. Writers wait meanwhile."`
	JSON   bool `help:"Print JSON."`
}

// Run erases and prints the receipt.
func (c erase) Run(ctx context.Context, term terminal) error {
	email, err := c.text()
	if err != nil {
		return err
	}
	return withService(ctx, func(service *app.App) error {
		receipt, err := service.Privacy.Erase(ctx, email, c.DryRun)
		if err != nil {
			return err
		}
		if err := service.Access.Note(ctx, atTheCommandLine(), "erase", fmt.Sprint("receipt ", receipt.ID)); err != nil {
			return err
		}
		if c.Vacuum && !c.DryRun {
			if err := service.Privacy.Vacuum(ctx); err != nil {
				return err
			}
		}
		if c.JSON {
			return printJSON(term.out, httpapi.ViewReceipt(receipt))
		}
		printReceipt(term.out, receipt)
		return nil
	})
}

func printReceipt(w io.Writer, r privacy.Receipt) {
	what := fmt.Sprintf("%d lead, %d submissions, %d events, %d devices, %d candidates",
		r.Leads, r.Submissions, r.Events, r.Anchors, r.Candidates)
	switch {
	case r.Leads == 0:
		fmt.Fprintln(w, "Nothing is kept about this address.")
	case r.ID == 0:
		fmt.Fprintln(w, "Would remove "+what+".")
	default:
		fmt.Fprintln(w, "Removed "+what+".")
	}
	if r.ID != 0 {
		fmt.Fprintf(w, "Receipt %d of %s.\n", r.ID, r.At.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
}
