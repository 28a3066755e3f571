package httpapi

import (
	"net/http"
	"regexp"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The name of a request in the log", func() {
	It("is a trusted proxy's, fit for a log, or one of our own", func() {
		s := newSite()
		var err error
		s.Proxies, err = ParseProxies([]string{"10.0.0.5"}, "")
		Expect(err).NotTo(HaveOccurred())
		through := func(r *http.Request) { r.RemoteAddr = "10.0.0.5:80" }
		w := s.append(`{}`, through, with("X-Request-ID", "abc-123"))
		s.append(`{}`, with("X-Request-ID", "forged"))
		s.append(`{}`, through, with("X-Request-ID", "two words"))
		Expect(s.log.String()).To(And(ContainSubstring("id=abc-123"), Not(ContainSubstring("forged")), Not(ContainSubstring("two words"))))
		Expect(regexp.MustCompile(` id=[A-Z2-7]{16} `).FindAllString(s.log.String(), -1)).To(HaveLen(2))
		Expect(w.Header()).NotTo(HaveKey("X-Request-Id"), "answers tell nobody apart")
	})
})
