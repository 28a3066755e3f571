package identity_test

import (
	"crypto/sha256"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"

	"continuity/domain/identity"
)

var _ = Describe("A visitor key", func() {
	It("is read back from the 22 characters it is written as", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			key := identity.Key(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "key"))
			g.Expect(key.String()).To(MatchRegexp(`^[A-Za-z0-9_-]{22}$`))
			read, ok := identity.ParseKey(key.String())
			g.Expect(ok).To(BeTrue())
			g.Expect(read).To(Equal(key))
		})
	})

	It("has one spelling: no two texts are one key", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			g := NewWithT(t)
			text := rapid.StringMatching(`[A-Za-z0-9_-]{22}`).Draw(t, "text")
			if key, ok := identity.ParseKey(text); ok {
				g.Expect(key.String()).To(Equal(text))
			}
		})
	})

	DescribeTable("is nothing else than that", func(text string) {
		_, ok := identity.ParseKey(text)
		Expect(ok).To(BeFalse())
	},
		Entry("empty", ""),
		Entry("too short", strings.Repeat("A", 21)),
		Entry("too long", strings.Repeat("A", 23)),
		Entry("with bits that say nothing", strings.Repeat("A", 21)+"B"),
		Entry("padded", strings.Repeat("A", 22)+"=="),
		Entry("in the other alphabet", "+/"+strings.Repeat("A", 20)),
		Entry("with a line break that decoders skip", strings.Repeat("A", 21)+"\n"),
		Entry("with a line break in addition", strings.Repeat("A", 22)+"\n"),
		Entry("of other letters", strings.Repeat("é", 11)),
		Entry("quoted", `"`+strings.Repeat("A", 20)+`"`),
	)

	It("is stored as the SHA-256 of its 16 bytes", func() {
		key := identity.Key{1, 2, 3}
		Expect(key.Hash()).To(Equal(identity.KeyHash(sha256.Sum256(key[:]))))
	})
})
