package contract

import (
	"context"
	"errors"
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
)

// crowd are many callers who ask at the same moment: each appends one event to the
// device, but for one, who does something that cannot be recorded.
type crowd struct {
	*bench
	key     identity.KeyHash
	wayward capture.Decision
}

// runs lets everybody ask, and returns the wayward caller's error; it fails on
// anybody else's, and unless each of their events was recorded once.
func (c crowd) runs() error {
	GinkgoHelper()
	const others = 20
	ask := capture.Ask{Now: c.moment.Now, Keys: []identity.KeyHash{c.key}}
	errs := make([]error, others)
	var wayward error
	var wg sync.WaitGroup
	for i := range others {
		wg.Go(func() {
			_, errs[i] = c.Record(c.ctx, ask, func(s identity.State) identity.Change {
				return s.Append(identity.Append{Moment: c.moment, Events: c.visits("s", fmt.Sprintf("e%02d", i))})
			})
		})
		if i == others/2 {
			wg.Go(func() { _, wayward = c.Record(c.ctx, ask, c.wayward) })
		}
	}
	wg.Wait()
	Expect(errors.Join(errs...)).NotTo(HaveOccurred())
	var want []string
	for i := range others {
		want = append(want, fmt.Sprintf("e%02d", i))
	}
	Expect(idsOf(c.journey("ana@example.org"))).To(ConsistOf(want))
	return wayward
}

// alone is about a caller whose request cannot be recorded, among others.
func alone(open func() Stores) {
	var b *bench
	var key identity.KeyHash
	var ana, ben identity.LeadID
	BeforeEach(func() {
		b = newBench(open)
		key = newKey()
		b.submit(form{key: key, email: "ana@example.org", id: "f"})
		b.submit(form{key: newKey(), email: "ben@example.org", id: "f"})
		ana, ben = b.lead("ana@example.org").ID, b.lead("ben@example.org").ID
	})

	It("fails alone when its decision panics", func() {
		err := crowd{b, key, func(identity.State) identity.Change { panic("at the worst moment") }}.runs()
		Expect(err).To(haveCode(fault.Internal))
	})

	It("fails alone when what was decided cannot be written", func() {
		err := crowd{b, key, func(s identity.State) identity.Change {
			change := s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "odd")})
			change.Events[0].Source = journey.Source("from nowhere")
			return change
		}}.runs()
		Expect(err).To(haveCode(fault.Internal))
	})

	It("fails alone when it would point a linked device at somebody else (R8)", func() {
		err := crowd{b, key, func(s identity.State) identity.Change {
			anchor := s.Devices[0]
			anchor.Lead = ben
			change := s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "stolen")})
			change.Anchors = append(change.Anchors, anchor)
			return change
		}}.runs()
		Expect(err).To(haveCode(fault.Internal))
		Expect(b.lead("ana@example.org").Anchors).To(Equal(1))
		Expect(b.lead("ben@example.org").Anchors).To(Equal(1))
	})

	It("fails alone when it would replace a device's first lead (R6)", func() {
		err := crowd{b, key, func(s identity.State) identity.Change {
			anchor := s.Devices[0]
			anchor.FirstLead = ben
			return identity.Change{Anchors: []identity.Anchor{anchor}}
		}}.runs()
		Expect(err).To(haveCode(fault.Internal))
	})

	It("fails alone when it names a person who is not there", func() {
		err := crowd{b, key, func(s identity.State) identity.Change {
			return identity.Change{Candidates: []identity.Candidate{{
				ID: 1 << 40, Anchor: s.Devices[0].ID, First: ana, Second: 1 << 41, Submission: 1 << 42, State: identity.Open,
			}}}
		}}.runs()
		Expect(err).To(haveCode(fault.Internal))
		pairs, err := b.Candidates(b.ctx, b.moment.Now, pageOf(9))
		Expect(err).NotTo(HaveOccurred())
		Expect(pairs.Items).To(BeEmpty())
	})

	It("leaves nothing of a caller who gave up while others were served", func() {
		ask := capture.Ask{Now: b.moment.Now, Keys: []identity.KeyHash{key}}
		began, release := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			defer GinkgoRecover()
			_, err := b.Record(b.ctx, ask, func(s identity.State) identity.Change {
				close(began)
				<-release
				return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "slow")})
			})
			Expect(err).NotTo(HaveOccurred())
		})
		<-began
		impatient, giveUp := context.WithCancel(b.ctx)
		answer := make(chan error, 1)
		go func() {
			_, err := b.Record(impatient, ask, func(s identity.State) identity.Change {
				return s.Append(identity.Append{Moment: b.moment, Events: b.visits("s", "never")})
			})
			answer <- err
		}()
		Consistently(answer, "50ms").ShouldNot(Receive(), "the device is taken")
		giveUp()
		Eventually(answer, "5s").Should(Receive(MatchError(context.Canceled)))
		close(release)
		wg.Wait()
		b.append(key, b.visits("s", "next")...)
		Expect(idsOf(b.journey("ana@example.org"))).To(ConsistOf("slow", "next"))
	})
}
