package journey_test

import (
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

func cleaned(raw string) string {
	GinkgoHelper()
	url, _ := journey.CleanURL(raw)
	again, _ := journey.CleanURL(url)
	Expect(again).To(Equal(url), "cleaning again changes nothing")
	Expect(len(url)).To(BeNumerically("<=", 2048))
	return url
}

var _ = Describe("The URL of a page", func() {
	DescribeTable("is stored in one form",
		func(raw, expected string) {
			Expect(cleaned(raw)).To(Equal(expected))
		},
		Entry("plain", "https://example.org/a/b?x=1&y=2", "https://example.org/a/b?x=1&y=2"),
		Entry("a path", "/a/b?x=1", "/a/b?x=1"),
		Entry("the root", "/", "/"),
		Entry("without a path", "https://example.org", "https://example.org/"),
		Entry("a query and no path", "https://example.org?x", "https://example.org/?x"),
		Entry("an empty query", "/a?", "/a?"),
		Entry("in capitals, international, with the default port", "HTTPS://BÜCHER.example:443/😀?q=é", "https://xn--bcher-kva.example/%F0%9F%98%80?q=%C3%A9"),
		Entry("the same, encoded", "https://xn--bcher-kva.example/%F0%9F%98%80?q=%C3%A9", "https://xn--bcher-kva.example/%F0%9F%98%80?q=%C3%A9"),
		Entry("with the default port of http", "http://example.org:80/", "http://example.org/"),
		Entry("with the other scheme's port", "http://example.org:443/", "http://example.org:443/"),
		Entry("with zeros before the port", "http://example.org:08080/", "http://example.org:8080/"),
		Entry("with an empty port", "http://example.org:/", "http://example.org/"),
		Entry("with a user and a password", "https://ana:pw@example.org/x", "https://example.org/x"),
		Entry("with an address for a user", "https://ana@example.net:pw@example.org/x", "https://example.org/x"),
		Entry("with a fragment", "https://example.org/a#ana@example.org?x", "https://example.org/a"),
		Entry("a path with a fragment", "/a#top", "/a"),
		Entry("padded", " \t\n\u00a0https://example.org/a\r\n\x00 ", "https://example.org/a"),
		Entry("broken over lines", "https://exa\nmple.org/a\r\n/b\tc", "https://example.org/a/bc"),
		Entry("with a backslash for a slash", `https://example.org\a\b?c\d`, `https://example.org/a/b?c\d`),
		Entry("with unsafe characters", "/a b\"<c>^`{}|?d e\"<f>'", "/a%20b%22%3Cc%3E%5E%60%7B%7D|?d%20e%22%3Cf%3E%27"),
		Entry("with control characters", "/a\x01b\x7fc", "/a%01b%7Fc"),
		Entry("with malformed escapes", "/a%?x=%zz&y=%E0%A4%A", "/a%?x=%zz&y=%E0%A4%A"),
		Entry("with escapes of broken UTF-8", "/t/%C0/abc%EF%BF", "/t/%C0/abc%EF%BF"),
		Entry("with broken UTF-8", "/a\xff", "/a%EF%BF%BD"),
		Entry("with lower-case escapes, kept", "/%c3%a9", "/%c3%a9"),
		Entry("with an IPv6 host", "http://[2001:DB8:0::1]:8080/x", "http://[2001:db8::1]:8080/x"),
		Entry("with an underscore in the host", "http://a_b.example.org/", "http://a_b.example.org/"),
		Entry("with an encoded host", "http://ex%61mple.org/", "http://example.org/"),
		Entry("with a trailing dot", "http://example.org./", "http://example.org./"),
	)

	DescribeTable("is dropped when it is no page of a site",
		func(raw string) {
			url, campaign := journey.CleanURL(raw)
			Expect(url).To(BeEmpty())
			Expect(campaign).To(BeEmpty())
		},
		Entry("nothing", ""),
		Entry("a script", "javascript:alert(1)"),
		Entry("a script in disguise", " JaVaScRiPt:alert(1)//?utm_source=x"),
		Entry("a script over lines", "java\nscript:alert(1)"),
		Entry("data", "data:text/html,x"),
		Entry("a file", "file:///etc/passwd"),
		Entry("a host without a scheme", "//evil.example/?utm_source=x"),
		Entry("the same with a backslash", `/\evil.example`),
		Entry("the same hidden by a tab", "/\t/evil.example"),
		Entry("the same hidden by NUL", "/\x00/evil.example"),
		Entry("a scheme without slashes", "https:example.org"),
		Entry("a scheme with one slash", "https:/example.org"),
		Entry("no host", "https:///x"),
		Entry("only a user", "https://ana@/x"),
		Entry("a relative path", "a/b?utm_source=x"),
		Entry("a query", "?utm_source=x"),
		Entry("a fragment", "#x"),
		Entry("another scheme", "ftp://example.org/"),
		Entry("a mail", "mailto:ana@example.org"),
		Entry("an app", "android-app://org.example/"),
		Entry("a port that is no number", "http://example.org:x/"),
		Entry("a port that is too large", "http://example.org:65536/"),
		Entry("a host with a space", "http://exa mple.org/"),
		Entry("a host with an escaped slash", "http://exa%2Fmple.org/"),
		Entry("a host with broken escapes", "http://exa%zzmple.org/"),
		Entry("a host in broken punycode", "http://xn--a.example/"),
		Entry("a host of lost bytes", "http://ex\xffample.org/"),
		Entry("a host of escaped broken UTF-8", "http://example%80.org/"),
		Entry("a host with brackets", "http://[example.org]/"),
		Entry("an IPv6 host with a zone", "http://[fe80::1%eth0]/"),
		Entry("a host that is too long", "http://"+strings.Repeat("a.", 200)+"org/"),
		Entry("a host of a megabyte", "http://"+strings.Repeat("ü", 1<<19)+".org/"),
	)

	DescribeTable("holds no address, however it was encoded",
		func(raw, expected string) {
			Expect(cleaned(raw)).To(Equal(expected))
		},
		Entry("encoded", "/thanks?email=ana%40example.org&plan=pro", "/thanks?email=[redacted]&plan=pro"),
		Entry("plain", "/thanks?e=ana@example.org", "/thanks?e=[redacted]"),
		Entry("in the path", "/u/ana@example.org/settings", "/u/[redacted]/settings"),
		Entry("encoded twice", "/r?next=%2Fx%3Femail%3Dana%2540example.org", "/r?next=%2Fx%3Femail%3D[redacted]"),
		Entry("of a referrer", "https://example.org/?mail=ana@example.org", "https://example.org/?mail=[redacted]"),
		Entry("international", "/u/josé@bücher.example/x", "/u/[redacted]/x"),
		Entry("within a URL within", "/r?to=https%3A%2F%2Fana%3Apw%40example.org%2Fx", "/r?to=https%3A%2F%2Fana%3A[redacted]%2Fx"),
		Entry("first in the path", "/ana@example.org", "/[redacted]"),
	)

	Describe("that is too long is cut", func() {
		const limit = 2048
		at := func(tail string, left int) string { // tail begins left bytes before the limit
			return "/" + strings.Repeat("a", limit-1-left) + tail + strings.Repeat("z", 100)
		}

		It("to 2,048 bytes", func() {
			Expect(cleaned("/?" + strings.Repeat("q", 60<<10))).To(HaveLen(limit))
			Expect(cleaned(at("", 0))).To(HaveLen(limit))
		})

		It("never inside a character, plain or encoded", func() {
			for _, tail := range []string{"😀", "é", "漢", "%F0%9F%98%80", "%c3%a9", "%20", "%2520", "x%41"} {
				for left := range 14 {
					url := cleaned(at(tail, left))
					Expect(utf8.ValidString(url)).To(BeTrue())
					Expect(strings.TrimRight(url, "z")).To(Or(MatchRegexp(`^/a*$`), HaveSuffix("80"), HaveSuffix("A9"),
						HaveSuffix("a9"), HaveSuffix("%A2"), HaveSuffix("%20"), HaveSuffix("%25"), HaveSuffix("%252"), HaveSuffix("%2520"),
						HaveSuffix("ax"), HaveSuffix("x%41")), "%s, %d", tail, left)
				}
			}
		})

		It("at the limit itself when broken escapes leave no character to keep whole", func() {
			Expect(len(cleaned("/" + strings.Repeat("%80", 1000)))).To(BeNumerically(">=", limit-2))
			Expect(cleaned("/" + strings.Repeat("%", 3000))).To(HaveLen(limit))
		})

		It("before the mark of an address that does not fit", func() {
			for left := range 12 {
				url := cleaned(at("/ana@example.org/", left))
				Expect(strings.Count(url, "[")).To(Equal(strings.Count(url, "[redacted]")), url[limit-20:])
				Expect(url).NotTo(ContainSubstring("example"))
			}
		})
	})
})
