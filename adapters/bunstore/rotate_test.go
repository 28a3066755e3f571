package bunstore_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/identity"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

// bunch writes with its first stamp and reads with any.
type bunch []stamp

func (b bunch) Seal(plain []byte, place string) ([]byte, error) { return b[0].Seal(plain, place) }

func (b bunch) Open(sealed []byte, place string) (plain []byte, err error) {
	for _, s := range b {
		if plain, err = s.Open(sealed, place); err == nil {
			return plain, nil
		}
	}
	return nil, err
}

var _ = Describe("A rotation", func() {
	ctx, now := context.Background(), time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	const people = 700
	someone := func(i int) written {
		return written{identity.Email(fmt.Sprintf("p%d@example.org", i)), identity.KeyHash{1, byte(i), byte(i >> 8)}}
	}

	onEach(databases, func(url func() string) {
		var db *bunstore.DB
		count := func(query string, args ...any) (n int) {
			GinkgoHelper()
			write, _ := db.Pools()
			Expect(write.NewRaw(query, args...).Scan(ctx, &n)).To(Succeed())
			return n
		}
		// interrupted runs a rotation that is stopped after each step, until it is through,
		// while others submit.
		interrupted := func(rotate func(context.Context, func(int)) error) {
			GinkgoHelper()
			var wg sync.WaitGroup
			stop := make(chan struct{})
			wg.Go(func() {
				defer GinkgoRecover()
				for i := people; ; i++ {
					select {
					case <-stop:
						return
					default:
						Expect(someone(i%(people+50)).submit(db, now)).To(Succeed())
					}
				}
			})
			defer wg.Wait()
			defer close(stop)
			for range 100 {
				some, cancel := context.WithCancel(ctx)
				if rotate(some, func(int) { cancel() }) == nil {
					cancel()
					return
				}
				cancel()
			}
			Fail("it never gets through")
		}
		BeforeEach(func() {
			db = open(bunstore.Config{URL: url()})
			Expect(db.EnrolSeal(ctx, []string{"k1"}, func(string) (bunstore.Cipher, error) { return bunch{"k1", "k2"}, nil })).To(Succeed())
			var wg sync.WaitGroup
			for worker := range 10 {
				wg.Go(func() {
					defer GinkgoRecover()
					for i := worker; i < people; i += 10 {
						Expect(someone(i).submit(db, now)).To(Succeed())
					}
				})
			}
			wg.Wait()
		})

		It("of the seal, stopped again and again, leaves everybody readable under the new key", func() {
			key := bunstore.SealKey{ID: "k2", Mark: []byte("k2 fo"), Cipher: bunch{"k2", "k1"}}
			interrupted(func(ctx context.Context, progress func(int)) error { return db.RotateSeal(ctx, key, false, progress) })
			writing := func(id string) (bunstore.Cipher, error) { return bunch{stamp(id), "k1", "k2"}, nil }
			Expect(db.EnrolSeal(ctx, []string{"k2", "k1"}, writing)).To(Succeed())
			Expect(db.RotateSeal(ctx, key, true, func(int) {})).To(Succeed())
			const others = "SELECT COUNT(*) FROM %s WHERE substr(%s, 1, 5) <> ?"
			for _, column := range [][2]string{{"leads", "identity"}, {"submissions", "identity"}, {"submissions", "fields"}} {
				Expect(count(fmt.Sprintf(others, column[0], column[1]), []byte("k2 fo"))).To(BeZero())
			}
			alone := func(id string) (bunstore.Cipher, error) { return bunch{stamp(id)}, nil }
			Expect(db.EnrolSeal(ctx, []string{"k2"}, alone)).To(Succeed(), "the old key is needed no more")
			page, err := db.Leads(ctx, now, reporting.Page{Limit: 1000})
			Expect(err).NotTo(HaveOccurred())
			seen := map[identity.Email]bool{}
			for _, lead := range page.Items {
				Expect(lead.Person.Name).To(Equal(writtenName))
				seen[lead.Person.Email] = true
			}
			Expect(len(seen)).To(Equal(len(page.Items)), "none is there twice")
			Expect(len(seen)).To(BeNumerically(">=", people))
		})

		It("of the pepper, stopped again and again, makes nobody new and loses nobody", func() {
			old, fresh := secret[0], identity.NewPepper([]byte("test-pepper-v2"))
			Expect(db.EnrolPeppers(ctx, []string{old.ID()})).To(Succeed())
			interrupted(func(ctx context.Context, progress func(int)) error {
				return db.RotatePeppers(ctx, identity.Peppers{fresh, old}, false, progress)
			})
			Expect(db.RotatePeppers(ctx, identity.Peppers{fresh, old}, false, func(int) {})).To(Succeed())
			before := count("SELECT COUNT(*) FROM leads")
			Expect(count("SELECT COUNT(*) FROM lead_keys WHERE pepper_id = ?", fresh.ID())).To(Equal(before))
			Expect(db.RotatePeppers(ctx, identity.Peppers{fresh}, true, func(int) {})).To(Succeed())
			Expect(count("SELECT COUNT(*) FROM lead_keys")).To(Equal(before))
			for i := range people {
				_, err := db.LeadOf(ctx, now, identity.Peppers{fresh}.Keys(someone(i).email))
				Expect(err).NotTo(HaveOccurred())
			}
			Expect(db.EnrolPeppers(ctx, []string{fresh.ID()})).To(Succeed())
		})

		It("is not needed for somebody who submits meanwhile: the new pepper knows them from then on", func() {
			fresh := identity.NewPepper([]byte("test-pepper-v2"))
			both := identity.Peppers{fresh, secret[0]}
			known, err := db.LeadOf(ctx, now, secret.Keys(someone(1).email))
			Expect(err).NotTo(HaveOccurred())
			ask := capture.Ask{Now: now, Person: both.Keys(someone(1).email), Client: "again", Creates: true}
			_, err = db.Record(ctx, ask, func(s identity.State) identity.Change {
				return s.Submit(identity.Submit{
					Moment: identity.Moment{Now: now}, Client: "again", Person: identity.Person{Email: someone(1).email},
				})
			})
			Expect(err).NotTo(HaveOccurred())
			again, err := db.LeadOf(ctx, now, identity.Peppers{fresh}.Keys(someone(1).email))
			Expect(err).NotTo(HaveOccurred())
			Expect(again.ID).To(Equal(known.ID))
		})
	})
})
