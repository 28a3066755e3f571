package contract

import (
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/ports/reporting"
)

// Rows counts what is really there, whoever may read it.
type Rows struct{ Leads, Keys, Anchors, Events, Submissions, Candidates, Handoffs int }

// Retention is the suite of what has expired (R13). rows counts in the store that was
// opened last.
func Retention(open func() Stores, rows func() Rows) {
	const month = 30 * 24 * time.Hour
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	// traffic are requests of somebody else, each of which prunes a little.
	traffic := func(n int) {
		GinkgoHelper()
		for i := range n {
			b.later(2 * time.Second)
			b.append(newKey(), b.visits("s", fmt.Sprint("t", i))...)
		}
	}

	It("keeps a person with a silent device as long as another of theirs is in use", func() {
		phone, laptop := newKey(), newKey()
		b.submit(form{key: phone, email: anas, id: "f1", events: b.visits("s", "phone")})
		b.submit(form{key: laptop, email: anas, id: "f2"})
		for range 4 {
			b.later(12 * month)
			b.append(laptop, b.visits("s", b.moment.Now.String())...)
			traffic(3)
		}
		Expect(rows()).To(And(HaveField("Leads", 1), HaveField("Anchors", 2), HaveField("Events", 5)))
		Expect(idsOf(b.journey(anas))).To(HaveLen(5))
	})

	It("removes a person who has expired, with everything, on the side of other requests", func() {
		b.submit(form{key: newKey(), email: anas, id: "f1", events: b.visits("s", "a", "b")})
		b.submit(form{email: bens, id: "f2"})
		b.later(26 * month)
		traffic(5)
		Expect(rows()).To(Equal(Rows{}))
	})

	It("removes somebody with very many events in slices, whom nobody sees meanwhile", func() {
		key := newKey()
		b.submit(form{key: key, email: anas, id: "f1"})
		for i := range 12 {
			ids := make([]string, 250)
			for j := range ids {
				ids[j] = fmt.Sprint("e", i, "-", j)
			}
			b.append(key, b.visits("s", ids...)...)
		}
		b.later(26 * month)
		Expect(b.export(anas)).To(Equal(&record{}))
		traffic(1)
		Expect(rows().Events).To(Equal(2000), "at most a thousand a request")
		Expect(rows().Leads).To(Equal(1))
		traffic(3)
		Expect(rows()).To(Equal(Rows{}))
	})

	It("makes somebody new of the address of one who has expired and is not pruned yet", func() {
		key := newKey()
		b.submit(form{key: key, email: anas, id: "f", events: b.visits("s", "old")})
		before := b.lead(anas)
		b.moment.Now = before.ExpiresAt.Add(time.Minute) // too soon to be pruned
		Expect(b.append(key, b.visits("s", "late")...)).To(Equal(identity.Change{}))
		b.submit(form{key: newKey(), email: anas, id: "f", events: b.visits("s", "new")})
		after := b.lead(anas)
		Expect(after.ID).NotTo(Equal(before.ID))
		Expect(after.FirstSeen).To(Equal(b.moment.Now))
		Expect(idsOf(b.journey(anas))).To(Equal([]string{"new"}))
		all, err := b.Leads(b.ctx, b.moment.Now, pageOf(9))
		Expect(err).NotTo(HaveOccurred())
		Expect(all.Items).To(HaveLen(1))
		b.later(2 * time.Hour)
		traffic(4)
		Expect(rows()).To(Equal(Rows{Leads: 1, Keys: 1, Anchors: 1, Events: 1, Submissions: 1}))
	})

	It("lets a shared device expire on its own, and its people stay without it", func() {
		tablet, phone := newKey(), newKey()
		b.submit(form{key: phone, email: bens, id: "f0", events: b.visits("p", "phone")})
		b.submit(form{key: tablet, email: anas, id: "f1", session: "s1", events: b.visits("s1", "a")})
		b.submit(form{key: tablet, email: bens, id: "f2", session: "s2", events: b.visits("s2", "b")})
		b.later(20 * month)
		b.append(phone, b.visits("p", "phone2")...)
		b.later(6 * month)
		Expect(idsOf(b.journey(bens))).To(Equal([]string{"phone", "phone2"}), "at once, before anything is pruned")
		Expect(b.export(bens).events).To(Equal([]string{"phone", "phone2"}))
		pairs, err := b.Candidates(b.ctx, b.moment.Now, reporting.Page{Limit: 9})
		Expect(err).NotTo(HaveOccurred())
		Expect(pairs.Items).To(BeEmpty())
		Expect(b.append(tablet, b.visits("s", "late")...)).To(Equal(identity.Change{}))
		traffic(6)
		Expect(rows()).To(Equal(Rows{Leads: 1, Keys: 1, Anchors: 1, Events: 2, Submissions: 2}))
		submissions, err := b.Submissions(b.ctx, b.moment.Now, b.lead(bens).ID)
		Expect(err).NotTo(HaveOccurred())
		Expect(submissions[1].Anchor).To(BeZero())
	})

	It("strips a device that is still in use of a person who has expired", func() {
		tablet := newKey()
		b.submit(form{key: tablet, email: anas, id: "f1", session: "s1", events: b.visits("s1", "a")})
		b.submit(form{key: tablet, email: bens, id: "f2", session: "s2", events: b.visits("s2", "b")})
		b.later(20 * month)
		b.submit(form{key: tablet, email: bens, id: "f3", session: "s3", events: b.visits("s3", "c")})
		b.later(6 * month)
		traffic(4)
		Expect(rows()).To(Equal(Rows{Leads: 1, Keys: 1, Anchors: 1, Events: 2, Submissions: 2}))
		Expect(idsOf(b.journey(bens))).To(Equal([]string{"b", "c"}))
	})
}
