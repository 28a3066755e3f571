package scanning

import (
	"context"
	"fmt"
	"io"
	"strings"

	"continuity/domain/fault"
	"continuity/domain/scan"
)

// The bounds of a page.
const (
	DefaultLimit = 100
	MostLimit    = 1000
)

func (p Page) bounded() (Page, error) {
	if p.Limit > MostLimit {
		return Page{}, fault.New(fault.Invalid, "limit", "is at most 1000")
	}
	if p.Limit <= 0 {
		p.Limit = DefaultLimit
	}
	return p, nil
}

// Trees lists trees in order of their ids.
func (s *Service) Trees(ctx context.Context, page Page) (Listed, error) {
	page, err := page.bounded()
	if err != nil {
		return Listed{}, err
	}
	return s.store.Trees(ctx, page)
}

// freshIDSize is how many random bytes name a tree that was given no id.
const freshIDSize = 6

// Add keeps a new tree. Without an id it gets one that no other has.
func (s *Service) Add(ctx context.Context, tree scan.Tree) (scan.Tree, error) {
	if tree.ID == "" {
		random := make([]byte, freshIDSize)
		if _, err := io.ReadFull(s.random, random); err != nil {
			return scan.Tree{}, fmt.Errorf("draw a tree's id: %w", err)
		}
		tree.ID = scan.TreeID(letters(random))
	}
	if err := tree.Check(); err != nil {
		return scan.Tree{}, err
	}
	return tree, s.store.AddTree(ctx, tree)
}

// Change keeps what change makes of a tree, and tells it as it is then.
func (s *Service) Change(ctx context.Context, id scan.TreeID, change func(*scan.Tree)) (scan.Tree, error) {
	return s.store.ChangeTree(ctx, id, func(tree *scan.Tree) error {
		change(tree)
		return tree.Check()
	})
}

// Import keeps all trees, new or known, or none: change is called for each id, in
// order, with the tree or with an empty one of that id. dry only counts.
func (s *Service) Import(
	ctx context.Context, ids []scan.TreeID, dry bool, change func(tree *scan.Tree) error,
) (added, changed int, err error) {
	return s.store.SaveTrees(ctx, ids, dry, func(tree *scan.Tree, _ bool) error {
		if err := change(tree); err != nil {
			return err
		}
		return tree.Check()
	})
}

// Orphans lists the codes that were asked for in vain, the most frequent first.
func (s *Service) Orphans(ctx context.Context) ([]Orphan, error) { return s.store.Orphans(ctx) }

// Form is how a code is drawn.
type Form string

// The forms.
const (
	SVG Form = "svg"
	PNG Form = "png"
)

// Code draws the code of a tree. base is the public address that it leads to,
// without /t/ and what follows: an absolute address, else the fault names "base".
func (s *Service) Code(ctx context.Context, id scan.TreeID, base string, form Form) ([]byte, error) {
	address, err := s.Address(ctx, id, base)
	if err != nil {
		return nil, err
	}
	if form == PNG {
		return s.codes.PNG(address)
	}
	return s.codes.SVG(address)
}

// Address is what the code of a tree says.
func (s *Service) Address(ctx context.Context, id scan.TreeID, base string) (string, error) {
	if err := CheckBase(base); err != nil {
		return "", err
	}
	tree, err := s.store.Tree(ctx, id)
	if err != nil {
		return "", err
	}
	return AddressOf(base, tree.ID), nil
}

// AddressOf is what the code of a tree says under a checked base.
func AddressOf(base string, id scan.TreeID) string {
	return strings.TrimRight(base, "/") + "/t/" + string(id)
}

// CheckBase is nil for an absolute address that /t/ and an id can follow.
func CheckBase(base string) error {
	if base == "" {
		return fault.New(fault.Unlisted, "base", "is needed: the code must say under which public address the tree is found")
	}
	if strings.ContainsAny(base, "?#") || scan.CheckTarget("base", base) != nil {
		return fault.New(fault.Unlisted, "base", "must be a public address such as https://www.example.org")
	}
	return nil
}

func letters(random []byte) string {
	const of = "23456789abcdefghjkmnpqrstuvwxyz"
	text := make([]byte, len(random))
	for i, b := range random {
		text[i] = of[int(b)%len(of)]
	}
	return string(text)
}
