package features_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

var _ = Describe("The client, when the visitor's mind or storage changes", func() {
	eachBuild(func(build string) {
		var s *site
		var v visitor
		BeforeEach(func() { s, v = newSite(build), newVisitor() })

		It("begins anew where the storage was cleared in the middle of a session", func() {
			t := v.tab()
			t.open(s.URL + "/one")
			t.run(`localStorage.clear(); sessionStorage.clear(); continuity.track("after")`)
			Expect(eval[int](t, mirrorSize)).To(Equal(1))
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Expect(s.seen()[0].steps()).To(ContainElement("after /one"))
		})

		It("counts an answer for nobody that comes after consent was withdrawn", func() {
			s.body["/contact"] = contactForm
			s.answer = func(call) answer { return answer{http.StatusNoContent, 400 * time.Millisecond} }
			t := v.tab()
			t.open(s.URL + "/contact")
			t.run(`document.forms[0].addEventListener("submit", event => event.preventDefault())`)
			t.click("button")
			Eventually(s.routes).Should(Equal([]string{"submissions"}))
			t.run(`continuity.allowed = false`)
			Expect(eval[int](t, mirrorSize+` + sessionStorage.length`)).To(BeZero())
			t.run(`continuity.track("unheard")`)
			Eventually(s.routes).Should(Equal([]string{"submissions", "reset"}))
			Eventually(v.key).Should(BeEmpty())
			Eventually(func() int { return eval[int](t, `localStorage.length + sessionStorage.length`) }).Should(BeZero())
			t.leave()
			Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(HaveLen(2))
			Expect(s.overlapped()).To(BeZero())
		})

		It("carries a reset out later that came while the device was offline, before anything else", func() {
			t := v.tab()
			t.open(s.URL + "/before")
			t.run(`window.online = window.fetch; window.fetch = () => Promise.reject(new TypeError("offline")); continuity.reset()`)
			t.run(`continuity.track("the next visitor")`)
			Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(BeEmpty())
			t.run(`window.fetch = window.online; dispatchEvent(new Event("online"))`)
			Eventually(s.routes).Should(Equal([]string{"reset"}))
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"reset", "append"}))
			Expect(s.seen()[1].steps()).To(Equal([]string{"the next visitor /before"}))
		})

		It("works from another site's page without an error where the service refuses that page", func() {
			service := newSite(build)
			service.always(http.StatusForbidden)
			s.script = service.URL + build
			t := v.tab()
			t.open(s.URL + "/elsewhere")
			t.leave()
			Eventually(service.routes).Should(ContainElement("append"))
			Expect(service.seen()[0].Origin).To(Equal(s.URL))
			Expect(s.routes()).To(BeEmpty())
			t.open(s.URL + "/again")
			Expect(eval[int](t, mirrorSize)).To(Equal(2), "what was refused is kept")
			Expect(v.key()).To(BeEmpty())
		})
	})

	It("does not fetch the program in a session whose beacon was answered", func() {
		s, v := newSite(client.Loader), newVisitor()
		t := v.tab()
		t.open(s.URL + "/one")
		Expect(eval[bool](t, fetchedProgram)).To(BeTrue())
		t.run(`Object.defineProperty(document, "hidden", { value: true }); document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`)
		Eventually(func() bool { return eval[bool](t, `sessionStorage.continuity.slice(22) === "1"`) }).Should(BeTrue())
		t.open(s.URL + "/two")
		Expect(eval[bool](t, fetchedProgram)).To(BeFalse())
		Expect(eval[int](t, mirrorSize)).To(Equal(2))
		t.leave()
		Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(HaveLen(1))
	})

	It("keeps the page for less than 50 ms with capture.js", func() {
		s, v := newSite(client.Script), newVisitor()
		best := 1000.0
		for range 3 { // a busy machine may interrupt one of them
			t := v.tab()
			t.load(s.URL + client.Script) // the site's origin, with nothing of ours running
			best = min(best, eval[float64](t, `fetch("`+client.Script+`").then(reply => reply.text()).then(text => {
				const script = document.createElement("script");
				script.textContent = text;
				script.dataset.endpoint = location.origin;
				performance.mark("begin");
				document.head.append(script); // an inline script runs at once
				performance.mark("end");
				return performance.measure("own", "begin", "end").duration;
			})`))
			Expect(eval[int](t, mirrorSize)).To(BeNumerically(">", 0), "it ran")
			t.close()
		}
		Expect(best).To(BeNumerically("<", 50))
	})
})

// fetchedProgram is true where the page asked for the WASM.
const fetchedProgram = `performance.getEntriesByType("resource").some(entry => entry.name.endsWith(".wasm"))`
