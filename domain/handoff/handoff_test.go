package handoff_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/handoff"
)

var _ = Describe("A destination", func() {
	DescribeTable("is a host as a link has it", func(text, want string) {
		d, ok := handoff.ParseDestination(text)
		Expect(ok).To(BeTrue())
		Expect(d).To(Equal(handoff.Destination(want)))
	},
		Entry("a name", "shop.example.net", "shop.example.net"),
		Entry("in capitals", "Shop.Example.NET", "shop.example.net"),
		Entry("with a port", "localhost:8082", "localhost:8082"),
		Entry("in punycode", "xn--bcher-kva.example", "xn--bcher-kva.example"),
		Entry("an address", "127.0.0.1:8082", "127.0.0.1:8082"),
		Entry("an address of the newer kind", "[::1]:8082", "[::1]:8082"),
	)

	DescribeTable("is nothing else", func(text string) {
		_, ok := handoff.ParseDestination(text)
		Expect(ok).To(BeFalse())
	},
		Entry("empty", ""),
		Entry("a URL", "https://shop.example.net"),
		Entry("with a path", "shop.example.net/"),
		Entry("with a query", "shop.example.net?a"),
		Entry("with a user", "a@shop.example.net"),
		Entry("a wildcard", "*.example.net"),
		Entry("letters beyond ASCII", "bücher.example"),
		Entry("a final dot", "shop.example.net."),
		Entry("two dots", "shop..example.net"),
		Entry("the port that goes without saying", "shop.example.net:443"),
		Entry("an empty port", "shop.example.net:"),
		Entry("a port too large", "shop.example.net:65536"),
		Entry("a port with a zero before it", "shop.example.net:0800"),
		Entry("half an address", "[::1"),
		Entry("an address in another spelling", "[0::1]"),
		Entry("white space", "shop.example.net "),
		Entry("too long", strings.Repeat("a.", 130)+"net"),
	)

	DescribeTable("has the origins that its pages can have", func(text string, origins ...string) {
		Expect(handoff.Destination(text).Origins()).To(Equal(origins))
	},
		Entry("elsewhere: only with TLS", "shop.example.net", "https://shop.example.net"),
		Entry("on the machine itself: without as well", "localhost:8082", "https://localhost:8082", "http://localhost:8082"),
		Entry("by address", "127.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1"),
		Entry("by the newer address", "[::1]", "https://[::1]", "http://[::1]"),
		Entry("a name that only begins so", "localhost.example.net", "https://localhost.example.net"),
	)
})

var _ = Describe("A token", func() {
	It("has one spelling, which is not a visitor key's", func() {
		token := handoff.Token{1, 2, 3}
		read, ok := handoff.ParseToken(token.String())
		Expect(ok).To(BeTrue())
		Expect(read).To(Equal(token))
		Expect(token.String()).To(HaveLen(24))
	})

	DescribeTable("is nothing else", func(text string) {
		_, ok := handoff.ParseToken(text)
		Expect(ok).To(BeFalse())
	},
		Entry("empty", ""),
		Entry("a visitor key", "AAAAAAAAAAAAAAAAAAAAAQ"),
		Entry("padded", "AAAAAAAAAAAAAAAAAAAAAAA="),
		Entry("other letters", "AAAAAAAAAAAAAAAAAAAAAAA+"),
		Entry("with a line break", "AAAAAAAAAAAAAAAAAAAAAAA\n"),
	)

	It("is stored as a hash that another token does not have", func() {
		Expect(handoff.Token{1}.Hash()).NotTo(Equal(handoff.Token{2}.Hash()))
	})
})

var _ = Describe("A claim id", func() {
	It("is plain text of 1 to 128 bytes", func() {
		_, ok := handoff.ParseClaimID("c1")
		Expect(ok).To(BeTrue())
		for _, broken := range []string{"", " c", "a\x00b", strings.Repeat("c", 129)} {
			_, ok := handoff.ParseClaimID(broken)
			Expect(ok).To(BeFalse())
		}
	})
})
