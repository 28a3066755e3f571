package identity_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"pgregory.net/rapid"

	"continuity/domain/fault"
	"continuity/domain/identity"
)

var pepper = identity.NewPepper([]byte("test-pepper-v1"))

func hmacOf(raw string) string {
	GinkgoHelper()
	email, err := identity.NormalizeEmail(raw)
	Expect(err).NotTo(HaveOccurred())
	sum := pepper.HMAC(email)
	return hex.EncodeToString(sum[:])
}

var _ = Describe("An e-mail address", func() {
	DescribeTable("has one canonical form, however it was typed",
		func(raw, canonical string) {
			email, err := identity.NormalizeEmail(raw)
			Expect(err).NotTo(HaveOccurred())
			Expect(email).To(Equal(identity.Email(canonical)))
		},
		Entry("as it is", "ana@example.org", "ana@example.org"),
		Entry("in other case", "Ana@Example.ORG", "ana@example.org"),
		Entry("padded, with a line break", "  ana@example.org\r\n", "ana@example.org"),
		Entry("padded with wide spaces", "\u00a0ana@example.org\u3000", "ana@example.org"),
		Entry("between zero-width and bidi marks", "\ufeff\u200b\u00ad\u202aana@example.org\u202c\u200f\u2060", "ana@example.org"),
		Entry("with a decomposed accent", "jose\u0301@example.org", "josé@example.org"),
		Entry("with a composed accent", "jos\u00e9@example.org", "josé@example.org"),
		Entry("with an accented capital, which is not ASCII", "JOSE\u0301@example.org", "josÉ@example.org"),
		Entry("with a capital that composes only in lower case", "H\u0331a@example.org", "\u1e96a@example.org"),
		Entry("with the Kelvin sign, which is the letter K", "\u212aarl@example.org", "karl@example.org"),
		Entry("with a domain in full-width letters", "ana@\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45.org", "ana@example.org"),
		Entry("with an ideographic full stop", "ana@example\u3002org", "ana@example.org"),
		Entry("with an international domain", "ana@BÜCHER.example", "ana@xn--bcher-kva.example"),
		Entry("with the same domain in its ASCII form", "ana@XN--bcher-kva.example", "ana@xn--bcher-kva.example"),
		Entry("with a sharp s in the domain, which is no ss", "ana@faß.example", "ana@xn--fa-hia.example"),
		Entry("with the same domain in capitals", "ana@FA\u1e9e.example", "ana@xn--fa-hia.example"),
		Entry("with one trailing dot", "ana@example.org.", "ana@example.org"),
		Entry("from a link", "mailto:ana@example.org", "ana@example.org"),
		Entry("from a link with a query", "MAILTO:ana@example.org?subject=hi", "ana@example.org"),
		Entry("from a link, padded inside", " mailto: ana@example.org ", "ana@example.org"),
		Entry("from a link with escapes", "mailto:ana%2Bshop@example.org?subject=hi", "ana+shop@example.org"),
		Entry("with a question mark of its own", "ana?x@example.org", "ana?x@example.org"),
		Entry("with every sign an atom may hold", "!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"),
		Entry("on a domain of one label", "ana@localhost", "ana@localhost"),
		Entry("as long as it may be before the @", strings.Repeat("a", 64)+"@example.org", strings.Repeat("a", 64)+"@example.org"),
	)

	DescribeTable("is rejected as an identity when it is no single plain address",
		func(raw string) {
			email, err := identity.NormalizeEmail(raw)
			Expect(email).To(BeEmpty())
			var refusal *fault.Error
			Expect(err).To(BeAssignableToTypeOf(refusal))
			refusal = err.(*fault.Error)
			Expect(refusal.Code).To(Equal(fault.Rejected))
			Expect(refusal.Field).To(Equal("identity.email"))
			if len(strings.TrimSpace(raw)) > 3 {
				Expect(refusal.Error()).NotTo(ContainSubstring(strings.TrimSpace(raw)))
			}
		},
		Entry("nothing", ""),
		Entry("only spaces", "   "),
		Entry("only marks", "\u200b\ufeff"),
		Entry("an empty link", "mailto:?subject=ana@example.org"),
		Entry("a link with slashes", "mailto://ana@example.org"),
		Entry("a link with a broken escape", "mailto:ana%zz@example.org"),
		Entry("a link that decodes to broken UTF-8", "mailto:ana%ff@example.org"),
		Entry("a link to two people", "mailto:ana@example.org,ben@example.org"),
		Entry("a link in a link", "mailto:mailto:ana@example.org"),
		Entry("no @", "ana.example.org"),
		Entry("a full-width @", "ana\uff20example.org"),
		Entry("nothing before the @", "@example.org"),
		Entry("nothing after the @", "ana@"),
		Entry("two @", "a@b@example.org"),
		Entry("two addresses with a comma", "ana@example.org, ben@example.org"),
		Entry("two addresses with a semicolon", "ana@example.org;ben@example.org"),
		Entry("two addresses with a line break", "ana@example.org\nben@example.org"),
		Entry("a display name", "Ana <ana@example.org>"),
		Entry("angle brackets", "<ana@example.org>"),
		Entry("a comment", "ana(home)@example.org"),
		Entry("a quoted local part", `"ana"@example.org`),
		Entry("a quoted local part with a space", `"a na"@example.org`),
		Entry("a space inside", "an a@example.org"),
		Entry("a space beside the @", "ana @example.org"),
		Entry("a no-break space inside", "an\u00a0a@example.org"),
		Entry("a zero-width space inside", "an\u200ba@example.org"),
		Entry("a zero-width space in the domain", "ana@exam\u200bple.org"),
		Entry("a soft hyphen in the domain", "ana@exam\u00adple.org"),
		Entry("a joiner inside", "an\u200da@example.org"),
		Entry("a variation selector", "ana\ufe0f@example.org"),
		Entry("a Hangul filler", "ana\u3164@example.org"),
		Entry("a control character", "an\x07a@example.org"),
		Entry("NUL", "ana\x00@example.org"),
		Entry("NUL at the end", "ana@example.org\x00"),
		Entry("broken UTF-8", "ana\xff@example.org"),
		Entry("a replaced character", "ana\ufffd@example.org"),
		Entry("a replaced character in the domain", "ana@ex\ufffdample.org"),
		Entry("a private code point", "ana\ue000@example.org"),
		Entry("a Greek question mark, which is a semicolon", "ana\u037e@example.org"),
		Entry("a leading dot", ".ana@example.org"),
		Entry("a dot before the @", "ana.@example.org"),
		Entry("two dots in a row", "an..a@example.org"),
		Entry("two trailing dots", "ana@example.org.."),
		Entry("two trailing dots of two kinds", "ana@example.org.\u3002"),
		Entry("an empty label", "ana@example..org"),
		Entry("a leading dot in the domain", "ana@.example.org"),
		Entry("a domain of a dot", "ana@."),
		Entry("a label that starts with a hyphen", "ana@-example.org"),
		Entry("a label that ends with a hyphen", "ana@example-.org"),
		Entry("an underscore in the domain", "ana@exa_mple.org"),
		Entry("a port", "ana@example.org:25"),
		Entry("a path", "ana@example.org/x"),
		Entry("an IP address in brackets", "ana@[192.0.2.1]"),
		Entry("an IPv6 address in brackets", "ana@[IPv6:2001:db8::1]"),
		Entry("a bare IP address", "ana@192.0.2.1"),
		Entry("broken punycode", "ana@xn--a.example"),
		Entry("a label of 64 octets", "ana@"+strings.Repeat("a", 64)+".org"),
		Entry("a local part of 65 octets", strings.Repeat("a", 65)+"@example.org"),
		Entry("a local part of 33 letters of two octets", strings.Repeat("é", 33)+"@example.org"),
		Entry("255 octets", "ana@"+strings.Repeat(strings.Repeat("a", 49)+".", 5)+"x"),
		Entry("a domain of a megabyte", "ana@"+strings.Repeat("ü", 1<<19)+".org"),
	)

	It("may have 254 octets, counted in its canonical form", func() {
		longest := strings.Repeat(strings.Repeat("a", 49)+".", 5)
		email, err := identity.NormalizeEmail("an@" + longest + "x")
		Expect(err).NotTo(HaveOccurred())
		Expect(email).To(HaveLen(254))
		_, err = identity.NormalizeEmail("an@" + longest + "x.")
		Expect(err).NotTo(HaveOccurred(), "a trailing dot is not part of the canonical form")
	})

	It("is never folded into a mailbox that may be somebody else's", func() {
		seen := map[string]string{}
		for _, raw := range []string{
			"a.na@gmail.com", "ana@gmail.com", "ana+shop@gmail.com", "ana@googlemail.com",
			"аna@gmail.com", "àna@gmail.com", "ÀNA@gmail.com", "ana＠gmail.com@gmail.com",
		} {
			sum := hmacOf(raw)
			Expect(seen).NotTo(HaveKey(sum), "%s and %s", raw, seen[sum])
			seen[sum] = raw
		}
	})

	It("keeps its form when it is normalised again", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			raw := rapid.OneOf(rapid.String(), typedAddress()).Draw(t, "raw")
			once, err := identity.NormalizeEmail(raw)
			if err != nil {
				return
			}
			twice, err := identity.NormalizeEmail(string(once))
			if err != nil || twice != once {
				t.Fatalf("%q became %q, then %q (%v)", raw, once, twice, err)
			}
		})
	})

	It("is the same with padding around it and in any case", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			raw := typedAddress().Draw(t, "raw")
			pad := rapid.StringOf(rapid.SampledFrom([]rune(" \t\r\n\u00a0\u200b\u200e\u202e\u2028\u3000\ufeff\u00ad")))
			plain, errPlain := identity.NormalizeEmail(raw)
			other, errOther := identity.NormalizeEmail(pad.Draw(t, "front") + mapASCII(raw) + pad.Draw(t, "back"))
			if (errPlain == nil) != (errOther == nil) || plain != other {
				t.Fatalf("%q: %q and %q", raw, plain, other)
			}
		})
	})
})

