package contract

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

func pageOf(limit int) reporting.Page { return reporting.Page{Limit: limit} }

func numberedPeople(n int) []string {
	people := make([]string, 0, n/2)
	for i := 1; i < n; i += 2 {
		people = append(people, fmt.Sprintf("p%d@example.org", i))
	}
	return people
}

// haveCode succeeds when the error is a fault of that code.
func haveCode(code fault.Code) OmegaMatcher {
	return WithTransform(fault.CodeOf, Equal(code))
}

// Reporting is the suite of reporting.Store.
func Reporting(open func() Stores) {
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("pages through leads, each once, the newest first", func() {
		for i := range 7 {
			b.submit(form{key: newKey(), email: identity.Email(fmt.Sprintf("l%d@example.org", i)), id: "f"})
		}
		var seen []identity.Email
		page := pageOf(3)
		for {
			got, err := b.Leads(b.ctx, b.moment.Now, page)
			Expect(err).NotTo(HaveOccurred())
			for _, lead := range got.Items {
				seen = append(seen, lead.Person.Email)
			}
			if page.After = got.Next; page.After == "" {
				break
			}
		}
		Expect(seen).To(Equal([]identity.Email{"l6@example.org", "l5@example.org", "l4@example.org", "l3@example.org",
			"l2@example.org", "l1@example.org", "l0@example.org"}))
	})

	It("pages through a journey over two devices in order of time", func() {
		phone, laptop := newKey(), newKey()
		var want []string
		b.submit(form{key: phone, email: "ana@example.org", id: "f1"})
		b.submit(form{key: laptop, email: "ana@example.org", id: "f2"})
		for i := range 8 {
			b.later(time.Second)
			id := fmt.Sprint("e", i)
			want = append(want, id)
			b.append([]identity.KeyHash{phone, laptop}[i%2], b.visits("s", id)...)
		}
		Expect(idsOf(b.journey("ana@example.org"))).To(Equal(want))
	})

	It("refuses a cursor that no page gave", func() {
		_, err := b.Leads(b.ctx, b.moment.Now, reporting.Page{After: "nonsense!", Limit: 1})
		Expect(err).To(haveCode(fault.Invalid))
		Expect(err).To(MatchError(ContainSubstring("cursor")))
	})

	It("says what is not there", func() {
		_, err := b.Lead(b.ctx, b.moment.Now, 99)
		Expect(err).To(haveCode(fault.NotFound))
		_, err = b.Anchor(b.ctx, b.moment.Now, 99)
		Expect(err).To(haveCode(fault.NotFound))
		_, err = b.LeadOf(b.ctx, b.moment.Now, b.peppers.Keys("nobody@example.org"))
		Expect(err).To(haveCode(fault.NotFound))
		Expect(b.SetLeadStatus(b.ctx, b.moment.Now, 99, "won")).To(haveCode(fault.NotFound))
		_, err = b.Submissions(b.ctx, b.moment.Now, 99)
		Expect(err).To(haveCode(fault.NotFound))
	})

	It("tells when a device was last here, to the moment", func() {
		key := newKey()
		change := b.submit(form{key: key, email: "ana@example.org", id: "f"})
		b.later(90 * time.Second)
		b.append(key, b.visits("s", "e")...)
		anchor, err := b.Anchor(b.ctx, b.moment.Now, change.Anchors[0].ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(anchor.LastSeenAt).To(Equal(b.moment.Now))
		Expect(b.lead("ana@example.org").LastSeen).To(Equal(b.moment.Now))
	})

	It("shows nothing of a person who has expired", func() {
		change := b.submit(form{key: newKey(), email: "ana@example.org", id: "f"})
		b.later(732 * 24 * time.Hour)
		_, err := b.LeadOf(b.ctx, b.moment.Now, b.peppers.Keys("ana@example.org"))
		Expect(err).To(haveCode(fault.NotFound))
		_, err = b.Anchor(b.ctx, b.moment.Now, change.Anchors[0].ID)
		Expect(err).To(haveCode(fault.NotFound))
		leads, err := b.Leads(b.ctx, b.moment.Now, pageOf(9))
		Expect(err).NotTo(HaveOccurred())
		Expect(leads.Items).To(BeEmpty())
	})

	It("records what a person resolved, and nothing when the verdict was refused", func() {
		key := newKey()
		device := b.submit(form{key: key, email: "ana@example.org", id: "f"}).Anchors[0].ID
		b.submit(form{key: key, email: "ben@example.org", id: "f"})
		ben := b.lead("ben@example.org").ID
		resolve := func(lead identity.LeadID) error {
			return b.Resolve(b.ctx, b.moment.Now, device, func(m identity.Met) (identity.Change, error) {
				return m.Resolve(identity.Resolve{Moment: b.moment, Lead: lead, By: "token"})
			})
		}
		Expect(resolve(ben + 1000)).To(haveCode(fault.Unlisted))
		anchor, err := b.Anchor(b.ctx, b.moment.Now, device)
		Expect(err).NotTo(HaveOccurred())
		Expect(anchor.Shared).To(BeTrue())
		Expect(resolve(ben)).To(Succeed())
		anchor, err = b.Anchor(b.ctx, b.moment.Now, device)
		Expect(err).NotTo(HaveOccurred())
		Expect(anchor.Shared).To(BeFalse())
		Expect(anchor.Lead).To(Equal(ben))
		Expect(anchor.Provenance).To(Equal(identity.ByPerson))
		pairs, err := b.Candidates(b.ctx, b.moment.Now, pageOf(9))
		Expect(err).NotTo(HaveOccurred())
		Expect(pairs.Items).To(HaveLen(1))
		Expect(pairs.Items[0].State).To(Equal(identity.Resolved))
		Expect(pairs.Items[0].ResolvedBy).To(Equal("token"))
	})
}
