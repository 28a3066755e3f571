package identity_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A snapshot", func() {
	var s *story
	BeforeEach(func() {
		s = newStory()
		s.submit(ana, "f1", "s1")
	})

	It("keeps for the submission what it carried of its own session", func() {
		s.submit(ben, "f2", "s2", append(pages("s2", "/2", "/3"), pages("s1", "/1")...)...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.in(ben, "f2")))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), s.in(ben, "f2")))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), nobody))
	})

	It("is taken for whom the device points at too, once it is shared", func() {
		s.submit(ben, "f2", "s2")
		s.submit(ana, "f3", "s3", pages("s3", "/3")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), s.in(ana, "f3")))
	})

	It("is not taken of a session in which somebody else submitted", func() {
		s.submit(ben, "f2", "s1", pages("s1", "/1")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/1"), nobody))
	})

	It("is taken of a session in which the same person submitted before", func() {
		s.submit(ben, "f2", "s2", pages("s2", "/2")...)
		s.submit(ben, "f3", "s2", pages("s2", "/3")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), s.in(ben, "f3")))
	})

	It("stays the first person's when another submits in that session later", func() {
		s.submit(ben, "f2", "s2", pages("s2", "/2")...)
		s.submit(cyd, "f3", "s2", pages("s2", "/2", "/3")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), s.in(ben, "f2")))
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/3"), nobody))
	})

	It("is not taken without a session", func() {
		s.submit(ben, "f2", "", pages("", "/2")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
	})

	It("is not taken of a doubtful session", func() {
		s.doubtful["s2"] = true
		s.submit(ben, "f2", "s2", pages("s2", "/2")...)
		Expect(s.owners).To(HaveKeyWithValue(BeEquivalentTo("/2"), nobody))
	})
})
