package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"

	"continuity/cmd/app"
	"continuity/cmd/continuity/treefile"
	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

type trees struct {
	Import   treeImport   `cmd:"" help:"Add or change the trees of a CSV file: all of them, or none."`
	List     treeList     `cmd:"" help:"List the trees."`
	Retarget treeRetarget `cmd:"" help:"Say where a tree's code leads."`
	Orphans  treeOrphans  `cmd:"" help:"List the codes that were scanned and lead to no tree."`
	QR       treeQR       `cmd:"" help:"Draw a tree's code."                                            name:"qr"`
	Sheet    treeSheet    `cmd:"" help:"Write a sheet of codes to print, as HTML."`
}

type treeImport struct {
	File    string `arg:""  help:"CSV with a first line that names its columns; - for standard input."`
	DryRun  bool   `help:"Read and check everything, and change nothing."`
	ID      string `help:"Name of the column with the ids."             name:"id"`
	Name    string `help:"Name of the column with the names."`
	Species string `help:"Name of the column with the species."`
	Lat     string `help:"Name of the column with the latitudes."`
	Lon     string `help:"Name of the column with the longitudes."`
	Target  string `help:"Name of the column with the addresses that the codes lead to."`
	JSON    bool   `help:"Print JSON."                                  name:"json"`
}

type importView struct {
	Added   int            `json:"added"`
	Changed int            `json:"changed"`
	DryRun  bool           `json:"dry_run"`
	Bad     []treefile.Bad `json:"bad_rows"`
}

// Run imports the file, unless any row of it is bad.
func (c treeImport) Run(ctx context.Context, term terminal) error {
	list, err := c.read()
	if err != nil {
		return err
	}
	view := importView{DryRun: c.DryRun, Bad: list.Bad}
	if len(list.Bad) > 0 {
		return errors.Join(c.print(term, view), fmt.Errorf("%d rows cannot be used; nothing was imported", len(list.Bad)))
	}
	err = withService(ctx, func(service *app.App) (err error) {
		view.Added, view.Changed, err = importTrees(ctx, service.Scanning, list, c.DryRun, term.err)
		return err
	})
	if err != nil {
		return err
	}
	return c.print(term, view)
}

func (c treeImport) read() (treefile.List, error) {
	var from io.Reader = os.Stdin
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return treefile.List{}, err
		}
		defer file.Close()
		from = file
	}
	return treefile.Read(from, map[treefile.Field]string{
		treefile.ID: c.ID, treefile.Name: c.Name, treefile.Species: c.Species,
		treefile.Lat: c.Lat, treefile.Lon: c.Lon, treefile.Target: c.Target,
	})
}

// mostShown bounds how many bad rows are listed for people.
const mostShown = 50

func (c treeImport) print(term terminal, view importView) error {
	if c.JSON {
		if view.Bad == nil {
			view.Bad = []treefile.Bad{}
		}
		return printJSON(term.out, view)
	}
	for i, bad := range view.Bad {
		if i == mostShown {
			fmt.Fprintf(term.err, "and %d more\n", len(view.Bad)-mostShown)
			break
		}
		fmt.Fprintf(term.err, "line %d: %s\n", bad.Line, bad.Reason)
	}
	if len(view.Bad) > 0 {
		return nil
	}
	how := "%d trees added, %d changed.\n"
	if view.DryRun {
		how = "%d trees would be added, %d changed.\n"
	}
	fmt.Fprintf(term.out, how, view.Added, view.Changed)
	return nil
}

func importTrees(ctx context.Context, service *scanning.Service, list treefile.List, dry bool, progress io.Writer) (added, changed int, err error) {
	bar := progressbar.NewOptions(len(list.Rows), progressbar.OptionSetWriter(progress), progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	// The bar is decoration: what goes wrong with drawing it is nobody's concern.
	defer func() { _ = bar.Finish() }()
	ids, rows := make([]scan.TreeID, len(list.Rows)), make(map[scan.TreeID]treefile.Row, len(list.Rows))
	for i, row := range list.Rows {
		ids[i], rows[row.Tree.ID] = row.Tree.ID, row
	}
	return service.Import(ctx, ids, dry, func(tree *scan.Tree) error {
		_ = bar.Add(1)
		list.Apply(rows[tree.ID], tree)
		return nil
	})
}

type treeList struct {
	JSON bool `help:"Print JSON." name:"json"`
}

type treeLine struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Species   string   `json:"species"`
	Lat       *float64 `json:"lat"`
	Lon       *float64 `json:"lon"`
	TargetURL *string  `json:"target_url"`
}

