package httpapi

import (
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("What a beacon carries", func() {
	var s *site
	BeforeEach(func() { s = newSite() })

	keep := func(body string) {
		GinkgoHelper()
		Expect(s.append(body, carrying(keyOfAna)).Code).To(Equal(204))
	}

	It("is kept whatever its media type is called, as long as that means JSON", func() {
		for _, media := range []string{"text/plain;charset=UTF-8", "", "application/json; charset=utf-8", "application/json"} {
			w := s.append(`{"events":[{"id":"e1"}]}`, carrying(keyOfAna), without("Content-Type"), with("Content-Type", media))
			Expect(w.Code).To(Equal(204), media)
		}
		Expect(s.recorded()).To(HaveLen(4))
		for _, media := range []string{
			"multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain; charset=utf-16", "text/html", ";",
		} {
			w := s.append(`{"events":[{"id":"e1"}]}`, carrying(keyOfAna), without("Content-Type"), with("Content-Type", media))
			beARefusal(w, 415, "unsupported_media_type")
		}
		Expect(s.recorded()).To(HaveLen(4))
	})

	It("loses NUL from its texts and keeps the rest", func() {
		keep(`{"a\u0000":1,"events":[{"id":"e1","title":"x\u0000y","props":{"k\u0000":"v\u0000"}},{"id":"e2","title":"ok"}]}`)
		Expect(s.recorded()).To(HaveLen(2))
		Expect(s.recorded()[0].Title).To(Equal("xy"))
		Expect(s.recorded()[0].Props).To(Equal(`{"k":"v"}`))
		Expect(s.recorded()[1].Title).To(Equal("ok"))
	})

	It("has a replacement character for half an emoji and for broken UTF-8", func() {
		keep(`{"events":[{"id":"e1","title":"hi \ud83d"},{"id":"e2","title":"` + "hi \xff" + `"}]}`)
		Expect(s.recorded()[0].Title).To(Equal("hi \ufffd"))
		Expect(s.recorded()[1].Title).To(Equal("hi \ufffd"))
	})

	It("is in the request's session where an event names none, and in none where it names an unusable one", func() {
		keep(`{"session":"s1","events":[{"id":"a"},{"id":"b","session":null},{"id":"c","session":"s2"},
			{"id":"d","session":7},{"id":"e","session":{"x":[1]}},{"id":"f","session":""}]}`)
		var sessions []string
		for _, event := range s.recorded() {
			sessions = append(sessions, string(event.Session))
		}
		Expect(sessions).To(Equal([]string{"s1", "s1", "s2", "", "", ""}))
	})

	It("is kept but for the events that are none, have a key twice, or no usable id", func() {
		keep(`{"events":[null,7,"x",[],{},{"id":7},{"id":"b\u0000"},{"id":"d","id":"d"},{"id":"k","kind":"a","kind":"b"},
			{"id":"good","kind":"page_view"}]}`)
		Expect(s.recorded()).To(HaveLen(1))
		Expect(string(s.recorded()[0].ID)).To(Equal("good"))
		Expect(s.log.String()).To(ContainSubstring("skipped=9"))
	})

	It("loses the fields of an event that have a wrong type, and unknown ones", func() {
		keep(`{"events":[{"id":"e1","title":7,"url":[],"referrer":{"a":1},"kind":true,"props":[1],"extra":{"deep":[1,{}]}},
			{"id":"e2","Title":"other case","props":{"a":{"b":1,"b":2}}}]}`)
		Expect(s.recorded()).To(HaveLen(2))
		for _, event := range s.recorded() {
			Expect(event.Title + event.URL + event.Referrer + event.Props).To(BeEmpty())
		}
	})

	It("keeps the numbers of props as they were written", func() {
		keep(`{"events":[{"id":"e1","props":{"n":1234567890123456789,"list":[true,null,"x"]}}]}`)
		Expect(s.recorded()[0].Props).To(Equal(`{"list":[true,null,"x"],"n":1234567890123456789}`))
	})

	It("has the time that was meant, and ours where none was", func() {
		keep(`{"events":[{"id":"a","at":"2026-03-29T02:30:00+01:00"},{"id":"b","at":1774747800000},
			{"id":"c","at":"2026-03-29T02:30:00"},{"id":"d","at":"yesterday"},{"id":"e","at":-1},{"id":"f","at":0},
			{"id":"g","at":1e308},{"id":"h","at":"NaN"},{"id":"i","at":null},{"id":"j","at":{}},{"id":"k"}]}`)
		Expect(s.recorded()).To(HaveLen(11))
		meant := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
		for i, event := range s.recorded() {
			if i < 2 {
				Expect(event.OccurredAt).To(Equal(meant))
				continue
			}
			Expect(event.Clamped).To(BeTrue())
			Expect(event.OccurredAt).To(Equal(event.ReceivedAt))
		}
	})

	It("counts an unreadable sent_at as missing", func() {
		for _, sent := range []string{`null`, `"soon"`, `[]`, `{"a":1}`, `true`, `-5`} {
			keep(`{"sent_at":` + sent + `,"events":[{"id":"e1","at":1774747800000}]}`)
		}
		Expect(s.recorded()).To(HaveLen(6))
		for _, event := range s.recorded() {
			Expect(event.OccurredAt).To(Equal(time.UnixMilli(1774747800000).UTC()))
		}
	})

	It("may be no events at all", func() {
		for _, body := range []string{`{}`, `{"events":null}`, `{"events":[]}`, ` {"session":null} `} {
			keep(body)
		}
	})

	DescribeTable("is refused whole when its envelope is wrong, by the name of the field",
		func(body, said string) {
			w := s.append(body, carrying(keyOfAna))
			beARefusal(w, 400, "invalid")
			Expect(w.Body.String()).To(ContainSubstring(said))
			Expect(s.recorded()).To(BeEmpty())
		},
		Entry("events is no list", `{"events":{}}`, "events: "),
		Entry("session is no string", `{"session":7,"events":[{"id":"e1"}]}`, "session: "),
		Entry("session is unusable", `{"session":"a\u0000b","events":[{"id":"e1"}]}`, "session: "),
		Entry("a key is there twice", `{"events":[],"events":[{"id":"e1"}]}`, "events: "),
		Entry("a key is there twice in disguise", `{"events":[],"\u0065vents":[{"id":"e1"}]}`, "events: "),
		Entry("an unknown key is there twice", `{"secret":1,"secret":2}`, `"message":"a key`),
		Entry("something follows", `{} {}`, "nothing after"),
		Entry("it is a list", `[]`, "object"),
		Entry("it is null", `null`, "object"),
		Entry("it is nothing", ``, "JSON"),
		Entry("it is cut off", `{"events":[{"id":"e1"`, "JSON"),
		Entry("it has a comma too many", `{"events":[{"id":"e1"},]}`, "JSON"),
		Entry("it nests too deep in what is ignored", `{"x":`+strings.Repeat("[", 32)+strings.Repeat("]", 32)+`}`, "deep"),
		Entry("it nests too deep in props",
			`{"events":[{"id":"e1","props":`+strings.Repeat(`{"a":`, 40)+"1"+strings.Repeat("}", 40)+`}]}`, "deep"),
	)

	It("may nest up to the bound", func() {
		keep(`{"x":` + strings.Repeat("[", 31) + strings.Repeat("]", 31) + `}`)
	})

	It("may have 300 events and no more, usable or not", func() {
		list := func(n int) string {
			return `{"events":[` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}`
		}
		keep(list(300))
		beARefusal(s.append(list(301), carrying(keyOfAna)), 413, "too_large")
	})

	It("is refused at once when it is out of all bounds", func() {
		bodies := map[string]string{
			"deep":       strings.Repeat("[", 10001) + strings.Repeat("]", 10001),
			"deep value": `{"events":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`,
			"wide":       `{` + wide(100000) + `}`,
			"long":       `{"events":[{"id":"e1","title":"` + strings.Repeat("x", 5<<20) + `"}]}`,
			"many":       `{"events":[` + strings.TrimSuffix(strings.Repeat(`{"id":"e"},`, 10000), ",") + `]}`,
			"large":      strings.Repeat(" ", 10<<20) + "{}",
		}
		for what, body := range bodies {
			began := time.Now()
			w := s.append(body, carrying(keyOfAna))
			Expect(time.Since(began)).To(BeNumerically("<", time.Second), what)
			Expect(w.Code).To(BeElementOf(400, 413), what)
			Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		}
		Expect(s.recorded()).To(BeEmpty())
	})

	It("is measured as it arrives where its length is not told", func() {
		w := s.append(`{"x":"`+strings.Repeat("x", 64<<10)+`"}`, chunked)
		beARefusal(w, 413, "too_large")
	})
})

func wide(n int) string {
	var keys strings.Builder
	for i := range n {
		keys.WriteString(`"k` + strconv.Itoa(i) + `":1,`)
	}
	return strings.TrimSuffix(keys.String(), ",")
}
