package contract

import (
	"errors"
	"fmt"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/ports/capture"
	"continuity/ports/privacy"
)

// record is a dossier that keeps everything.
type record struct {
	leads       []identity.Lead
	devices     []privacy.Device
	submissions []identity.Submission
	candidates  []identity.Candidate
	events      []string
}

func (r *record) Lead(l identity.Lead) error    { r.leads = append(r.leads, l); return nil }
func (r *record) Device(d privacy.Device) error { r.devices = append(r.devices, d); return nil }
func (r *record) Submission(s identity.Submission) error {
	r.submissions = append(r.submissions, s)
	return nil
}
func (r *record) Candidate(c identity.Candidate) error {
	r.candidates = append(r.candidates, c)
	return nil
}
func (r *record) Event(e privacy.Entry) error { r.events = append(r.events, string(e.ID)); return nil }

// counts are what a receipt says of an erasure that removes what is recorded.
func (r *record) counts() privacy.Counts {
	removed := 0
	for _, d := range r.devices {
		if d.Removed {
			removed++
		}
	}
	return privacy.Counts{
		Leads: len(r.leads), Submissions: len(r.submissions), Events: len(r.events),
		Anchors: removed, Candidates: len(r.candidates),
	}
}

func (b *bench) export(email identity.Email) *record {
	GinkgoHelper()
	r := &record{}
	Expect(b.Export(b.ctx, b.moment.Now, b.peppers.Keys(email), r)).To(Succeed())
	return r
}

// erase removes a person, and holds that export, dry run and receipt agree.
func (b *bench) erase(email identity.Email) privacy.Receipt {
	GinkgoHelper()
	exported := b.export(email).counts()
	Expect(b.Tally(b.ctx, b.moment.Now, b.peppers.Keys(email))).To(Equal(exported))
	receipt, err := b.Erase(b.ctx, b.moment.Now, b.peppers.Keys(email))
	Expect(err).NotTo(HaveOccurred())
	Expect(receipt.Counts).To(Equal(exported))
	Expect(receipt.At).To(Equal(b.moment.Now))
	Expect(b.export(email)).To(Equal(&record{}))
	return receipt
}

const anas, bens = "ana@example.org", "ben@example.org"

// Privacy is the suite of privacy.Store. orphans counts, in the store that was opened
// last, the rows that belong to nothing that is there.
func Privacy(open func() Stores, orphans func() int) {
	Describe("erasure", func() { erasure(open) })
	Describe("erasure beside everything else", func() { erasureRaces(open, orphans) })
}

func erasure(open func() Stores) {
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("removes a person with their devices, whose keys are dead then", func() {
		phone, laptop := newKey(), newKey()
		b.submit(form{key: phone, email: anas, id: "f1", session: "s", events: b.visits("s", "a", "b")})
		b.submit(form{key: laptop, email: anas, id: "f2"})
		b.later(time.Second)
		b.append(laptop, b.visits("s", "c")...)
		Expect(b.export(anas).events).To(Equal([]string{"a", "b", "c"}))
		receipt := b.erase(anas)
		Expect(receipt.Counts).To(Equal(privacy.Counts{Leads: 1, Submissions: 2, Events: 3, Anchors: 2}))
		Expect(b.Receipts(b.ctx, 10)).To(Equal([]privacy.Receipt{receipt}))
		Expect(b.append(phone, b.visits("s", "d")...)).To(Equal(identity.Change{}))
	})

	It("removes what waited for the person's first submission", func() {
		key := newKey()
		_, err := b.Record(b.ctx, capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}, Creates: true},
			func(s identity.State) identity.Change {
				return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "early"), FreshKey: key})
			})
		Expect(err).NotTo(HaveOccurred())
		b.submit(form{key: key, email: anas, id: "f"})
		Expect(b.erase(anas).Events).To(Equal(1))
	})

	It("leaves the other person of a shared device exactly theirs", func() {
		tablet := newKey()
		b.submit(form{key: tablet, email: anas, id: "f1", session: "s1", events: b.visits("s1", "a")})
		b.submit(form{key: tablet, email: bens, id: "f2", session: "s2", events: b.visits("s2", "b")})
		b.append(tablet, b.visits("s3", "nobody's")...)
		Expect(b.export(anas).candidates[0].Second).To(BeZero(), "who the other is")
		before := b.export(bens)
		Expect(b.erase(anas).Counts).To(Equal(privacy.Counts{Leads: 1, Submissions: 1, Events: 1, Candidates: 1}))
		after := b.export(bens)
		Expect(after.candidates).To(BeEmpty())
		after.candidates, before.devices, after.devices = before.candidates, nil, nil
		Expect(after).To(Equal(before))
		shared := b.export(bens).devices[0]
		Expect(shared.Shared).To(BeTrue())
		Expect(shared.Lead).To(BeZero())
		Expect(b.append(tablet, b.visits("s4", "more")...).Stamp).To(Equal(tablet), "its key lives")
		Expect(idsOf(b.journey(bens))).To(Equal([]string{"b"}))
	})

	It("takes no snapshot in a session in which somebody submitted who was erased", func() {
		tablet := newKey()
		b.submit(form{key: tablet, email: bens, id: "f0", session: "s0"})
		b.submit(form{key: tablet, email: anas, id: "f1", session: "s"})
		b.erase(anas)
		b.submit(form{key: tablet, email: bens, id: "f2", session: "s", events: b.visits("s", "whose")})
		Expect(b.journey(bens)).To(BeEmpty())
	})

	It("leaves nothing but flags and what is nobody's once everybody is erased", func() {
		tablet := newKey()
		b.submit(form{key: tablet, email: anas, id: "f1", session: "s1", events: b.visits("s1", "a")})
		b.submit(form{key: tablet, email: bens, id: "f2", session: "s2", events: b.visits("s2", "b")})
		b.append(tablet, b.visits("s3", "nobody's")...)
		b.erase(bens)
		b.erase(anas)
		change := b.append(tablet, b.visits("s4", "on")...)
		Expect(change.Stamp).To(Equal(tablet))
		b.submit(form{key: tablet, email: "cyd@example.org", id: "f3", session: "s5"})
		Expect(b.journey("cyd@example.org")).To(BeEmpty())
		Expect(b.lead("cyd@example.org").Anchors).To(BeZero(), "the device stays shared")
	})

	It("makes a new person of an address that is submitted again", func() {
		b.submit(form{key: newKey(), email: anas, id: "f", events: b.visits("s", "old")})
		before := b.lead(anas)
		b.erase(anas)
		b.later(time.Hour)
		b.submit(form{key: newKey(), email: anas, id: "f"})
		after := b.lead(anas)
		Expect(after.ID).NotTo(Equal(before.ID))
		Expect(after.FirstSeen).To(Equal(b.moment.Now))
		Expect(b.journey(anas)).To(BeEmpty())
	})

	It("succeeds for an address that nobody has, with a receipt of nothing", func() {
		receipt := b.erase("nobody@example.org")
		Expect(receipt.Counts).To(Equal(privacy.Counts{}))
		Expect(receipt.ID).NotTo(BeZero())
	})

	It("removes somebody who has expired, and tells nothing of them", func() {
		b.submit(form{key: newKey(), email: anas, id: "f"})
		b.later(800 * 24 * time.Hour)
		Expect(b.erase(anas).Counts).To(Equal(privacy.Counts{}))
		b.moment.Now = b.moment.Now.Add(-800 * 24 * time.Hour)
		Expect(b.export(anas)).To(Equal(&record{}))
	})

	It("ends an export that nobody takes any further", func() {
		b.submit(form{key: newKey(), email: anas, id: "f"})
		enough := errors.New("enough")
		Expect(b.Export(b.ctx, b.moment.Now, b.peppers.Keys(anas), refusing{&record{}, enough})).To(MatchError(enough))
	})
}

