package journey_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var _ = Describe("An e-mail address in a text", func() {
	DescribeTable("is replaced, and its neighbours stay",
		func(raw, expected string) {
			Expect(journey.RedactEmails(raw)).To(Equal(expected))
			Expect(journey.RedactEmails(expected)).To(Equal(expected))
		},
		Entry("alone", "ana@example.org", "[redacted]"),
		Entry("in a sentence", "Write to ana@example.org, please.", "Write to [redacted], please."),
		Entry("at the end of a sentence", "Write to ana@example.org.", "Write to [redacted]."),
		Entry("in brackets", "Ana <ana@example.org>", "Ana <[redacted]>"),
		Entry("in quotes", `'ana@example.org' "ben@example.org"`, `'[redacted]' "[redacted]"`),
		Entry("in typographic quotes", "“ana@example.org”", "“[redacted]”"),
		Entry("two of them", "ana@example.org,ben@example.org;ana@example.net", "[redacted],[redacted];[redacted]"),
		Entry("with a tag", "q=ana+shop@example.org&x=1", "q=[redacted]&x=1"),
		Entry("with an apostrophe", "to=o'ana@example.org", "to=[redacted]"),
		Entry("in a path", "/u/ana@example.org/settings", "/u/[redacted]/settings"),
		Entry("in a query", "?e=ana@example.org&plan=pro", "?e=[redacted]&plan=pro"),
		Entry("in a link", "mailto:ana@example.org?subject=hi", "mailto:[redacted]?subject=hi"),
		Entry("encoded", "/thanks?email=ana%40example.org&plan=pro", "/thanks?email=[redacted]&plan=pro"),
		Entry("encoded with its tag", "e=ana%2Btag%40example.org", "e=[redacted]"),
		Entry("encoded twice", "/r?next=%2Fx%3Femail%3Dana%2540example.org", "/r?next=%2Fx%3Femail%3D[redacted]"),
		Entry("encoded three times", "e=ana%252540example.org&x", "e=[redacted]&x"),
		Entry("encoded seven times", "e=ana%2525252525252540example.org&x", "e=[redacted]&x"),
		Entry("encoded in unequal depth", "next=%2Fx%3Femail%3D%61na%2540example%2Eorg%26plan%3Dpro", "next=%2Fx%3Femail%3D[redacted]%26plan%3Dpro"),
		Entry("with letters encoded and a plain @", "next=%2Fx%3Femail%3D%61n%2561@example.org%2Fy", "next=%2Fx%3Femail%3D[redacted]%2Fy"),
		Entry("with encoded digits of an escape", "e=ana%%34%30example.org", "e=[redacted]"),
		Entry("in hex of either case", "e=%61%6e%61%40%65xample%2eorg&f=%6A%6a%4A@example.org", "e=[redacted]&f=[redacted]"),
		Entry("beside a malformed escape", "e=%zz&m=ana%40example.org&x=%", "e=%zz&m=[redacted]&x=%"),
		Entry("international", "an josé@bücher.example!", "an [redacted]!"),
		Entry("international and encoded", "e=jos%C3%A9%40b%c3%bccher.example&x", "e=[redacted]&x"),
		Entry("international and encoded twice", "e=jos%25C3%25A9%2540b%25C3%25BCcher.example&x", "e=[redacted]&x"),
		Entry("in punycode", "ana@xn--bcher-kva.example", "[redacted]"),
		Entry("with an ideographic full stop", "ana@example\u3002org", "[redacted]"),
		Entry("before an ideographic full stop", "ana@example.org\u3002次", "[redacted]\u3002次"),
		Entry("before an emoji", "ana@example.org😀", "[redacted]😀"),
		Entry("after an emoji", "😀ana@example.org", "😀[redacted]"),
		Entry("with a full-width @", "ana\uff20example.org", "[redacted]"),
		Entry("with an encoded full-width @", "e=ana%EF%BC%A0example.org", "e=[redacted]"),
		Entry("with a small @", "ana\ufe6bexample.org", "[redacted]"),
		Entry("with a numbered entity", "ana&#64;example&#46;org x", "[redacted] x"),
		Entry("with a hexadecimal entity", "ana&#x0040;example.org x", "[redacted] x"),
		Entry("with a named entity", "ana&commat;example&period;org x", "[redacted] x"),
		Entry("with an encoded entity", "e=ana%26%2364%3Bexample.org", "e=[redacted]"),
		Entry("with an entity twice over", "ana&amp;#64;example.org x", "[redacted] x"),
		Entry("with an escape of JSON", `{"e":"ana\u0040example.org"}`, `{"e":"[redacted]"}`),
		Entry("with an escape of a script", `ana\x40example.org`, "[redacted]"),
		Entry("with a quoted local part", `"ana b"@example.org`, "[redacted]"),
		Entry("with an IP address", "ana@[192.0.2.1] ana@[IPv6:2001:db8::1]", "[redacted] [redacted]"),
		Entry("with a zero-width space", "an\u200ba@exam\u200bple.org", "[redacted]"),
		Entry("with lost bytes", "an\xffa@exam\ufffdple.org", "[redacted]"),
		Entry("with a top-level name of one letter", "a@b.c", "[redacted]"),
		Entry("before a number", "ana@example.org.123", "[redacted].123"),
		Entry("with a password in a URL", "https://ana:pw@example.org/", "https://ana:[redacted]/"),
		Entry("with two @", "ana@example.org@example.net", "[redacted]"),
		Entry("as a handle of a server", "@ana@social.example", "@[redacted]"),
		Entry("of signs only", "x=!@example.org", "x=[redacted]"),
	)

	DescribeTable("is not seen where there is none",
		func(text string) {
			Expect(journey.RedactEmails(text)).To(Equal(text))
		},
		Entry("nothing", ""),
		Entry("a scoped package with a version", "npm/@scope/pkg@1.2.3"),
		Entry("an encoded scoped package", "npm/%40scope%2Fpkg%401.2.3"),
		Entry("a version range", "react@16.x"),
		Entry("coordinates", "/maps/@48.14,17.1,12z"),
		Entry("coordinates after a place", "/maps/place/Old+Bridge@48.14,17.1"),
		Entry("a user on a host", "user@host"),
		Entry("a user on a host in a path", "/git@host:x/y.git"),
		Entry("a handle", "/@user.name/posts"),
		Entry("a picture for a dense screen", "/img/logo@2x.png"),
		Entry("an encoded picture", "/img/logo%402x.PNG"),
		Entry("an @ alone", "meet @ 5.30 pm"),
		Entry("two in a row", "a@@b.example"),
		Entry("an address taken out already", "x=[redacted]&y=a@[redacted]"),
		Entry("malformed escapes", "/a?x=%zz&y=%E0%A4%A&z=%4"),
		Entry("entities of other things", "a &amp; b &#169; c &lt;d&gt; &#x110000; &#; &;"),
		Entry("escapes of other things", `C:\users\x \u00e9 \u`),
		Entry("encoded percent signs", "100%25 of 5%2525"),
		Entry("no domain", "ana@.org ana@-.org ana@example-.org"),
	)

	It("is found in time that is linear in the length of a hostile text", func() {
		const size = 64 << 10
		spent := func(unit string, factor int) time.Duration {
			text := strings.Repeat(unit, factor*size/len(unit))
			started := time.Now()
			journey.RedactEmails(text)
			return time.Since(started)
		}
		for _, unit := range []string{
			"@", "a@", "a@b.", "a.", "@a.b", "%25", "%2540", "%", "%2", "%%34%30", `"@`, `"a"@b.c`, "&", "&#64;", ";", "&amp;",
			"[", "@[", "@[1", "\uff20", "a\u3002@", "\\u0040", "\xef\xbc", "\xff", "é", "é@é.é", "-", "@-.", "a@b_-",
		} {
			spent(unit, 1)
			Expect(spent(unit, 16)).To(BeNumerically("<", 2*time.Second), "%q, 1 MiB of it", unit)
		}
		// One long word before or behind an @, and an escape as deep as the text.
		for _, text := range []string{
			strings.Repeat("a", size) + "@", "@" + strings.Repeat("a.", size/2), "@" + strings.Repeat("a", size) + ".org",
			"%" + strings.Repeat("25", size/2) + "40", strings.Repeat("a", size) + "@example.org",
		} {
			started := time.Now()
			journey.RedactEmails(text)
			Expect(time.Since(started)).To(BeNumerically("<", time.Second))
		}
	})
})
