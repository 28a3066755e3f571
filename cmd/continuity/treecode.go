package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"continuity/adapters/qrcode"
	"continuity/cmd/app"
	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

type treeQR struct {
	ID   string `arg:"" help:"The tree's id."`
	SVG  bool   `help:"Draw an SVG, which scales to any size (the default)." name:"svg" xor:"form"`
	PNG  bool   `help:"Draw a PNG."                                         name:"png" xor:"form"`
	Out  string `help:"Write to this file instead of standard output."      short:"o"`
	Base string `help:"Public address that codes lead to, instead of CONTINUITY_PUBLIC_URL."`
}

// Run draws the code.
func (c treeQR) Run(ctx context.Context, term terminal) error {
	base, err := publicURL(c.Base)
	if err != nil {
		return err
	}
	form := scanning.SVG
	if c.PNG {
		form = scanning.PNG
	}
	return withService(ctx, func(service *app.App) error {
		drawn, err := service.Scanning.Code(ctx, scan.TreeID(c.ID), base, form)
		if err != nil {
			return err
		}
		return deliver(term, c.Out, drawn)
	})
}

type treeSheet struct {
	IDs     []string `arg:"" help:"The trees' ids; left out, all trees."             name:"id"   optional:""`
	Columns int      `default:"3" help:"Codes side by side, from 1 to 6."`
	Out     string   `help:"Write to this file instead of standard output."          short:"o"`
	Base    string   `help:"Public address that codes lead to, instead of CONTINUITY_PUBLIC_URL."`
}

// Run writes the sheet.
func (c treeSheet) Run(ctx context.Context, term terminal) error {
	if c.Columns < 1 || c.Columns > qrcode.MostColumns {
		return fault.New(fault.Invalid, "columns", "must be from 1 to 6")
	}
	base, err := publicURL(c.Base)
	if err != nil {
		return err
	}
	return withService(ctx, func(service *app.App) error {
		trees, err := c.trees(ctx, service.Scanning)
		if err != nil {
			return err
		}
		labels := make([]qrcode.Label, len(trees))
		for i, tree := range trees {
			labels[i] = qrcode.Label{
				Address: scanning.AddressOf(base, tree.ID), Title: tree.Name, Subtitle: tree.Species, ID: string(tree.ID),
			}
		}
		var sheet bytes.Buffer
		if err := qrcode.Sheet(&sheet, labels, c.Columns); err != nil {
			return err
		}
		return deliver(term, c.Out, sheet.Bytes())
	})
}

func (c treeSheet) trees(ctx context.Context, service *scanning.Service) ([]scan.Tree, error) {
	if len(c.IDs) == 0 {
		return allTrees(ctx, service)
	}
	trees := make([]scan.Tree, len(c.IDs))
	for i, id := range c.IDs {
		tree, err := service.Look(ctx, scan.TreeID(id))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		trees[i] = tree
	}
	return trees, nil
}

// deliver writes to a file or, without one, to standard output.
func deliver(term terminal, file string, content []byte) error {
	if file == "" {
		_, err := term.out.Write(content)
		return err
	}
	return os.WriteFile(file, content, 0o644) //nolint:gosec // a picture to be shared
}
