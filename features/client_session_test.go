package features_test

import (
	"fmt"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

// eachBuild tells a story with capture.js and with the WASM.
func eachBuild(story func(build string)) {
	for _, build := range []string{client.Script, client.Loader} {
		Context("with "+build, func() { story(build) })
	}
}

const contactForm = `<form data-continuity-form="contact" action="/thanks"><input name="email" type="email" value="ana@example.org"><button>Send</button></form>`

var _ = Describe("The client's sessions", func() {
	eachBuild(func(build string) {
		var s *site
		var v visitor
		BeforeEach(func() {
			s, v = newSite(build), newVisitor()
			s.body["/contact"] = contactForm
		})
		AfterEach(func() { Expect(s.overlapped()).To(BeZero(), "two requests were in flight") })

		It("send one beacon each, the second with the delta and the same key", func() {
			first := v.tab()
			first.open(s.URL + "/contact")
			first.click("button")
			Eventually(s.routes).Should(Equal([]string{"submissions"}))
			first.at("/thanks")
			first.open(s.URL + "/read")
			Eventually(s.routes).Should(Equal([]string{"submissions", "append"}))
			Eventually(s.inFlight).Should(BeZero())
			first.open(s.URL + "/more")
			first.leave()
			first.close()
			key := v.key()
			Expect(key).NotTo(BeEmpty())

			second := v.tab()
			second.open(s.URL + "/return")
			second.leave()
			Eventually(s.routes).Should(Equal([]string{"submissions", "append", "append"}))
			Expect(s.seen()[2].steps()[len(s.seen()[2].steps())-2:]).To(Equal([]string{"page_view /more", "page_view /return"}))
			// An answer that came when its page had gone was heard by nobody: what it covered may come twice.
			Expect(append(s.seen()[1].steps(), s.seen()[2].steps()...)).To(ContainElements(
				"page_view /thanks?email=[redacted]", "page_view /read", "page_view /more", "page_view /return"))
			Expect(s.seen()[2].Cookie).To(Equal(key))
			Consistently(v.key).WithTimeout(200 * time.Millisecond).Should(Equal(key))
		})

		It("send it ten seconds after activation where nobody leaves", func() {
			t := v.tab()
			t.open(s.URL + "/stay")
			Consistently(s.routes).WithTimeout(5 * time.Second).Should(BeEmpty())
			Eventually(s.routes).WithTimeout(15 * time.Second).Should(Equal([]string{"append"}))
			t.leave()
			Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(HaveLen(1))
		})

		It("send it as the page goes, and keep the key that a slow answer brings", func() {
			s.answer = func(call) answer { return answer{http.StatusNoContent, 700 * time.Millisecond} }
			t := v.tab()
			t.open(s.URL + "/brief")
			t.close()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Eventually(v.key).Should(Equal("key-1"))
		})

		It("keep what was refused for the next session", func() {
			s.always(http.StatusServiceUnavailable)
			t := v.tab()
			t.open(s.URL + "/one")
			t.leave()
			Eventually(s.routes).Should(HaveLen(1))
			t.close()
			s.always(http.StatusNoContent)
			next := v.tab()
			next.open(s.URL + "/two")
			next.leave()
			Eventually(s.routes).Should(HaveLen(2))
			Expect(s.seen()[1].steps()).To(Equal([]string{"page_view /one", "page_view /two"}))
		})

		It("all arrive with the submission that follows, the first touch too", func() {
			const sessions = 20 // over months
			for i := range sessions {
				t := v.tab()
				t.open(fmt.Sprintf("%s/visit?n=%d", s.URL, i))
				t.leave()
				Eventually(s.routes).Should(HaveLen(i + 1))
				t.close()
			}
			t := v.tab()
			t.open(s.URL + "/contact")
			t.click("button")
			Eventually(s.routes).Should(ContainElement("submissions"))
			steps := s.seen()[sessions].steps()
			Expect(steps).To(HaveLen(sessions + 2))
			Expect(steps[0]).To(Equal("page_view /visit?n=0"))
			Expect(steps[sessions:]).To(Equal([]string{"page_view /contact", "form_submit /contact"}))
		})

		It("lose nothing of the mirror when the device's key has died", func() {
			s.always(http.StatusOK)
			for i := range 3 {
				t := v.tab()
				t.open(fmt.Sprintf("%s/visit?n=%d", s.URL, i))
				t.leave()
				Eventually(s.routes).Should(HaveLen(i + 1))
				t.close()
			}
			Expect(s.seen()[2].Body.Events).To(HaveLen(3))
		})

		It("share one journey where two tabs write to it at once", func() {
			one, two := v.tab(), v.tab()
			one.open(s.URL + "/one")
			two.open(s.URL + "/two")
			for i := range 20 {
				one.run(fmt.Sprintf(`continuity.track("one-%d")`, i))
				two.run(fmt.Sprintf(`continuity.track("two-%d")`, i))
			}
			one.leave()
			Eventually(s.routes).Should(HaveLen(1))
			Expect(s.seen()[0].Body.Events).To(HaveLen(42))
			Eventually(s.inFlight).Should(BeZero())
			two.leave()
			Eventually(s.routes).Should(HaveLen(2))
			Expect(s.seen()[1].Cookie).To(Equal(v.key()))
		})
	})
})

func (s *site) inFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flying
}
