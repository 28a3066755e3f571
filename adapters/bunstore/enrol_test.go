package bunstore_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

// stamp is a cipher that a reader of these specs can follow: it writes the name of
// its key and the place before what it seals.
type stamp string

func (s stamp) Seal(plain []byte, place string) ([]byte, error) {
	return append([]byte(string(s)+" for "+place+":"), plain...), nil
}

func (s stamp) Open(sealed []byte, place string) ([]byte, error) {
	mark := string(s) + " for " + place + ":"
	if len(sealed) < len(mark) || string(sealed[:len(mark)]) != mark {
		return nil, errors.New("not sealed by this key for this place")
	}
	return sealed[len(mark):], nil
}

var _ = Describe("Enrolling secrets", func() {
	ctx, now := context.Background(), time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	writing := func(id string) (bunstore.Cipher, error) { return stamp(id), nil }
	ana := written{"zephyrine@example.org", identity.KeyHash{9}}
	missing := func(err error) bool {
		_, ok := errors.AsType[*bunstore.MissingSecret](err)
		return ok
	}

	onEach(databases, func(url func() string) {
		var db *bunstore.DB
		BeforeEach(func() { db = open(bunstore.Config{URL: url()}) })

		It("takes the first and holds every later node to them", func() {
			Expect(db.EnrolPeppers(ctx, []string{"p1"})).To(Succeed())
			Expect(db.EnrolPeppers(ctx, []string{"p2", "p1"})).To(Succeed(), "it has more than it needs")
			Expect(missing(db.EnrolPeppers(ctx, []string{"p2"}))).To(BeTrue())
			Expect(db.EnrolSeal(ctx, []string{"k1"}, writing)).To(Succeed())
			Expect(db.EnrolSeal(ctx, []string{"k2", "k1"}, writing)).To(Succeed())
			Expect(missing(db.EnrolSeal(ctx, []string{"k2"}, writing))).To(BeTrue())
			impostor := func(string) (bunstore.Cipher, error) { return stamp("another"), nil }
			Expect(missing(db.EnrolSeal(ctx, []string{"k1"}, impostor))).To(BeTrue(), "the same id, another key")
		})

		It("seals what was readable, and goes on writing under a key that every node has", func() {
			Expect(ana.submit(db, now)).To(Succeed())
			Expect(db.EnrolSeal(ctx, []string{"k1"}, writing)).To(Succeed())
			Expect(db.EnrolSeal(ctx, []string{"k2", "k1"}, writing)).To(Succeed())
			ben := written{"ben@example.org", identity.KeyHash{8}}
			Expect(ben.submit(db, now)).To(Succeed())
			write, _ := db.Pools()
			var columns [][]byte
			Expect(write.NewRaw("SELECT identity FROM leads UNION ALL SELECT identity FROM submissions UNION ALL SELECT fields FROM submissions").
				Scan(ctx, &columns)).To(Succeed())
			Expect(columns).To(HaveLen(6))
			for _, column := range columns {
				Expect(string(column)).To(MatchRegexp("^k1 for (leads|submissions)/"))
			}
			leads, err := db.Leads(ctx, now, reporting.Page{Limit: 9})
			Expect(err).NotTo(HaveOccurred())
			Expect(leads.Items[1].Person).To(Equal(identity.Person{Email: ana.email, Name: writtenName, Phone: writtenPhone}))
			submissions, err := db.Submissions(ctx, now, leads.Items[1].ID)
			Expect(err).NotTo(HaveOccurred())
			Expect(submissions[0].Fields).To(ContainSubstring(writtenName))
		})
	})
})
