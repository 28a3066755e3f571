package journey_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var _ = Describe("A client's name for a session or an event", func() {
	DescribeTable("is kept as it is",
		func(raw string) {
			session, ok := journey.ParseSession(raw)
			Expect(ok).To(BeTrue())
			Expect(string(session)).To(Equal(raw))
			id, ok := journey.ParseEventID(raw)
			Expect(ok).To(BeTrue())
			Expect(string(id)).To(Equal(raw))
		},
		Entry("a UUID", "0b9e6a52-5a4f-4c53-9c34-6a0b3f2f9a11"),
		Entry("one letter", "e"),
		Entry("words", "first visit, second tab"),
		Entry("other scripts", "návšteva-漢-😀"),
		Entry("decomposed, which is another name than composed", "e\u0301"),
		Entry("128 bytes", strings.Repeat("é", 64)),
		Entry("escapes", "a%20b%"),
	)

	DescribeTable("is unusable when cleaning would change it",
		func(raw string) {
			session, ok := journey.ParseSession(raw)
			Expect(ok).To(BeFalse())
			Expect(session).To(BeEmpty())
			id, ok := journey.ParseEventID(raw)
			Expect(ok).To(BeFalse())
			Expect(id).To(BeEmpty())
		},
		Entry("empty", ""),
		Entry("a space", " "),
		Entry("padded in front", " e1"),
		Entry("padded behind", "e1\u00a0"),
		Entry("NUL", "e\x001"),
		Entry("a line break", "e\n1"),
		Entry("a C1 control", "e\u00851"),
		Entry("broken UTF-8", "e\xff"),
		Entry("a replaced character", "e\ufffd"),
		Entry("129 bytes", strings.Repeat("a", 129)),
		Entry("an address", "ana@example.org"),
		Entry("an encoded address", "e1-ana%40example.org"),
	)
})
