package bunstore_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/bunstore"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
)

// written is somebody who is easily found in a pile of bytes.
type written struct {
	email identity.Email
	key   identity.KeyHash
}

const (
	writtenName  = "Zephyrine Quillfeather"
	writtenPhone = "+00 5550 1234567"
)

var secret = identity.Peppers{identity.NewPepper([]byte("test-pepper-v1"))}

// submit keeps a person with one event.
func (p written) submit(db *bunstore.DB, now time.Time) error {
	moment := identity.Moment{Now: now, Keep: identity.Retention{Period: time.Hour}}
	event := journey.Event{
		ID: "e", Session: "s", OccurredAt: now, ReceivedAt: now, Source: journey.FromSubmission, Kind: "page_view",
		URL: "https://www.example.org/secret-" + string(p.email), Title: strings.Repeat("long ", 100),
	}
	ask := capture.Ask{Now: now, Keys: []identity.KeyHash{p.key}, Person: secret.Keys(p.email), Client: "f", Session: "s", Creates: true}
	_, err := db.Record(context.Background(), ask, func(s identity.State) identity.Change {
		return s.Submit(identity.Submit{
			Moment: moment, Client: "f", Session: "s", Form: "contact", FreshKey: p.key,
			Person: identity.Person{Email: p.email, Name: writtenName, Phone: writtenPhone},
			Fields: `{"note":"` + writtenName + `"}`, Events: []journey.Event{event},
		})
	})
	return err
}

// marks are all that must not be found of a person.
func (p written) marks() [][]byte {
	hmac := secret.Keys(p.email)[0].HMAC
	return [][]byte{[]byte(p.email), []byte(writtenName), []byte(writtenPhone), hmac[:], p.key[:]}
}

// remains are the files under a folder, or beside a file, in which a mark stands.
func remains(pattern string, marks [][]byte) (found []string) {
	GinkgoHelper()
	files, err := filepath.Glob(pattern)
	Expect(err).NotTo(HaveOccurred())
	Expect(files).NotTo(BeEmpty())
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // a folder, or gone since
		}
		for i, mark := range marks {
			if bytes.Contains(content, mark) {
				found = append(found, fmt.Sprint(filepath.Base(file), " has mark ", i))
			}
		}
	}
	return found
}

var _ = Describe("Whoever is erased", func() {
	ctx, now := context.Background(), time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)

	It("is in no byte of the SQLite file, its indexes and its log", func() {
		url := sqliteFile()
		db := open(bunstore.Config{URL: url})
		for i := range 200 {
			other := written{identity.Email(fmt.Sprintf("p%d@example.org", i)), identity.KeyHash{1, byte(i)}}
			Expect(other.submit(db, now)).To(Succeed())
		}
		ana := written{"zephyrine@example.org", identity.KeyHash{9, 8, 7, 6, 5, 4, 3, 2, 1}}
		Expect(ana.submit(db, now)).To(Succeed())
		files := strings.TrimPrefix(url, "sqlite://") + "*"
		marks := [][]byte{ana.marks()[0], ana.marks()[3], ana.marks()[4]} // the others have the same name and phone
		Expect(remains(files, marks)).NotTo(BeEmpty(), "a look that finds nothing proves nothing")
		_, err := db.Erase(ctx, now, secret.Keys(ana.email))
		Expect(err).NotTo(HaveOccurred())
		Expect(remains(files, marks)).To(BeEmpty())
		for i := range 200 {
			_, err := db.Erase(ctx, now, secret.Keys(identity.Email(fmt.Sprintf("p%d@example.org", i))))
			Expect(err).NotTo(HaveOccurred())
		}
		Expect(remains(files, ana.marks())).To(BeEmpty())
	})

	It("is erased from the SQLite log while others go on reading and writing", func() {
		url := sqliteFile()
		db := open(bunstore.Config{URL: url})
		ana := written{"zephyrine@example.org", identity.KeyHash{9, 8, 7, 6, 5, 4, 3, 2, 1}}
		Expect(ana.submit(db, now)).To(Succeed())
		_, read := db.Pools()
		tx, err := read.Begin()
		Expect(err).NotTo(HaveOccurred())
		var n int
		Expect(tx.NewRaw("SELECT COUNT(*) FROM leads").Scan(ctx, &n)).To(Succeed())
		erased := make(chan error, 1)
		go func() {
			_, err := db.Erase(ctx, now, secret.Keys(ana.email))
			erased <- err
		}()
		Eventually(func() error {
			_, err := db.Tally(ctx, now, secret.Keys(ana.email))
			return err
		}).Should(Succeed())
		ben := written{"ben@example.org", identity.KeyHash{5}}
		Expect(ben.submit(db, now)).To(Succeed(), "a reader who dawdles holds nobody up")
		Expect(tx.Rollback()).To(Succeed())
		Eventually(erased, "20s").Should(Receive(BeNil()))
		Expect(remains(strings.TrimPrefix(url, "sqlite://")+"*", ana.marks()[:1])).To(BeEmpty())
	})

	It("is in no live row of Postgres, and after a vacuum in no page of the tables with identities", func() {
		url := databases["Postgres"]()
		db := open(bunstore.Config{URL: url})
		ana := written{"zephyrine@example.org", identity.KeyHash{9, 8, 7, 6, 5, 4, 3, 2, 1}}
		Expect(ana.submit(db, now)).To(Succeed())
		write, _ := db.Pools()
		pages := func() string {
			GinkgoHelper()
			_, err := write.Exec("CHECKPOINT")
			Expect(err).NotTo(HaveOccurred())
			var data, base string
			Expect(write.NewRaw("SELECT current_setting('data_directory'), (SELECT oid FROM pg_database WHERE datname = current_database())").
				Scan(ctx, &data, &base)).To(Succeed())
			return filepath.Join(data, "base", base, "*")
		}
		Expect(remains(pages(), ana.marks()[3:])).NotTo(BeEmpty(), "a look that finds nothing proves nothing")
		_, err := db.Erase(ctx, now, secret.Keys(ana.email))
		Expect(err).NotTo(HaveOccurred())
		for _, table := range []string{"leads", "lead_keys", "submissions", "anchors", "events"} {
			var n int
			Expect(write.NewRaw("SELECT COUNT(*) FROM "+table).Scan(ctx, &n)).To(Succeed())
			Expect(n).To(BeZero(), table)
		}
		Expect(db.Vacuum(ctx)).To(Succeed())
		Expect(remains(pages(), ana.marks()[1:])).To(BeEmpty())
	})
})
