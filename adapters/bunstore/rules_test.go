package bunstore_test

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"continuity/adapters/bunstore"
)

// beForbidden succeeds when a database refused what the rules forbid, whoever asked.
func beForbidden() OmegaMatcher {
	return WithTransform(func(err error) bool {
		if refusal, ok := errors.AsType[*driver.Error](err); ok {
			return refusal.Code() == codes.SQLITE_CONSTRAINT_TRIGGER
		}
		refusal, ok := errors.AsType[*pgconn.PgError](err)
		return ok && refusal.Code == "23514"
	}, BeTrue())
}

var _ = Describe("The database itself", func() {
	onEach(databases, func(url func() string) {
		var tell func(statement string, args ...any) error
		BeforeEach(func() {
			write, _ := open(bunstore.Config{URL: url()}).Pools()
			tell = func(statement string, args ...any) error {
				_, err := write.ExecContext(context.Background(), statement, args...)
				return err
			}
			for lead := 1; lead <= 2; lead++ {
				Expect(tell(`INSERT INTO leads (id, identity, lead_status, first_seen_at, last_seen_at)
					VALUES (?, ?, 'new', 0, 0)`, lead, []byte("{}"))).To(Succeed())
			}
		})

		// device is an anchor as it stands in the database: number 9.
		device := func(lead, first, provenance any, shared bool) {
			GinkgoHelper()
			Expect(tell(`INSERT INTO anchors
				(id, lead_id, first_lead_id, link_provenance, shared_flag, status, created_at, last_seen_at)
				VALUES (9, ?, ?, ?, ?, 'saved', 0, 0)`, lead, first, provenance, shared)).To(Succeed())
		}
		update := func(set string) error { return tell("UPDATE anchors SET " + set + " WHERE id = 9") }

		It("refuses to rewrite an event, in whatever part of it", func() {
			Expect(tell(`INSERT INTO events (anchor_id, event_id, occurred_at, received_at, clamped, source, position,
				kind, ownership) VALUES (9, '0191b6f2-7c1e-7d3a-9a55-0f2f7f6f1c11', 1, 1, ?, 0, 0, 'page_view', 0)`, false)).To(Succeed())
			for _, set := range []string{"lead_id = 1", "ownership = 2", "occurred_at = 0", "title = 'x'", "kind = kind"} {
				Expect(tell("UPDATE events SET "+set)).To(beForbidden(), set)
			}
			Expect(tell("DELETE FROM events")).To(Succeed(), "erasure may take it away")
		})

		It("refuses another first lead, and takes one from and to none", func() {
			device(nil, nil, nil, false)
			Expect(update("first_lead_id = 1")).To(Succeed())
			Expect(update("first_lead_id = 1")).To(Succeed())
			Expect(update("first_lead_id = 2")).To(beForbidden())
			Expect(update("first_lead_id = 2, lead_id = 2, link_provenance = 'manual'")).To(beForbidden())
			Expect(update("first_lead_id = NULL")).To(Succeed())
			Expect(update("first_lead_id = 2")).To(Succeed())
		})

		DescribeTable("refuses to point a device elsewhere, unless a person did it",
			func(lead, first any, shared bool) {
				device(lead, first, "key", shared)
				Expect(update("lead_id = 2")).To(beForbidden())
				Expect(update("lead_id = 2, link_provenance = 'email_hmac'")).To(beForbidden())
				Expect(update("lead_id = 2, link_provenance = NULL")).To(beForbidden())
				Expect(update("lead_id = 2, link_provenance = 'manual'")).To(Succeed())
				Expect(update("lead_id = 1, link_provenance = 'manual'")).To(Succeed(), "and may change their mind")
				Expect(update("lead_id = 2, link_provenance = 'key'")).To(beForbidden())
				Expect(update("lead_id = NULL")).To(Succeed(), "erasure unlinks")
			},
			Entry("when it is linked", 1, 1, false),
			Entry("when it is linked and shared", 1, 1, true),
			Entry("when it was linked once", nil, 1, false),
			Entry("when it is shared, and its people are gone", nil, nil, true),
		)

		It("lets a device that never was linked be linked, and nothing else of it be held", func() {
			device(nil, nil, nil, false)
			Expect(update("lead_id = 1, first_lead_id = 1, link_provenance = 'key'")).To(Succeed())
			Expect(update("lead_id = 1, link_provenance = 'email_hmac'")).To(Succeed(), "the same lead is no other")
			Expect(tell("UPDATE anchors SET shared_flag = ?, status = 'held', expires_at = 5, visitor_key_hash = NULL", true)).
				To(Succeed())
		})
	})
})
