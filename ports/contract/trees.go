package contract

import (
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

// Trees is the suite of scanning.Trees, but for the rows of scans.
func Trees(open func() Stores) {
	var f forest
	BeforeEach(func() { f = forest{newBench(open)} })

	oak := scan.Tree{
		ID: "oak-1", Name: "Дуб «Старый» 老橡树", Species: "Quercus robur",
		Place: &scan.Place{Lat: 48.1486, Lon: -17.1077}, Target: "https://www.example.org/oak",
	}

	It("keeps a tree as it was given", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		Expect(f.Tree(f.ctx, "oak-1")).To(Equal(oak))
		Expect(f.AddTree(f.ctx, scan.Tree{ID: "elm"})).To(Succeed())
		Expect(f.Tree(f.ctx, "elm")).To(Equal(scan.Tree{ID: "elm"}))
	})

	It("tells ids apart by case, and knows no other", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		_, err := f.Tree(f.ctx, "OAK-1")
		Expect(err).To(haveCode(fault.NotFound))
		Expect(f.AddTree(f.ctx, scan.Tree{ID: "OAK-1"})).To(Succeed())
	})

	It("refuses a second tree of one id and leaves the first as it is", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		err := f.AddTree(f.ctx, scan.Tree{ID: "oak-1", Name: "another"})
		Expect(err).To(haveCode(fault.Taken))
		Expect(err).To(MatchError(ContainSubstring("id")))
		Expect(f.Tree(f.ctx, "oak-1")).To(Equal(oak))
	})

	It("changes what it is asked to, but never an id", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		changed, err := f.ChangeTree(f.ctx, "oak-1", func(tree *scan.Tree) error {
			tree.ID, tree.Target, tree.Place = "elm", "", nil
			return nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(changed).To(Equal(scan.Tree{ID: "oak-1", Name: oak.Name, Species: oak.Species}))
		Expect(f.Tree(f.ctx, "oak-1")).To(Equal(changed))
	})

	It("keeps nothing of a change that was refused", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		refusal := errors.New("no")
		_, err := f.ChangeTree(f.ctx, "oak-1", func(tree *scan.Tree) error {
			tree.Name = "changed"
			return refusal
		})
		Expect(err).To(MatchError(refusal))
		Expect(f.Tree(f.ctx, "oak-1")).To(Equal(oak))
		_, err = f.ChangeTree(f.ctx, "elm", func(*scan.Tree) error { return nil })
		Expect(err).To(haveCode(fault.NotFound))
	})

	It("pages through the trees in order of the bytes of their ids", func() {
		for _, id := range []scan.TreeID{"b", "a_1", "B", "a-1", "a1", "Z"} {
			Expect(f.AddTree(f.ctx, scan.Tree{ID: id})).To(Succeed())
		}
		var seen []scan.TreeID
		page := scanning.Page{Limit: 2}
		for {
			part, err := f.Trees(f.ctx, page)
			Expect(err).NotTo(HaveOccurred())
			for _, tree := range part.Trees {
				seen = append(seen, tree.ID)
			}
			if page.After = part.Next; page.After == "" {
				break
			}
		}
		Expect(seen).To(Equal([]scan.TreeID{"B", "Z", "a-1", "a1", "a_1", "b"}))
		_, err := f.Trees(f.ctx, scanning.Page{After: "nonsense!", Limit: 1})
		Expect(err).To(haveCode(fault.Invalid))
	})

	It("saves many trees together, or none of them", func() {
		Expect(f.AddTree(f.ctx, oak)).To(Succeed())
		ids := []scan.TreeID{"elm", "oak-1", "ash"}
		rename := func(tree *scan.Tree, known bool) error {
			Expect(known).To(Equal(tree.ID == "oak-1"))
			tree.Name = "Named " + string(tree.ID)
			return nil
		}
		_, _, err := f.SaveTrees(f.ctx, ids, false, func(tree *scan.Tree, known bool) error {
			if tree.ID == "ash" {
				return errors.New("no")
			}
			return rename(tree, known)
		})
		Expect(err).To(MatchError("no"))
		_, err = f.Tree(f.ctx, "elm")
		Expect(err).To(haveCode(fault.NotFound))
		Expect(f.Tree(f.ctx, "oak-1")).To(Equal(oak))

		added, changed, err := f.SaveTrees(f.ctx, ids, true, rename)
		Expect([]any{added, changed, err}).To(Equal([]any{2, 1, nil}))
		_, err = f.Tree(f.ctx, "elm")
		Expect(err).To(haveCode(fault.NotFound))

		added, changed, err = f.SaveTrees(f.ctx, ids, false, rename)
		Expect([]any{added, changed, err}).To(Equal([]any{2, 1, nil}))
		Expect(f.Tree(f.ctx, "ash")).To(Equal(scan.Tree{ID: "ash", Name: "Named ash"}))
		Expect(f.Tree(f.ctx, "oak-1")).To(HaveField("Target", oak.Target))
	})
}