// refusing takes a lead and no device.
type refusing struct {
	*record
	err error
}

func (r refusing) Device(privacy.Device) error { return r.err }

func erasureRaces(open func() Stores, orphans func() int) {
	const rounds = 12
	var b *bench
	BeforeEach(func() { b = newBench(open) })

	It("either removes what arrives at the same time, or lets it find nothing", func() {
		for round := range rounds {
			key, ben := newKey(), identity.Email(fmt.Sprintf("ben%d@example.org", round))
			b.submit(form{key: key, email: anas, id: "f", events: b.visits("s", "past")})
			var wg sync.WaitGroup
			errs := make(chan error, 6)
			for i := range 4 {
				wg.Go(func() {
					_, err := b.Record(b.ctx, capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}},
						func(s identity.State) identity.Change {
							return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", fmt.Sprint("e", i))})
						})
					errs <- err
				})
			}
			wg.Go(func() {
				_, err := b.trySubmit(form{key: key, email: ben, id: "f", session: "t"})
				errs <- err
			})
			wg.Go(func() {
				_, err := b.Erase(b.ctx, b.moment.Now, b.peppers.Keys(anas))
				errs <- err
			})
			wg.Wait()
			close(errs)
			for err := range errs {
				Expect(err).NotTo(HaveOccurred())
			}
			Expect(b.export(anas)).To(Equal(&record{}))
			b.erase(ben)
			Expect(orphans()).To(BeZero())
		}
	})

	It("and a submission of the same person leave one whole person, or none", func() {
		for round := range rounds {
			key := newKey()
			b.submit(form{key: key, email: anas, id: "f", events: b.visits("s", "past")})
			var wg sync.WaitGroup
			var submitted, elsewhere, erased error
			wg.Go(func() {
				_, submitted = b.trySubmit(form{key: key, email: anas, id: fmt.Sprint("g", round), events: b.visits("s", "new")})
			})
			wg.Go(func() {
				_, elsewhere = b.trySubmit(form{key: newKey(), email: anas, id: fmt.Sprint("h", round)})
			})
			wg.Go(func() { _, erased = b.Erase(b.ctx, b.moment.Now, b.peppers.Keys(anas)) })
			wg.Wait()
			Expect(errors.Join(submitted, elsewhere, erased)).NotTo(HaveOccurred())
			left := b.export(anas)
			Expect(left.events).NotTo(ContainElement("past"))
			Expect(len(left.leads)).To(BeNumerically("<=", 1))
			Expect(len(left.submissions)).To(BeNumerically(">=", len(left.leads)))
			b.erase(anas)
			Expect(orphans()).To(BeZero())
		}
	})
}
