package journey_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var _ = DescribeTable("A text is cleaned of what no database takes, and of nothing else",
	func(raw, expected string) {
		Expect(journey.Clean(raw)).To(Equal(expected))
	},
	Entry("empty", "", ""),
	Entry("plain", "Ana's page – 漢字 😀\n", "Ana's page – 漢字 😀\n"),
	Entry("NUL inside", "x\x00y", "xy"),
	Entry("only NUL", "\x00\x00", ""),
	Entry("a lone surrogate, as it arrives", "hi \ufffd", "hi \ufffd"),
	Entry("a surrogate in bytes", "hi \xed\xa0\xbd", "hi \ufffd"),
	Entry("a cut emoji", "hi \xf0\x9f\x98", "hi \ufffd"),
	Entry("a NUL that kept two broken bytes apart", "\xc3\x00\xa9", "\ufffd\ufffd"),
	Entry("decomposed accents", "e\u0301", "e\u0301"),
	Entry("a byte order mark", "\ufeffx", "\ufeffx"),
	Entry("noncharacters", "\uffff\U0010ffff", "\uffff\U0010ffff"),
)
