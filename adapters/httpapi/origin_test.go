package httpapi

import (
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Where a request comes from", func() {
	const body = `{"events":[{"id":"e1"}]}`
	var s *site
	BeforeEach(func() {
		s = newSite()
		var err error
		s.Origins, err = ParseOrigins([]string{"https://Shop.example.org", " http://localhost:3000"})
		Expect(err).NotTo(HaveOccurred())
	})

	from := func(origin, site string) []edit {
		edits := []edit{without("Origin"), without("Sec-Fetch-Site"), carrying(keyOfAna)}
		if origin != "" {
			edits = append(edits, with("Origin", origin))
		}
		if site != "" {
			edits = append(edits, with("Sec-Fetch-Site", site))
		}
		return edits
	}

	DescribeTable("is our own site or a listed one",
		func(origin, site string) {
			Expect(s.append(body, from(origin, site)...).Code).To(Equal(204))
		},
		Entry("the browser says so", "", "same-origin"),
		Entry("both say so", "https://www.example.org", "same-origin"),
		Entry("an older browser", "https://www.example.org", ""),
		Entry("by another scheme, behind a proxy", "http://www.example.org", ""),
		Entry("with the port that goes without saying", "https://www.example.org:443", ""),
		Entry("in another case", "https://WWW.Example.ORG", ""),
		Entry("listed", "https://shop.example.org", "same-site"),
		Entry("listed with a port", "http://localhost:3000", "cross-site"),
	)

	DescribeTable("is nowhere that we accept",
		func(origin, site string) {
			w := s.append(body, from(origin, site)...)
			beARefusal(w, 403, "forbidden")
			Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
			Expect(s.changes).To(BeEmpty())
		},
		Entry("another site", "https://evil.example", "cross-site"),
		Entry("another site in an older browser", "https://evil.example", ""),
		Entry("a sister", "https://blog.example.org", "same-site"),
		Entry("a listed host by another scheme", "http://shop.example.org", ""),
		Entry("a listed host on another port", "https://shop.example.org:8443", ""),
		Entry("our host on another port", "https://www.example.org:8443", ""),
		Entry("a name that begins like ours", "https://www.example.org.evil.example", ""),
		Entry("null", "null", "cross-site"),
		Entry("null by a page of ours", "null", "same-origin"),
		Entry("no origin at all", "", ""),
		Entry("no origin, another site", "", "cross-site"),
		Entry("a scheme of its own", "chrome-extension://www.example.org", ""),
		Entry("junk", "www.example.org", ""),
	)

	It("is not told by two origins at once", func() {
		w := s.append(body, carrying(keyOfAna), with("Origin", "https://evil.example"))
		beARefusal(w, 403, "forbidden")
	})

	It("may be left unsaid only where that is configured", func() {
		var err error
		s.Origins, err = ParseOrigins([]string{"absent"})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.append(body, from("", "")...).Code).To(Equal(204))
		Expect(s.append(body, from("", "cross-site")...).Code).To(Equal(403))
		Expect(s.append(body, from("null", "")...).Code).To(Equal(403))
	})

	It("is answered by name to a listed site, in success and in failure", func() {
		for body, status := range map[string]int{body: 204, "x": 400} {
			w := s.append(body, from("https://shop.example.org", "same-site")...)
			Expect(w.Code).To(Equal(status))
			Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://shop.example.org"))
			Expect(w.Header().Get("Access-Control-Allow-Credentials")).To(Equal("true"))
			Expect(w.Header().Values("Vary")).To(ContainElement("Origin"))
		}
		own := s.append(body, from("https://www.example.org", "same-origin")...)
		Expect(own.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
	})

	It("decides a preflight", func() {
		ask := []edit{with("Access-Control-Request-Method", "POST"), with("Access-Control-Request-Headers", "content-type")}
		w := s.send(http.MethodOptions, "/v1/append", "", append(from("https://shop.example.org", "same-site"), ask...)...)
		Expect(w.Code).To(Equal(204))
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://shop.example.org"))
		Expect(w.Header().Get("Access-Control-Allow-Credentials")).To(Equal("true"))
		Expect(w.Header().Get("Access-Control-Allow-Methods")).To(Equal("POST"))
		Expect(w.Header().Get("Access-Control-Allow-Headers")).To(Equal("content-type"))
		Expect(w.Header().Get("Access-Control-Max-Age")).NotTo(BeEmpty())
		Expect(w.Header().Get("Vary")).To(ContainSubstring("Origin"))
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		for _, origin := range []string{"https://evil.example", "null", ""} {
			w := s.send(http.MethodOptions, "/v1/append", "", append(from(origin, ""), ask...)...)
			beARefusal(w, 403, "forbidden")
			Expect(w.Header()).NotTo(HaveKey("Access-Control-Allow-Origin"))
		}
		own := s.send(http.MethodOptions, "/v1/append", "")
		Expect(own.Code).To(Equal(204))
		Expect(own.Header().Get("Allow")).To(Equal("OPTIONS, POST"))
	})

	It("is listed without wildcards, paths or words we do not know", func() {
		for _, entry := range []string{"*", "https://*.example.org", "https://example.org/", "example.org", "null", "", "ftp://example.org", "https://a@example.org"} {
			_, err := ParseOrigins([]string{entry})
			Expect(err).To(HaveOccurred(), entry)
		}
	})
})
