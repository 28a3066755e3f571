package httpapi

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

func chunked(r *http.Request) { r.ContentLength = -1 }

var _ = Describe("A submission", func() {
	var s *site
	BeforeEach(func() { s = newSite() })

	kept := func() identity.Submission {
		GinkgoHelper()
		Expect(s.changes).To(HaveLen(1))
		Expect(s.changes[0].Submissions).To(HaveLen(1))
		return s.changes[0].Submissions[0]
	}

	It("arrives with identity, form, fields and journey", func() {
		w := s.submit(`{"id":"f1","form":"contact","session":"s1","events":[{"id":"e1"}],
			"identity":{"email":"Ana@example.org","name":" Ana ","phone":"+421"},
			"fields":{"message":"a\u0000b","n": 1.50,"list":[ {"x":null}, true ]}}`)
		Expect(w.Code).To(Equal(204), w.Body.String())
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header().Values("Set-Cookie")).To(HaveLen(1))
		sub := kept()
		Expect(sub.Client).To(Equal(identity.ClientID("f1")))
		Expect(sub.Form).To(Equal("contact"))
		Expect(sub.Person.Name).To(Equal("Ana"))
		Expect(sub.Fields).To(Equal(`{"message":"ab","n":1.50,"list":[{"x":null},true]}`))
		Expect(s.recorded()).To(HaveLen(1))
	})

	It("loses a name or a phone of a wrong type and keeps the person", func() {
		Expect(s.submit(`{"id":"f1","identity":{"email":"ana@example.org","name":7,"phone":[],"x":{}},"fields":null}`).Code).To(Equal(204))
		Expect(kept().Person).To(Equal(identity.Person{Email: "ana@example.org"}))
	})

	It("draws a new key for a device that sent none that is well-formed", func() {
		w := s.submit(`{"id":"f1","identity":{"email":"ana@example.org"}}`, carrying("../../etc"))
		Expect(w.Header().Values("Set-Cookie")).To(HaveLen(1))
		Expect(w.Header().Get("Set-Cookie")).To(MatchRegexp(`^bwlai_vk=[A-Za-z0-9_-]{22}; `))
	})

	DescribeTable("whose identity is none is refused so that the device keeps its events, and nobody is made of it",
		func(identity string) {
			w := s.submit(`{"id":"f1","events":[{"id":"e1"}],"identity":` + identity + `}`)
			beARefusal(w, 422, "identity_rejected")
			Expect(s.leads()).To(BeZero())
			Expect(s.recorded()).To(BeEmpty())
		},
		Entry("two addresses", `{"email":"ana@example.org, ben@example.org"}`),
		Entry("two addresses by semicolon", `{"email":"ana@example.org;ben@example.org"}`),
		Entry("two signs", `{"email":"a@b@example.org"}`),
		Entry("empty", `{"email":""}`),
		Entry("white space", `{"email":"   "}`),
		Entry("null", `null`),
		Entry("null address", `{"email":null}`),
		Entry("a list", `{"email":["ana@example.org"]}`),
		Entry("a number", `{"email":123}`),
		Entry("no address", `{"name":"Ana"}`),
		Entry("text", `"ana@example.org"`),
		Entry("an address twice", `{"email":"ana@example.org","email":"ben@example.org"}`),
	)

	It("without any identity is refused the same way", func() {
		beARefusal(s.submit(`{"id":"f1"}`), 422, "identity_rejected")
	})

	DescribeTable("is refused by the name of the field that is wrong",
		func(field, members string) {
			w := s.submit(`{"identity":{"email":"ana@example.org"}` + members + `}`)
			beARefusal(w, 400, "invalid")
			Expect(w.Body.String()).To(ContainSubstring(`"message":"` + field))
			Expect(s.changes).To(BeEmpty())
		},
		Entry("no id", "id: ", ``),
		Entry("id null", "id: ", `,"id":null`),
		Entry("id a number", "id: ", `,"id":7`),
		Entry("id empty", "id: ", `,"id":""`),
		Entry("id too long", "id: ", `,"id":"`+strings.Repeat("x", 200)+`"`),
		Entry("form no string", "form: ", `,"id":"f1","form":{}`),
		Entry("form too long", "form: ", `,"id":"f1","form":"`+strings.Repeat("x", 201)+`"`),
		Entry("fields a list", "fields: ", `,"id":"f1","fields":[]`),
		Entry("fields with a key twice", "fields: ", `,"id":"f1","fields":{"a":{"b":1,"b":2}}`),
		Entry("events no list", "events: ", `,"id":"f1","events":"e"`),
	)

	It("of a browser speaks by its cookie alone", func() {
		Expect(s.submit(`{"id":"f0","visitor_key":7,"identity":{"email":"ben@example.org"}}`).Code).To(Equal(204))
		s.changes = nil
		Expect(s.submit(`{"id":"f1","visitor_key":"` + keyOfAna + `","identity":{"email":"ana@example.org"}}`).Code).To(Equal(204))
		Expect(kept().Anchor).To(Equal(identity.AnchorID(11)))
	})
})
