package journey_test

import (
	"encoding/json"
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

func props(object map[string]any) string {
	GinkgoHelper()
	text := stored(journey.Draft{Props: object}).Props
	if text != "" {
		Expect(json.Valid([]byte(text))).To(BeTrue(), text)
	}
	Expect(len(text)).To(BeNumerically("<=", 4096))
	return text
}

type object = map[string]any

var _ = Describe("The props of an event", func() {
	DescribeTable("are stored as compact JSON with sorted keys",
		func(raw object, expected string) {
			Expect(props(raw)).To(Equal(expected))
		},
		Entry("none", nil, ""),
		Entry("empty", object{}, ""),
		Entry("every kind of value", object{"s": "x", "n": json.Number("1.50"), "t": true, "f": false, "z": nil, "a": []any{"x", json.Number("1")}, "o": object{"b": "1", "a": "2"}},
			`{"a":["x",1],"f":false,"n":1.50,"o":{"a":"2","b":"1"},"s":"x","t":true,"z":null}`),
		Entry("numbers with all their digits", object{"n": json.Number("12345678901234567890.123456789012345678901234567890e-400")},
			`{"n":12345678901234567890.123456789012345678901234567890e-400}`),
		Entry("without escapes for HTML", object{"h": "<a href='x'>&</a>"}, `{"h":"<a href='x'>&</a>"}`),
		Entry("with the escapes of JSON", object{"k\"\n": "\\\t\r\x01\u2028"}, `{"k\"\n":"\\\t\r\u0001`+"\u2028"+`"}`),
		Entry("empty containers", object{"a": []any{}, "o": object{}}, `{"a":[],"o":{}}`),
		Entry("NUL and broken UTF-8", object{"a\x00b": "x\x00y", "c\xff": "\xed\xa0\xbd"}, `{"ab":"xy","c`+"\ufffd"+`":"`+"\ufffd"+`"}`),
		Entry("addresses in keys and values, at any depth", object{"ana@example.org": "ana%40example.org", "o": object{"l": []any{"to ana@example.org"}}},
			`{"[redacted]":"[redacted]","o":{"l":["to [redacted]"]}}`),
		Entry("keys that become equal: the first of the raw ones counts", object{"a\x00": "third", "a": "first", "\x00a": "zeroth"}, `{"a":"zeroth"}`),
		Entry("equal keys inside", object{"o": object{"ana@example.org": "1", "ben@example.org": "2"}}, `{"o":{"[redacted]":"1"}}`),
		Entry("what is no JSON is left out", object{"a": 1.5, "b": json.Number("NaN"), "c": json.Number("01"), "d": json.Number(""), "e": json.Number(`"x"`), "f": struct{}{}, "g": "kept"}, `{"g":"kept"}`),
		Entry("what is no JSON is left out of containers", object{"a": []any{1, "x", struct{}{}, "y"}, "o": object{"a": 1, "b": "x"}}, `{"a":["x","y"],"o":{"b":"x"}}`),
		Entry("a number of too many digits", object{"a": json.Number(strings.Repeat("1", 65)), "b": json.Number(strings.Repeat("1", 64))}, `{"b":`+strings.Repeat("1", 64)+`}`),
		Entry("a key that is too long", object{strings.Repeat("k", 65): "x", strings.Repeat("k", 64): "y"}, `{"`+strings.Repeat("k", 64)+`":"y"}`),
		Entry("a value that is too long", object{"a": strings.Repeat("é", 300)}, `{"a":"`+strings.Repeat("é", 256)+`"}`),
		Entry("four levels", object{"1": object{"2": []any{object{"4": "x"}}}}, `{"1":{"2":[{"4":"x"}]}}`),
		Entry("a fifth level is left out", object{"1": object{"2": []any{object{"4": []any{"x"}, "k": "y"}}}}, `{"1":{"2":[{"k":"y"}]}}`),
	)

	It("have at most 32 keys an object, the first in order", func() {
		wide := object{}
		for i := range 100 {
			wide[fmt.Sprintf("k%02d", i)] = true
		}
		text := props(wide)
		Expect(strings.Count(text, ":")).To(Equal(32))
		Expect(text).To(HaveSuffix(`"k31":true}`))
		Expect(strings.Count(props(object{"o": wide}), ":")).To(Equal(33))
	})

	It("lose their last keys until they fit in 4,096 bytes", func() {
		large := object{}
		for i := range 20 {
			large[fmt.Sprintf("k%02d", i)] = strings.Repeat("x", 500)
		}
		text := props(large)
		Expect(text).To(HavePrefix(`{"k00":"x`))
		Expect(text).To(ContainSubstring(`"k07":"x`))
		Expect(text).NotTo(ContainSubstring(`"k08"`))
	})

	It("lose a value that fits nowhere, and what comes behind it", func() {
		endless := make([]any, 10_000)
		Expect(props(object{"a": "kept", "b": endless, "c": "lost"})).To(Equal(`{"a":"kept"}`))
		Expect(props(object{"a": "kept", "b": object{"x": object{"y": endless}}, "c": "lost"})).To(Equal(`{"a":"kept"}`))
		Expect(props(object{"b": endless})).To(BeEmpty())
	})

	It("may have 4,096 bytes to the byte", func() {
		filled := object{}
		for i := range 8 {
			filled[fmt.Sprintf("k%d", i)] = strings.Repeat("x", 504)
		}
		// {"k0":"…",…}: 8 keys of 2+2+1+2+504 bytes, 7 commas, 2 braces.
		size := 8*(4+1+2+504) + 7 + 2
		Expect(size).To(Equal(4097))
		Expect(props(filled)).NotTo(ContainSubstring("k7"))
		filled["k7"] = strings.Repeat("x", 503)
		Expect(props(filled)).To(HaveLen(4096))
	})

	It("stand any depth a decoder lets through", func() {
		deep := any("x")
		for range 10_000 {
			deep = []any{deep}
		}
		Expect(props(object{"a": deep, "b": "y"})).To(Equal(`{"a":[[[]]],"b":"y"}`))
	})
})