var _ = Describe("The pepper", func() {
	DescribeTable("makes the stitching key of the canonical address",
		func(raw, key string) {
			Expect(hmacOf(raw)).To(HavePrefix(key))
		},
		Entry("plain", "ana@example.org", "66dac93649ad0d8cef3160fc0210e3da3e6934729c89d26c86f8bcd05809a13a"),
		Entry("shouted", " ANA@EXAMPLE.ORG ", "66dac93649ad0d8cef3160fc0210e3da3e6934729c89d26c86f8bcd05809a13a"),
		Entry("full-width domain", "ana@ｅｘａｍｐｌｅ.org", "66dac93649ad0d8cef3160fc0210e3da3e6934729c89d26c86f8bcd05809a13a"),
		Entry("accented", "jose\u0301@example.org", "0e2e56125b83ca03302953bd10a759a38d8426820b66c10ec953998025455ec8"),
		Entry("dotted", "a.na@gmail.com", "5937009887713c2a"),
		Entry("undotted", "ana@gmail.com", "27037f2bbb6ce3c6"),
		Entry("tagged", "ana+shop@gmail.com", "8d8c6e1bfbfc3de6"),
		Entry("other domain", "ana@googlemail.com", "a1fb5fb922dea44e"),
	)

	It("has an id that names the normaliser's version and not the secret", func() {
		Expect(pepper.ID()).To(MatchRegexp(`^n1-[0-9a-f]{16}$`))
		Expect(identity.NewPepper([]byte("test-pepper-v1")).ID()).To(Equal(pepper.ID()))
		Expect(identity.NewPepper([]byte("test-pepper-v2")).ID()).NotTo(Equal(pepper.ID()))
	})

	It("keeps its own copy of the secret", func() {
		secret := []byte("test-pepper-v1")
		mine := identity.NewPepper(secret)
		clear(secret)
		Expect(mine.HMAC("ana@example.org")).To(Equal(pepper.HMAC("ana@example.org")))
	})

	It("shows its id when printed, never the secret", func() {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			Expect(fmt.Sprintf(verb, pepper)).To(Equal(pepper.ID()))
		}
	})
})

