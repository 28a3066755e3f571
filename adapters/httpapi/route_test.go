package httpapi

import (
	"context"
	"errors"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
)

var _ = Describe("A path", func() {
	var s *site
	BeforeEach(func() { s = newSite() })

	It("knows its methods, and names them to whoever uses another", func() {
		for _, path := range []string{"/v1/append", "/v1/submissions", "/v1/reset"} {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete, "BREW"} {
				w := s.send(method, path, "", carrying(keyOfAna))
				Expect(w.Code).To(Equal(405))
				Expect(w.Header().Get("Allow")).To(Equal("OPTIONS, POST"))
				Expect(w.Header().Get("Cache-Control")).To(Equal("private, no-store"))
				Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
			}
		}
	})

	It("that is none of ours is told in our own words", func() {
		for _, path := range []string{"/", "/v1", "/v1/append/", "/v1//append", "/v1/leads", "/v1/%00", "/tree/%00", "/../v1/append"} {
			beARefusal(s.send(http.MethodPost, path, "{}"), 404, "not_found")
		}
	})

	It("is logged by its template, with no key, query or address", func() {
		s.append(`{}`, carrying(keyOfAna), func(r *http.Request) {
			r.URL.RawQuery, r.RemoteAddr = "email=ana@example.org", "203.0.113.77:4711"
		})
		s.send(http.MethodGet, "/ana@example.org", "")
		log := s.log.String()
		Expect(log).To(ContainSubstring("route=/v1/append"))
		Expect(log).To(ContainSubstring("network=203.0.113.0/24"))
		for _, secret := range []string{keyOfAna, "ana@", "203.0.113.77", "4711"} {
			Expect(log).NotTo(ContainSubstring(secret))
		}
		Expect(network("2001:db8:1:2::3")).To(Equal("2001:db8:1::/48"))
	})

	It("that panics answers an error that tells nothing, and so does the log", func() {
		s.Pages = page(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "x=y")
			panic("the secret")
		})
		w := s.send(http.MethodGet, "/", "")
		beARefusal(w, 500, "internal")
		Expect(w.Body.String() + s.log.String()).NotTo(ContainSubstring("the secret"))
		Expect(s.log.String()).To(ContainSubstring("level=ERROR"))
	})

	It("whose caller hung up, or that has to wait, is no error of ours", func() {
		busy := fault.New(fault.Unavailable, "", "busy")
		s.Pages = page(func(w http.ResponseWriter, r *http.Request) {
			refuse(w, errors.Join(r.Context().Err(), busy))
		})
		w := s.send(http.MethodGet, "/", "")
		Expect(w.Code).To(Equal(503))
		Expect(w.Header().Get("Retry-After")).To(Equal("1"))
		Expect(s.log.String()).To(ContainSubstring("level=WARN"))
		s.log.Reset()
		s.send(http.MethodGet, "/", "", func(r *http.Request) {
			gone, hangUp := context.WithCancel(r.Context())
			hangUp()
			*r = *r.WithContext(gone)
		})
		Expect(s.log.String()).To(And(ContainSubstring("level=INFO"), ContainSubstring("status=503")))
	})

	It("that panics half-way is cut off", func() {
		s.Pages = page(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			panic("half-way")
		})
		Expect(func() { s.send(http.MethodGet, "/", "") }).To(PanicWith(http.ErrAbortHandler))
	})
})

func page(h http.HandlerFunc) map[string]http.Handler { return map[string]http.Handler{"/": h} }
