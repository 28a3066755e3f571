package contract

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/scan"
)

// visits of trees, on a bench.
type forest struct{ *bench }

func newVisitor() scan.VisitorID {
	var random [16]byte
	_, err := rand.Read(random[:])
	Expect(err).NotTo(HaveOccurred())
	return scan.NewVisitorID(random)
}

func (f forest) plant(ids ...scan.TreeID) {
	GinkgoHelper()
	for _, id := range ids {
		Expect(f.AddTree(f.ctx, scan.Tree{ID: id, Name: "Tree " + string(id)})).To(Succeed())
	}
}

func (f forest) scan(tree scan.TreeID, visitors ...scan.VisitorID) scan.Change {
	GinkgoHelper()
	change, err := f.tryScan(tree, visitors...)
	Expect(err).NotTo(HaveOccurred())
	return change
}

func (f forest) tryScan(tree scan.TreeID, visitors ...scan.VisitorID) (scan.Change, error) {
	return f.RecordScan(f.ctx, scan.Scan{
		Tree: tree, At: f.moment.Now, Visitors: visitors, Fresh: newVisitor(), Address: "192.0.2.7", Agent: "a phone",
	}, time.Time{})
}

func (f forest) exclude(tree scan.TreeID, reason scan.Exclusion, visitors ...scan.VisitorID) {
	GinkgoHelper()
	change, err := f.RecordScan(f.ctx, scan.Scan{
		Tree: tree, At: f.moment.Now, Visitors: visitors, Fresh: newVisitor(), Excluded: reason,
	}, time.Time{})
	Expect(err).NotTo(HaveOccurred())
	Expect(change.Visitor).To(BeZero())
}

func (f forest) rows(tree scan.TreeID, between ...time.Time) []scan.Row {
	GinkgoHelper()
	var rows []scan.Row
	ends := append(between, time.Time{}, time.Time{})
	Expect(f.EachScan(f.ctx, []scan.TreeID{tree}, ends[0], ends[1], func(id scan.TreeID, row scan.Row) {
		Expect(id).To(Equal(tree))
		rows = append(rows, row)
	})).To(Succeed())
	return rows
}

// together acts that many times at once.
func (f forest) together(times int, act func()) {
	start := make(chan struct{})
	var all sync.WaitGroup
	for range times {
		all.Go(func() {
			defer GinkgoRecover()
			<-start
			act()
		})
	}
	close(start)
	all.Wait()
}

// people are the rows that have a visitor.
func people(rows []scan.Row) (found []scan.Row) {
	for _, row := range rows {
		if row.Visitor != 0 {
			found = append(found, row)
		}
	}
	return found
}

