package identity_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A submission", func() {
	var s *story
	BeforeEach(func() { s = newStory() })

	It("from an unknown device mints an anchor with a fresh key and links it", func() {
		change := s.submit(ana, "f1", "s1", pages("s1", "/1")...)
		Expect(change.Stamp).To(Equal(keyOf(1)))
		Expect(s.device.Key).To(Equal(keyOf(1)))
		Expect(s.device.Status).To(Equal(identity.Saved))
		Expect(s.device.Lead).To(Equal(s.lead(ana)))
		Expect(s.device.FirstLead).To(Equal(s.lead(ana)))
		Expect(s.device.Shared).To(BeFalse())
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
	})

	It("keeps what was sent, and where", func() {
		command := s.form(ana, "f1", "s1")
		command.Person.Name, command.Person.Phone, command.Fields = "Ana", "123", `{"plan":"pro"}`
		change := s.apply(s.state().Submit(command))
		Expect(change.Submissions).To(Equal([]identity.Submission{{
			ID: change.Submissions[0].ID, Lead: s.lead(ana), Client: "f1", Anchor: s.device.ID, Session: "s1", Form: "contact",
			Person: identity.Person{Email: ana, Name: "Ana", Phone: "123"}, Fields: `{"plan":"pro"}`,
			Provenance: identity.ByKey, At: morning.Now,
		}}))
	})

	It("links by key who is new, and by address who is known", func() {
		s.submit(ana, "f1", "s1")
		Expect(s.device.Provenance).To(Equal(identity.ByKey))
		other := newStory()
		other.leads = s.leads
		change := other.submit(ana, "f2", "s2")
		Expect(other.device.Provenance).To(Equal(identity.ByEmail))
		Expect(change.Submissions[0].Provenance).To(Equal(identity.ByEmail))
		Expect(other.device.Lead).To(Equal(s.device.Lead))
	})

	It("never links again by address what was linked by key", func() {
		s.submit(ana, "f1", "s1")
		s.submit(ana, "f2", "s1")
		Expect(s.device.Provenance).To(Equal(identity.ByKey))
		Expect(s.candidates).To(BeEmpty())
		Expect(s.device.Shared).To(BeFalse())
	})

	It("links a device that was only browsed with, whose past then has its first lead", func() {
		s.device = identity.Mint(5, keyOf(4), identity.Held, morning)
		s.visit(pages("s0", "/0")...)
		change := s.submit(ana, "f1", "s1", pages("s0", "/0")...)
		Expect(change.Stamp).To(Equal(keyOf(4)), "the key it has, not a fresh one")
		Expect(s.device.ID).To(Equal(identity.AnchorID(5)))
		Expect(s.device.FirstLead).To(Equal(s.lead(ana)))
		Expect(s.device.Status).To(Equal(identity.Saved))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/0"), identity.Owner{Ownership: identity.Attributed}), "as it was first written")
	})

	It("sets the first lead once", func() {
		s.submit(ana, "f1", "s1")
		s.submit(ben, "f2", "s2")
		_, err := s.resolve(identity.Resolve{Lead: s.lead(ben)})
		Expect(err).NotTo(HaveOccurred())
		s.submit(ben, "f3", "s3")
		Expect(s.device.FirstLead).To(Equal(s.lead(ana)))
		Expect(s.device.Lead).To(Equal(s.lead(ben)))
	})

	It("gives whatever session its events come from to the person of an unshared device", func() {
		s.submit(ana, "f1", "s9", append(pages("s1", "/1"), pages("", "/2")...)...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), s.of(ana)))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.of(ana)))
	})

	It("shows the newest name and phone that are not empty", func() {
		say := func(client identity.ClientID, name, phone string) {
			command := s.form(ana, client, "s1")
			command.Person.Name, command.Person.Phone = name, phone
			s.apply(s.about(ana, client, "s1").Submit(command))
		}
		say("f1", "Ana", "1")
		say("f2", "", "2")
		Expect(s.leads[ana].Person).To(Equal(identity.Person{Email: ana, Name: "Ana", Phone: "2"}))
		say("f3", "Ana B.", "")
		Expect(s.leads[ana].Person).To(Equal(identity.Person{Email: ana, Name: "Ana B.", Phone: "2"}))
		Expect(s.prior[submitted{ana, "f2"}].Person).To(Equal(identity.Person{Email: ana, Phone: "2"}), "each submission keeps its own")
	})

	It("keeps when a person was first seen, and moves when last", func() {
		s.submit(ana, "f1", "s1")
		s.moment.Now = s.moment.Now.Add(48 * time.Hour)
		s.submit(ana, "f2", "s1")
		Expect(s.leads[ana].FirstSeen).To(Equal(morning.Now))
		Expect(s.leads[ana].LastSeen).To(Equal(s.moment.Now))
		Expect(s.leads[ana].ExpiresAt).To(BeTemporally(">=", s.moment.Now.Add(keeping.Period)))
	})

	Describe("without a device", func() {
		BeforeEach(func() { s.moment.Keep = keeping })

		backend := func(command identity.Submit) identity.Submit {
			command.FreshKey = identity.KeyHash{}
			return command
		}

		It("keeps the person and invents no device", func() {
			change := s.apply(s.state().Submit(backend(s.form(ana, "f1", "s1", pages("s1", "/1")...))))
			Expect(change.Leads).To(HaveLen(1))
			Expect(change.Submissions).To(HaveLen(1))
			Expect(change.Submissions[0].Anchor).To(BeZero())
			Expect(change.Submissions[0].Session).To(BeEmpty(), "a session means something on a device only")
			Expect(change.Anchors).To(BeEmpty())
			Expect(change.Events).To(BeEmpty())
			Expect(change.Stamp).To(BeZero())
		})

		It("links the device of a visitor key that is known", func() {
			s.device = identity.Mint(5, keyOf(4), identity.Saved, morning)
			change := s.apply(s.about(ana, "f1", "s1").Submit(backend(s.form(ana, "f1", "s1"))))
			Expect(s.device.Lead).To(Equal(s.lead(ana)))
			Expect(change.Submissions[0].Anchor).To(Equal(s.device.ID))
		})
	})
})
