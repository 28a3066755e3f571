package replay

import (
	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/gomega"
)

const (
	ana = 1
	ben = 2
	eve = 3
)

// pages are events of one session.
func pages(session string, ids ...string) []event {
	all := make([]event, 0, len(ids))
	for _, id := range ids {
		all = append(all, event{id: id, session: session})
	}
	return all
}

// owned is a person's events with their ownership, a snapshot's with its submission.
func owned(m *model, person int) map[string]string {
	all := map[string]string{}
	for _, o := range m.person(person).events {
		all[o.event.id] = o.ownership + o.submission
	}
	return all
}

var _ = Describe("the model of the rules", func() {
	var m *model
	BeforeEach(func() { m = newModel() })

	It("stores nothing for a browser without a key, and nothing under a retired one", func() {
		Expect(m.append(nil, pages("s1", "1"))).To(Equal(nothing))
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "2"))
		m.reset(a)
		Expect(m.append(a, pages("s1", "3"))).To(Equal(nothing))
		Expect(owned(m, ana)).To(Equal(map[string]string{"2": "attributed"}))
	})

	It("gives all that a first submission carries to the person, and what comes later", func() {
		a := m.submit(nil, ana, "a1", "s2", append(pages("s1", "1"), pages("s2", "2")...))
		Expect(m.append(a, pages("s3", "3"))).To(Equal(stored))
		Expect(owned(m, ana)).To(Equal(map[string]string{"1": "attributed", "2": "attributed", "3": "attributed"}))
		Expect(m.person(ana).anchors).To(Equal(1))
	})

	It("joins two devices by the person who submits on both, and keeps two anchors", func() {
		d1 := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		d2 := m.submit(nil, ana, "a2", "s2", pages("s2", "2"))
		Expect(d1.number).NotTo(Equal(d2.number))
		Expect(m.person(ana).anchors).To(Equal(2))
		Expect(owned(m, ana)).To(HaveLen(2))
	})

	It("gives nobody what a second person's submission carries from the session the first submitted in", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.submit(a, ben, "b1", "s1", pages("s1", "2"))
		m.append(a, pages("s1", "3"))
		m.submit(a, ana, "a2", "s1", pages("s1", "4"))
		Expect(owned(m, ana)).To(Equal(map[string]string{"1": "attributed"}))
		Expect(owned(m, ben)).To(BeEmpty())
		Expect(m.nobodys).To(Equal(3))
		Expect(m.meetings).To(Equal(map[meeting]map[int]bool{{ana, ben}: {a.number: true}}))
		Expect(m.person(ben).submissions).To(Equal([]string{"b1"}))
		Expect(m.person(ben).anchors).To(BeZero())
		Expect(m.person(ana).anchors).To(Equal(1))
	})

	It("keeps a snapshot of the session that only one person submitted in", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.submit(a, ben, "b1", "s2", append(pages("s1", "2"), pages("s2", "3")...))
		m.submit(a, ana, "a2", "s3", pages("s3", "4"))
		Expect(owned(m, ben)).To(Equal(map[string]string{"3": "snapshotb1"}))
		Expect(owned(m, ana)).To(Equal(map[string]string{"1": "attributed", "4": "snapshota2"}))
		Expect(m.nobodys).To(Equal(1))
	})

	It("keeps no snapshot without a session", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.submit(a, ben, "b1", "", pages("", "2"))
		Expect(owned(m, ben)).To(BeEmpty())
		Expect(m.nobodys).To(Equal(1))
	})

	It("lets an event that is stored keep its owner", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.submit(a, ben, "b1", "s2", pages("s2", "1", "2"))
		Expect(owned(m, ana)).To(HaveKey("1"))
		Expect(owned(m, ben)).To(Equal(map[string]string{"2": "snapshotb1"}))
	})

	It("takes a repeated submission for a beacon", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.submit(a, ana, "a1", "s2", pages("s2", "2"))
		m.submit(a, ben, "b1", "s3", pages("s3", "3"))
		m.submit(a, ben, "b1", "s3", pages("s3", "3", "4"))
		Expect(owned(m, ana)).To(Equal(map[string]string{"1": "attributed", "2": "attributed"}))
		Expect(owned(m, ben)).To(Equal(map[string]string{"3": "snapshotb1"}))
		Expect(m.person(ana).submissions).To(HaveLen(1))
		Expect(m.person(ben).submissions).To(HaveLen(1))
	})

	It("pairs a third person with the first, and each pair once per device", func() {
		a := m.submit(nil, ana, "a1", "s1", nil)
		m.submit(a, ben, "b1", "s2", nil)
		m.submit(a, eve, "e1", "s3", nil)
		m.submit(a, ben, "b2", "s4", nil)
		Expect(m.person(ana).anchors).To(Equal(1))
		Expect(m.meetings).To(HaveLen(2))
		Expect(m.meetings[meeting{ana, eve}]).To(HaveLen(1))
		Expect(m.meetings[meeting{ana, ben}]).To(HaveLen(1))
	})

	It("counts a pair as one, whoever came first", func() {
		m.submit(m.submit(nil, ana, "a1", "s1", nil), ben, "b1", "s1", nil)
		m.submit(m.submit(nil, ben, "b2", "s1", nil), ana, "a2", "s1", nil)
		Expect(m.meetings).To(HaveLen(1))
		Expect(m.meetings[meeting{ana, ben}]).To(HaveLen(2))
	})

	It("makes a fresh device of a browser after a reset", func() {
		a := m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		m.reset(a)
		b := m.submit(nil, ben, "b1", "s2", pages("s2", "2"))
		Expect(b.number).NotTo(Equal(a.number))
		Expect(owned(m, ben)).To(Equal(map[string]string{"2": "attributed"}))
		Expect(m.meetings).To(BeEmpty())
	})

	It("makes one device of a submission that is sent twice without a key, and a second of the next", func() {
		m.submit(nil, ana, "a1", "s1", pages("s1", "1"))
		Expect(m.submit(nil, ana, "a1", "s1", pages("s1", "1"))).To(BeNil())
		Expect(m.person(ana).submissions).To(HaveLen(1))
		Expect(m.person(ana).anchors).To(Equal(1))
		Expect(m.person(ana).events).To(HaveLen(1))
		m.submit(nil, ana, "a2", "s2", pages("s2", "2"))
		Expect(m.person(ana).anchors).To(Equal(2))
	})
})
