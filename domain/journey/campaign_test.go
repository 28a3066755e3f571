package journey_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var _ = Describe("The campaign of a visit", func() {
	DescribeTable("is read from the query",
		func(query, expected string) {
			for _, page := range []string{"/p?", "https://example.org/?"} {
				_, campaign := journey.CleanURL(page + query)
				Expect(campaign.JSON()).To(Equal(expected))
			}
		},
		Entry("none", "a=1&utm=2&xutm_source=3&utm_=4", ""),
		Entry("in lower case", "utm_source=linkedin", `{"utm_source":"linkedin"}`),
		Entry("in mixed case", "utm_source=LinkedIn", `{"utm_source":"linkedin","utm_source_raw":"LinkedIn"}`),
		Entry("named in capitals", "UTM_SOURCE=LinkedIn", `{"utm_source":"linkedin","utm_source_raw":"LinkedIn"}`),
		Entry("padded", "utm_source=%20LinkedIn%20", `{"utm_source":"linkedin","utm_source_raw":" LinkedIn "}`),
		Entry("with plus signs for spaces", "utm_campaign=spring+sale", `{"utm_campaign":"spring sale"}`),
		Entry("with any utm name", "utm_id=7&utm_source_platform=x&utm_my-own.thing=y", `{"utm_id":"7","utm_my-own.thing":"y","utm_source_platform":"x"}`),
		Entry("with an encoded name", "%75tm_source=x", `{"utm_source":"x"}`),
		Entry("with the ampersand of a page's source", "a=1&amp;utm_source=x", `{"utm_source":"x"}`),
		Entry("twice: the first counts", "utm_source=a&utm_source=b&UTM_source=c", `{"utm_source":"a"}`),
		Entry("empty first: the second counts", "utm_source=&utm_source=%20&utm_source=b", `{"utm_source":"b"}`),
		Entry("with a click id, kept as it is", "gclid=CjKc_AbC-9&FBCLID=XyZ", `{"fbclid":"XyZ","gclid":"CjKc_AbC-9"}`),
		Entry("with the click id of another spelling", "ScCid=aB", `{"sccid":"aB"}`),
		Entry("with names that are kept for raw values", "utm_source=X&utm_source_raw=forged", `{"utm_source":"x","utm_source_raw":"X"}`),
		Entry("with names that are no names", "utm_ana@example.org=x&utm_%00=x&utm_a%20b=x", ""),
		Entry("without the reader of a mail", "mc_eid=0123&_kx=abc&mkt_tok=x", ""),
		Entry("in other scripts", "utm_source=Ti%C4%8Der%20%E6%BC%A2", `{"utm_source":"tičer 漢","utm_source_raw":"Tičer 漢"}`),
		Entry("broken", "utm_source=%zz%&utm_medium=%FF&utm_term=a%00b", `{"utm_medium":"`+"\ufffd"+`","utm_source":"%zz%","utm_term":"ab"}`),
		Entry("with JSON in it", `utm_source=%22%5C%0A%01<b>`, `{"utm_source":"\"\\\n\u0001<b>"}`),
		Entry("with an address", "utm_content=Mail+to+ana@example.org&utm_term=ana%2Bshop%40example.org",
			`{"utm_content":"[redacted]","utm_term":"[redacted]"}`),
		Entry("with an address that has a plus sign", "utm_term=ana+shop%40example.org", `{"utm_term":"[redacted]"}`),
		Entry("with an address in a click id", "gclid=ana%2540example.org", `{"gclid":"[redacted]"}`),
		Entry("behind a fragment: none", "#?utm_source=x", ""),
	)

	It("is one source for four ways to write it", func() {
		sources := map[string]int{}
		for _, query := range []string{"utm_source=LinkedIn", "utm_source=linkedin", "UTM_SOURCE=LinkedIn", "utm_source=%20LinkedIn%20"} {
			_, campaign := journey.CleanURL("/?" + query)
			sources[campaign["utm_source"]]++
		}
		Expect(sources).To(Equal(map[string]int{"linkedin": 4}))
	})

	It("is read before the URL is cut", func() {
		url, campaign := journey.CleanURL("/?q=" + strings.Repeat("x", 60<<10) + "&utm_source=LinkedIn&gclid=AbC")
		Expect(url).To(HaveLen(2048))
		Expect(campaign.JSON()).To(Equal(`{"gclid":"AbC","utm_source":"linkedin","utm_source_raw":"LinkedIn"}`))
	})

	It("has at most sixteen utm names and values of at most 256 bytes, cut between characters", func() {
		var query strings.Builder
		for i := range 40 {
			fmt.Fprintf(&query, "&utm_n%02d=%s", i, "x"+strings.Repeat("é", 300))
		}
		_, campaign := journey.CleanURL("/?" + query.String() + "&gclid=AbC")
		Expect(campaign).To(HaveLen(17))
		Expect(campaign).To(HaveKey("utm_n15"))
		Expect(campaign).To(HaveKey("gclid"))
		for _, value := range campaign {
			Expect(len(value)).To(BeNumerically("<=", 256))
			Expect(utf8.ValidString(value)).To(BeTrue())
		}
		Expect(json.Valid([]byte(campaign.JSON()))).To(BeTrue())
	})

	It("reads a query of thousands of names without a lasting one", func() {
		_, campaign := journey.CleanURL("/?" + strings.Repeat("utm_x=&", 10_000) + strings.Repeat("&", 10_000))
		Expect(campaign).To(BeEmpty())
	})
})