// Run lists the trees in order of their ids.
func (c treeList) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		all, err := allTrees(ctx, service.Scanning)
		if err != nil {
			return err
		}
		if c.JSON {
			lines := make([]treeLine, len(all))
			for i, tree := range all {
				lines[i] = treeLineOf(tree)
			}
			return printJSON(term.out, lines)
		}
		table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tNAME\tSPECIES\tLEADS TO")
		for _, tree := range all {
			target := tree.Target
			if target == "" {
				target = "its own page"
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", tree.ID, tree.Name, tree.Species, target)
		}
		return table.Flush()
	})
}

func treeLineOf(tree scan.Tree) treeLine {
	line := treeLine{ID: string(tree.ID), Name: tree.Name, Species: tree.Species}
	if tree.Place != nil {
		line.Lat, line.Lon = &tree.Place.Lat, &tree.Place.Lon
	}
	if tree.Target != "" {
		line.TargetURL = &tree.Target
	}
	return line
}

func allTrees(ctx context.Context, service *scanning.Service) (all []scan.Tree, err error) {
	page := scanning.Page{Limit: scanning.MostLimit}
	for {
		listed, err := service.Trees(ctx, page)
		if err != nil {
			return nil, err
		}
		all = append(all, listed.Trees...)
		if page.After = listed.Next; page.After == "" {
			return all, nil
		}
	}
}

type treeRetarget struct {
	ID   string `arg:"" help:"The tree's id."`
	URL  string `arg:"" help:"Where its code leads; left out, to the tree's own page." optional:""`
	JSON bool   `help:"Print JSON."                                                   name:"json"`
}

// Run changes the target.
func (c treeRetarget) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		tree, err := service.Scanning.Change(ctx, scan.TreeID(c.ID), func(tree *scan.Tree) { tree.Target = c.URL })
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(term.out, treeLineOf(tree))
		}
		if tree.Target == "" {
			fmt.Fprintf(term.out, "The code of %s leads to its own page.\n", tree.ID)
			return nil
		}
		fmt.Fprintf(term.out, "The code of %s leads to %s\n", tree.ID, tree.Target)
		return nil
	})
}

type treeOrphans struct {
	JSON bool `help:"Print JSON." name:"json"`
}

type orphanView struct {
	Code  string    `json:"code"`
	Scans int       `json:"scans"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
}

// Run lists orphan codes: signs for trees that were never imported, or damaged ones.
func (c treeOrphans) Run(ctx context.Context, term terminal) error {
	return withService(ctx, func(service *app.App) error {
		all, err := service.Scanning.Orphans(ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			views := make([]orphanView, len(all))
			for i, o := range all {
				views[i] = orphanView{Code: string(o.Code), Scans: o.Scans, First: o.First, Last: o.Last}
			}
			return printJSON(term.out, views)
		}
		table := tabwriter.NewWriter(term.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "CODE\tSCANS\tLAST")
		for _, o := range all {
			code := string(o.Code)
			if code == "" {
				code = "(others)"
			}
			fmt.Fprintf(table, "%s\t%d\t%s\n", code, o.Scans, o.Last.Format(time.DateTime))
		}
		return table.Flush()
	})
}

// publicURL is what codes lead to: as given, else as configured.
func publicURL(given string) (string, error) {
	if given == "" {
		config, err := app.Load()
		if err != nil {
			return "", err
		}
		given = config.PublicURL
	}
	if given == "" {
		return "", fault.New(fault.Invalid, "base", "is needed: set CONTINUITY_PUBLIC_URL or give --base https://www.example.org")
	}
	if err := scanning.CheckBase(given); err != nil {
		return "", fault.New(fault.Invalid, "base", "must be a public address such as https://www.example.org")
	}
	return given, nil
}