// Scanning is the suite of scanning.Scans.
func Scanning(open func() Stores) {
	var f forest
	BeforeEach(func() {
		f = forest{newBench(open)}
		f.plant("oak", "elm")
	})

	It("makes a visitor of whoever brings no id, and knows the visitor again", func() {
		first := f.scan("oak")
		Expect(first.Status).To(Equal(scan.NewVisitor))
		f.later(time.Hour)
		again := f.scan("oak", first.Visitor)
		Expect(again).To(Equal(scan.Change{Visitor: first.Visitor, Status: scan.ReturningVisitor}))
		Expect(f.rows("oak")).To(HaveLen(2))
	})

	It("takes an id that it does not know as it is, once", func() {
		lost := newVisitor()
		Expect(f.scan("oak", lost)).To(Equal(scan.Change{Visitor: lost, First: true, Status: scan.NewVisitor}))
		Expect(f.scan("oak", lost).Status).To(Equal(scan.ReturningVisitor))
	})

	It("tells a status per tree", func() {
		visitor := f.scan("oak").Visitor
		Expect(f.scan("elm", visitor).Status).To(Equal(scan.NewVisitor))
		Expect(f.scan("oak", visitor).Status).To(Equal(scan.ReturningVisitor))
		Expect(f.scan("elm", visitor).Status).To(Equal(scan.ReturningVisitor))
	})

	It("prefers an id that is known to one that was planted before it", func() {
		visitor := f.scan("oak").Visitor
		change := f.scan("oak", newVisitor(), visitor)
		Expect(change.Visitor).To(Equal(visitor))
		Expect(change.Status).To(Equal(scan.ReturningVisitor))
	})

	It("keeps excluded rows apart, without a visitor", func() {
		visitor := newVisitor()
		f.exclude("oak", scan.Bot, visitor)
		f.exclude("oak", scan.Prefetch, visitor)
		Expect(f.scan("oak", visitor).Status).To(Equal(scan.NewVisitor))
		rows := f.rows("oak")
		Expect(rows).To(HaveLen(3))
		Expect(people(rows)).To(HaveLen(1))
		Expect([]scan.Exclusion{rows[0].Excluded, rows[1].Excluded, rows[2].Excluded}).To(ConsistOf(
			scan.Exclusion(""), scan.Bot, scan.Prefetch))
	})

	It("makes one visitor, and one first scan, of many scans with one new id at once", func() {
		const many = 24
		visitor := newVisitor()
		changes := make([]scan.Change, many)
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() {
				defer GinkgoRecover()
				changes[i] = f.scan("oak", visitor)
			})
		}
		all.Wait()
		news := 0
		for _, change := range changes {
			Expect(change.Visitor).To(Equal(visitor))
			if change.Status == scan.NewVisitor {
				news++
			}
		}
		Expect(news).To(Equal(1))
		rows := f.rows("oak")
		Expect(rows).To(HaveLen(many))
		firsts := 0
		for _, row := range rows {
			Expect(row.Visitor).To(Equal(rows[0].Visitor))
			if row.First {
				firsts++
			}
		}
		Expect(firsts).To(Equal(1))
	})

	It("makes one first scan of many at once by a visitor whom another tree knows", func() {
		for round := range 5 {
			visitor := f.scan("elm").Visitor
			tree := scan.TreeID(fmt.Sprint("ash-", round))
			f.plant(tree)
			f.together(24, func() { f.scan("elm") }) // so that there is a connection for each
			var news atomic.Int32
			f.together(24, func() {
				if f.scan(tree, visitor).Status == scan.NewVisitor {
					news.Add(1)
				}
			})
			Expect(news.Load()).To(BeEquivalentTo(1))
		}
	})

	It("appends a hundred scans of one tree at once as a hundred rows", func() {
		const many = 100
		var all sync.WaitGroup
		for range many {
			all.Go(func() {
				defer GinkgoRecover()
				f.scan("oak")
			})
		}
		all.Wait()
		distinct := map[int64]bool{}
		for _, row := range f.rows("oak") {
			distinct[row.Visitor] = true
		}
		Expect(distinct).To(HaveLen(many))
	})

	It("records nothing of a tree that is not there", func() {
		visitor := newVisitor()
		_, err := f.tryScan("ash", visitor)
		Expect(err).To(haveCode(fault.NotFound))
		f.plant("ash")
		Expect(f.rows("ash")).To(BeEmpty())
	})

	It("counts codes that lead nowhere, each for itself", func() {
		for range 2 {
			Expect(f.Orphan(f.ctx, "birch", f.moment.Now)).To(Succeed())
			f.later(time.Minute)
		}
		Expect(f.Orphan(f.ctx, "beech", f.moment.Now)).To(Succeed())
		orphans, err := f.Orphans(f.ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(orphans).To(HaveLen(2))
		Expect(orphans[0].Code).To(Equal(scan.TreeID("birch")))
		Expect(orphans[0].Scans).To(Equal(2))
		Expect(orphans[0].Last.Sub(orphans[0].First)).To(Equal(time.Minute))
	})

	It("reads the rows of a stretch of time, by visitor and then by time", func() {
		ana, ben := f.scan("oak").Visitor, f.scan("oak").Visitor
		from := f.moment.Now.Add(time.Second)
		for range 3 {
			f.later(time.Second)
			f.scan("oak", ben)
			f.scan("oak", ana)
		}
		rows := f.rows("oak", from, f.moment.Now)
		Expect(rows).To(HaveLen(4))
		Expect(rows[0].Visitor).To(Equal(rows[1].Visitor))
		Expect(rows[2].Visitor).To(Equal(rows[3].Visitor))
		Expect(rows[0].Visitor).NotTo(Equal(rows[2].Visitor))
		Expect(rows[0].At).To(BeTemporally("==", from))
		Expect(rows[1].At).To(BeTemporally(">", rows[0].At))
	})

	It("bounds how many invented codes it tells apart", func() {
		const bound = 1000
		for i := range bound + 5 {
			Expect(f.Orphan(f.ctx, scan.TreeID(fmt.Sprint("made-up-", i)), f.moment.Now)).To(Succeed())
		}
		orphans, err := f.Orphans(f.ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(len(orphans)).To(BeNumerically("<=", bound+1))
		Expect(orphans[0].Code).To(BeEmpty())
		Expect(orphans[0].Scans).To(Equal(5))
	})
}
