package journey_test

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"

	"pgregory.net/rapid"

	"continuity/domain/journey"
)

// anAddress is an address as people have them, international ones among them.
func anAddress() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		local := rapid.StringOfN(rapid.SampledFrom([]rune("abzAZ09_+-.%'!~éß漢я")), 0, 12, -1).Draw(t, "local")
		first := rapid.SampledFrom([]string{"a", "Z", "7", "é", "漢"}).Draw(t, "first")
		label := rapid.StringOfN(rapid.SampledFrom([]rune("abzAZ09-üя漢")), 0, 10, -1)
		top := rapid.SampledFrom([]string{"org", "example", "co.uk", "рф", "xn--p1ai", "museum"}).Draw(t, "top")
		return first + local + "@" + "x" + label.Draw(t, "label") + "y." + top
	})
}

// encode percent-encodes some or all bytes of a text.
func encode(t *rapid.T, text string) string {
	all := rapid.Bool().Draw(t, "every byte")
	lower := rapid.Bool().Draw(t, "lower-case hex")
	if !all && !lower {
		return url.QueryEscape(text)
	}
	var out strings.Builder
	for i := range len(text) {
		switch b := text[i]; {
		case all && lower || b == '@' || b == '%' || b >= utf8.RuneSelf:
			fmt.Fprintf(&out, map[bool]string{true: "%%%02x", false: "%%%02X"}[lower], b)
		default:
			out.WriteByte(b)
		}
	}
	return out.String()
}

var _ = Describe("Whatever a client sends", func() {
	It("no address is stored with an event, nor an encoding of one", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			address := anAddress().Draw(t, "address")
			forms := []string{address}
			for range rapid.IntRange(0, 2).Draw(t, "times") {
				forms = append(forms, encode(t, forms[len(forms)-1]))
			}
			sent := forms[len(forms)-1]
			before := rapid.SampledFrom([]string{"", "x=", "/", " ", "to:", "%20", "%2F", "%253D"}).Draw(t, "before")
			after := rapid.SampledFrom([]string{"", "&y=1", "/z", " ", ",", "%20", "%26", "%252F"}).Draw(t, "after")
			text := before + sent + after
			event, ok := journey.Draft{
				ID: "e1", Kind: text, Title: text, Referrer: "https://example.org/r/" + text,
				URL:   "/u/" + text + "/s?" + text + "&utm_source=" + sent + "&gclid=" + text + "#" + text,
				Props: map[string]any{text: []any{text, map[string]any{"k": text}}},
			}.Event(envelope)
			if !ok {
				t.Fatal("unusable")
			}
			all := fmt.Sprint(event)
			for _, form := range append(forms, strings.ToLower(address), url.PathEscape(address), url.QueryEscape(url.QueryEscape(address))) {
				if strings.Contains(all, form) {
					t.Fatalf("%q holds %q", all, form)
				}
			}
		})
	})

	It("what is stored is bounded, valid and stays as it is when it is stored again", func() {
		rapid.Check(GinkgoT(), func(t *rapid.T) {
			text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a.@%2540&#64;/?=+é\uff20\\u0x[]\" "))),
				rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
			once := journey.RedactEmails(journey.Clean(text))
			if journey.RedactEmails(journey.Clean(once)) != once || !utf8.ValidString(once) {
				t.Fatalf("%q became %q, then %q", text, once, journey.RedactEmails(once))
			}
			for _, raw := range []string{text, "/" + text, "https://example.org/" + text, "https://" + text} {
				url, _ := journey.CleanURL(raw)
				again, _ := journey.CleanURL(url)
				if url != again || !utf8.ValidString(url) || len(url) > 2048 {
					t.Fatalf("%q became %q, then %q", raw, url, again)
				}
			}
		})
	})
})
