package httpapi

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/limit"
)

// atMost is a limit of so many in an hour, which no spec outlasts.
func atMost(n int) Limiter {
	GinkgoHelper()
	l, err := limit.NewMemory(limit.Rate{Count: n, Per: time.Hour})
	Expect(err).NotTo(HaveOccurred())
	return l
}

func from(address string) edit {
	return func(r *http.Request) { r.RemoteAddr = net.JoinHostPort(address, "4711") }
}

func invented() string {
	var key [16]byte
	_, err := rand.Read(key[:])
	Expect(err).NotTo(HaveOccurred())
	return base64.RawURLEncoding.EncodeToString(key[:])
}

var _ = Describe("Limits", func() {
	var s *site
	var handler http.Handler
	var answers []int
	BeforeEach(func() { s, answers = newSite(), nil })

	// All of a spec's requests go to one interface, which counts them.
	send := func(path, body string, edits ...edit) *httptest.ResponseRecorder {
		GinkgoHelper()
		if len(answers) == 0 {
			handler = s.Handler()
		}
		w := s.sendTo(handler, http.MethodPost, path, body, edits...)
		answers = append(answers, w.Code)
		return w
	}
	append := func(edits ...edit) int {
		GinkgoHelper()
		return send("/v1/append", `{"events":[{"id":"e"}]}`, edits...).Code
	}
	submit := func(id int, edits ...edit) int {
		GinkgoHelper()
		return send("/v1/submissions", fmt.Sprintf(`{"id":"s%d","identity":{"email":"ana@example.org"}}`, id), edits...).Code
	}
	beLimited := func(w *httptest.ResponseRecorder) {
		GinkgoHelper()
		beARefusal(w, 429, "rate_limited")
		Expect(strconv.Atoi(w.Header().Get("Retry-After"))).To(BeNumerically(">", 0))
	}

	It("stop a device that floods, and nobody else behind its address", func() {
		s.Limits = Limits{PerKey: atMost(5), PerIP: atMost(10)}
		for range 5 {
			Expect(append(carrying(keyOfAna))).To(Equal(204))
		}
		for range 20 {
			beLimited(send("/v1/append", `{}`, carrying(keyOfAna)))
		}
		Expect(s.log.String()).To(ContainSubstring("limit=key"))
		for range 5 {
			Expect(append(carrying(keyOfBen))).To(Equal(204))
		}
		Expect(append()).To(Equal(429), "now the address has had its share")
		Expect(append(from("198.51.100.9"))).To(Equal(200))
	})

	It("are not evaded by inventing keys, alone or beside a known one", func() {
		s.Limits = Limits{PerKey: atMost(5), PerIP: atMost(20)}
		for range 5 {
			Expect(append(carrying(invented()), carrying(keyOfAna))).To(Equal(204))
		}
		Expect(append(carrying(invented()), carrying(keyOfAna))).To(Equal(429))
		for range 10 {
			Expect(append(carrying(invented()))).To(Equal(200))
		}
		Expect(append(carrying(invented()))).To(Equal(429))
	})

	It("take no malformed key for a device", func() {
		s.Limits = Limits{PerKey: atMost(1)}
		for range 5 {
			Expect(append(carrying("short"))).To(Equal(200))
		}
	})

	It("are those of the peer whatever headers it writes", func() {
		s.Limits = Limits{PerIP: atMost(5)}
		for i := range 8 {
			append(with("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i)), with("Forwarded", fmt.Sprintf("for=203.0.113.%d", i)))
		}
		Expect(answers).To(Equal([]int{200, 200, 200, 200, 200, 429, 429, 429}))
	})

	It("count a whole network of the new kind as one client", func() {
		s.Limits = Limits{PerIP: atMost(5)}
		for i := range 8 {
			append(from(fmt.Sprintf("2001:db8:1:2::%x", i+1)))
		}
		Expect(answers).To(Equal([]int{200, 200, 200, 200, 200, 429, 429, 429}))
		Expect(append(from("2001:db8:1:3::1"))).To(Equal(200))
		for i := range 8 {
			Expect(append(from(fmt.Sprintf("203.0.113.%d", i)))).To(Equal(200))
		}
	})

	It("bound what a client creates, and let devices that are known submit on", func() {
		s.Limits = Limits{NewPerIP: atMost(3)}
		Expect(append(carrying(keyOfAna))).To(Equal(204))
		Expect(submit(1)).To(Equal(204))
		Expect(submit(2, carrying(invented()))).To(Equal(204), "a key that nobody knows is none")
		Expect(send("/v1/handoffs", `{"destination":"portal.example.net"}`, carrying(keyOfAna)).Code).To(Equal(201))
		beLimited(send("/v1/submissions", `{"id":"s3","identity":{"email":"ana@example.org"}}`, carrying(invented())))
		beLimited(send("/v1/handoffs", `{"destination":"portal.example.net"}`, carrying(keyOfAna)))
		Expect(submit(4, carrying(keyOfAna))).To(Equal(204))
		Expect(append(carrying(keyOfAna))).To(Equal(204))
		Expect(submit(5, from("198.51.100.9"))).To(Equal(204))
	})

	It("count a device that was reset as new again", func() {
		s.Limits = Limits{NewPerIP: atMost(1)}
		Expect(append(carrying(keyOfAna))).To(Equal(204))
		Expect(send("/v1/reset", "", carrying(keyOfAna)).Code).To(Equal(204))
		Expect(submit(1, carrying(keyOfAna))).To(Equal(204))
		Expect(s.submit(`{}`).Code).To(Equal(400))
		Expect(submit(2, carrying(keyOfBen))).To(Equal(429))
	})

	It("bound appends that create a device, where those may", func() {
		s.Limits, s.AnonymousAnchors = Limits{NewPerIP: atMost(2)}, true
		for range 3 {
			append()
		}
		Expect(answers).To(Equal([]int{200, 200, 429}))
	})

	It("bound the events of a device: a batch is stored whole, or kept by who sent it", func() {
		s.Limits = Limits{EventsPerAnchor: atMost(3)}
		const two = `{"events":[{"id":"a"},{"id":"b"}]}`
		Expect(send("/v1/append", two, carrying(keyOfAna)).Code).To(Equal(204))
		beLimited(send("/v1/append", two, carrying(keyOfAna)))
		Expect(s.recorded()).To(HaveLen(2))
		Expect(append(carrying(keyOfAna))).To(Equal(204))
		Expect(append(carrying(keyOfAna))).To(Equal(429))
		Expect(send("/v1/append", `{}`, carrying(keyOfAna)).Code).To(Equal(204))
		Expect(send("/v1/append", two, carrying(keyOfBen)).Code).To(Equal(204))
	})

	It("keep a submission whose journey is beyond them, and the journey, since a 204 lets the client forget it", func() {
		s.Limits = Limits{EventsPerAnchor: atMost(1)}
		w := send("/v1/submissions", `{"id":"s","identity":{"email":"ana@example.org"},"events":[{"id":"a"},{"id":"b"}]}`, carrying(keyOfAna))
		Expect(w.Code).To(Equal(204))
		Expect(w.Header()).NotTo(HaveKey("Retry-After"))
		Expect(s.leads()).To(Equal(1))
		Expect(s.recorded()).To(HaveLen(2))
		Expect(s.log.String()).To(ContainSubstring("limit=events"))
	})

	It("bound the events of a token, and the calls of whoever claims", func() {
		s.Limits = Limits{EventsPerAnchor: atMost(2), PerIP: atMost(5), PerKey: atMost(1)}
		var minted struct{ Token string }
		w := send("/v1/handoffs", `{"destination":"portal.example.net"}`, carrying(keyOfAna))
		Expect(json.Unmarshal(w.Body.Bytes(), &minted)).To(Succeed())
		claim := func(id string) *httptest.ResponseRecorder {
			return send("/v1/handoffs/claim", `{"token":"`+minted.Token+`","claim":"c","events":[{"id":"`+id+`"}]}`,
				without("Sec-Fetch-Site"), without("Origin"), with("Origin", "https://portal.example.net"), carrying(keyOfAna))
		}
		Expect(claim("1").Code).To(Equal(204))
		Expect(claim("2").Code).To(Equal(204))
		w = claim("3")
		beLimited(w)
		Expect(w.Header().Get("Access-Control-Allow-Origin")).To(Equal("https://portal.example.net"), "the page may know")
		Expect(s.log.String()).To(ContainSubstring("limit=events"))
		claim("4")
		beLimited(claim("5"))
		Expect(s.log.String()).To(ContainSubstring("limit=ip"))
	})

	It("leave a school class alone that comes at once from one address", func() {
		s.Limits = Limits{PerKey: atMost(60), PerIP: atMost(1200), NewPerIP: atMost(120)}
		for pupil := range 30 {
			w := send("/v1/submissions", fmt.Sprintf(`{"id":"s%d","identity":{"email":"pupil%[1]d@example.org"}}`, pupil))
			Expect(w.Code).To(Equal(204))
			for range 20 {
				Expect(append(carrying(w.Result().Cookies()[0].Value))).To(BeNumerically("<", 300))
			}
		}
	})

	It("do not count what was refused before, such as a foreign page's requests", func() {
		s.Limits = Limits{PerIP: atMost(1)}
		for range 3 {
			Expect(append(without("Sec-Fetch-Site"), without("Origin"), with("Origin", "https://evil.example"))).To(Equal(403))
		}
		Expect(append()).To(Equal(200))
	})
})