// typedAddress is what people type, right and wrong.
func typedAddress() *rapid.Generator[string] {
	local := rapid.StringOfN(rapid.SampledFrom([]rune("abzAKHT059._+-%'\u0331\u0301\u0308éÉßя漢")), 1, 12, -1)
	label := rapid.StringOfN(rapid.SampledFrom([]rune("abzAZ059-üÜßｅ漢\u0301")), 1, 8, -1)
	dot := rapid.SampledFrom([]string{".", "\u3002", "\uff0e"})
	scheme := rapid.SampledFrom([]string{"", "", "mailto:", "MailTo:"})
	end := rapid.SampledFrom([]string{"", "", "."})
	return rapid.Custom(func(t *rapid.T) string {
		return scheme.Draw(t, "scheme") + local.Draw(t, "local") + "@" + label.Draw(t, "label") +
			dot.Draw(t, "dot") + label.Draw(t, "top") + end.Draw(t, "end")
	})
}

// mapASCII swaps the case of ASCII letters that no mark follows: a letter with a
// mark is a letter of its own, and its case is kept.
func mapASCII(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		if i+1 < len(runes) && runes[i+1] >= 0x300 && runes[i+1] < 0x370 {
			continue
		}
		switch {
		case 'a' <= r && r <= 'z':
			runes[i] = r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			runes[i] = r - 'A' + 'a'
		}
	}
	return string(runes)
}
