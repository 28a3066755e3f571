package httpapi

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const attributes = "; Path=/; HttpOnly; Secure; SameSite=Lax"

var _ = Describe("The cookie", func() {
	const body = `{"events":[{"id":"e1"}]}`
	var s *site
	BeforeEach(func() { s = newSite() })

	It("is set again, with the same key and once, when something was stored", func() {
		w := s.append(body, carrying(keyOfAna))
		Expect(w.Code).To(Equal(204))
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
		Expect(w.Header().Values("Set-Cookie")).To(Equal([]string{
			"bwlai_vk=" + keyOfAna + "; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax",
		}))
	})

	It("is neither set nor expired for a device that sent none", func() {
		w := s.append(body)
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
	})

	It("is expired when its key is dead", func() {
		w := s.append(body, carrying(unknown))
		Expect(w.Code).To(Equal(200))
		Expect(w.Body.Len()).To(BeZero())
		Expect(w.Header().Values("Set-Cookie")).To(Equal([]string{"bwlai_vk=; Max-Age=0" + attributes}))
	})

	DescribeTable("that is malformed is no key",
		func(cookie string) {
			w := s.append(body, with("Cookie", cookie))
			Expect(w.Code).To(Equal(200))
			Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
			Expect(s.recorded()).To(BeEmpty())
		},
		Entry("empty", "bwlai_vk="),
		Entry("no value", "bwlai_vk"),
		Entry("NUL in disguise", "bwlai_vk=%00"),
		Entry("two by comma", "bwlai_vk="+keyOfAna+", x=1"),
		Entry("a path", "bwlai_vk=../../etc"),
		Entry("4,097 bytes", "bwlai_vk="+strings.Repeat("A", 4097)),
		Entry("a second spelling of the same bits", "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAR"),
		Entry("another name", "BWLAI_VK="+keyOfAna),
		Entry("half a quote", `bwlai_vk="`+keyOfAna),
	)

	It("may be quoted", func() {
		Expect(s.append(body, carrying(`"`+keyOfAna+`"`)).Code).To(Equal(204))
	})

	It("that is well-formed and known counts, and those of the same name that hide it are expired", func() {
		for _, cookies := range []string{
			"bwlai_vk=" + unknown + "; bwlai_vk=" + keyOfAna,
			"a=b; bwlai_vk=broken; c; bwlai_vk=" + keyOfAna,
		} {
			for range 10 {
				w := s.append(body, with("Cookie", cookies))
				Expect(w.Code).To(Equal(204))
				Expect(w.Header().Values("Set-Cookie")).To(ConsistOf(
					"bwlai_vk="+keyOfAna+"; Max-Age=34560000"+attributes,
					"bwlai_vk=; Max-Age=0; Path=/v1/append; HttpOnly; Secure; SameSite=Lax",
					"bwlai_vk=; Max-Age=0; Path=/v1; HttpOnly; Secure; SameSite=Lax",
					"bwlai_vk=; Max-Age=0; Path=/v1/; HttpOnly; Secure; SameSite=Lax",
				))
			}
		}
	})

	It("has a configured domain, and rids the browser of a host-only one beside it", func() {
		s.Cookie.Domain = "example.org"
		once := s.append(body, carrying(keyOfAna))
		Expect(once.Header().Values("Set-Cookie")).To(Equal([]string{
			"bwlai_vk=" + keyOfAna + "; Max-Age=34560000; Path=/; Domain=example.org; HttpOnly; Secure; SameSite=Lax",
		}))
		twice := s.append(body, with("Cookie", "bwlai_vk="+keyOfAna+"; bwlai_vk="+keyOfAna))
		Expect(twice.Header().Values("Set-Cookie")).To(ContainElement("bwlai_vk=; Max-Age=0" + attributes))
		dead := s.append(body, carrying(unknown))
		Expect(dead.Header().Values("Set-Cookie")).To(ConsistOf(
			"bwlai_vk=; Max-Age=0"+attributes,
			"bwlai_vk=; Max-Age=0; Path=/; Domain=example.org; HttpOnly; Secure; SameSite=Lax",
		))
	})

	It("is expired by a reset, whatever was sent", func() {
		for _, edits := range [][]edit{nil, {carrying(keyOfAna)}, {carrying(unknown)}, {carrying("broken")}} {
			w := s.send(http.MethodPost, "/v1/reset", "", edits...)
			Expect(w.Code).To(Equal(204))
			Expect(w.Header().Values("Set-Cookie")).To(Equal([]string{"bwlai_vk=; Max-Age=0" + attributes}))
		}
	})

	It("goes without Secure only over plain http, on the machine itself, when asked for", func() {
		at := func(url string) string {
			return s.append(body, carrying(keyOfAna), func(r *http.Request) {
				r.Host, r.TLS = url, nil
			}).Header().Get("Set-Cookie")
		}
		Expect(at("localhost:8080")).To(ContainSubstring("; Secure"))
		s.Cookie.InsecureLoopback = true
		for _, host := range []string{"localhost", "localhost:8080", "LOCALHOST", "127.0.0.1:8080", "[::1]:8080", "[::1]"} {
			Expect(at(host)).NotTo(ContainSubstring("Secure"), host)
		}
		for _, host := range []string{"www.example.org", "localhost.example.org", "192.0.2.1:8080", ""} {
			Expect(at(host)).To(ContainSubstring("; Secure"), host)
		}
		Expect(s.append(body, carrying(keyOfAna), func(r *http.Request) { r.Host = "localhost" }).
			Header().Get("Set-Cookie")).To(ContainSubstring("; Secure"), "over TLS")
	})

	It("of a visitor who asks not to be recognised is expired, where that is respected", func() {
		signal := with("Sec-GPC", "1")
		Expect(s.append(body, carrying(keyOfAna), signal).Code).To(Equal(204))
		s.RespectGPC = true
		w := s.append(body, carrying(keyOfAna), signal)
		Expect(w.Code).To(Equal(200))
		Expect(w.Header().Values("Set-Cookie")).To(Equal([]string{"bwlai_vk=; Max-Age=0" + attributes}))
		w = s.submit(`{"id":"f1","identity":{"email":"ana@example.org"},"events":[{"id":"e1"}]}`, carrying(keyOfAna), signal)
		Expect(w.Code).To(Equal(204))
		Expect(w.Header().Values("Set-Cookie")).To(Equal([]string{"bwlai_vk=; Max-Age=0" + attributes}))
		Expect(s.leads()).To(Equal(1))
		Expect(s.recorded()).To(HaveLen(1), "of the first append alone")
	})
})
