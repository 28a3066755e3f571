package features_test

import (
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

var _ = Describe("The client on a page", func() {
	eachBuild(func(build string) {
		var s *site
		var v visitor
		BeforeEach(func() { s, v = newSite(build), newVisitor() })

		It("counts no prerender that is never shown, and touches nothing there", func() {
			s.head["/"] = `<script type="speculationrules">{"prerender":[{"urls":["/soon"],"eagerness":"immediate"}]}</script>`
			v.unattached(s.URL + "/")
			Eventually(s.visits).Should(ContainElement("/soon prefetch;prerender"))
			t := v.tab()
			t.open(s.URL + "/after")
			t.leave()
			Eventually(s.routes).Should(ContainElement("append"))
			for _, c := range s.seen() {
				Expect(c.Raw).NotTo(ContainSubstring("/soon"))
			}
		})

		DescribeTable("counts a prerender once it is shown",
			func(early bool) {
				release := make(chan struct{})
				s.head["/"] = `<script type="speculationrules">{"prerender":[{"urls":["/soon"],"eagerness":"immediate"}]}</script>
					<script>addEventListener("load", () => setTimeout(() => location.href = "/soon", 1500))</script>`
				if early {
					// The first page has its script by a name of its own, the prerendered one waits for it.
					s.head["/soon"] = `<script defer src="/hold.js"></script>`
					s.hold["/hold.js"] = release
				}
				v.unattached(s.URL + "/")
				Eventually(s.visits).Should(ContainElement("/soon prefetch;prerender"))
				if early {
					time.AfterFunc(2500*time.Millisecond, func() { close(release) })
				}
				// The two pages are one session, whose beacon has gone with the first: look into the device's storage.
				t := v.tab()
				t.open(s.URL + "/after")
				shown := `Object.values(localStorage).filter(value => value.includes("page_view") && value.includes("` + s.URL + `/soon\"")).length`
				Eventually(func() int { return eval[int](t, shown) }).Should(Equal(1))
				Consistently(func() int { return eval[int](t, shown) }).WithTimeout(time.Second).Should(Equal(1))
				t.leave()
				Eventually(s.raw).Should(ContainSubstring(`"url":"` + s.URL + `/soon"`))
			},
			Entry("after its script ran", false),
			Entry("before its script ran", true),
		)

		It("notes a return from the back/forward cache as a view, without a second beacon", func() {
			t := v.tab()
			t.open(s.URL + "/one")
			t.run(`window.mark = 1`)
			t.load(s.URL + "/two")
			Eventually(s.routes).Should(Equal([]string{"append"}))
			t.run(`setTimeout(() => history.back())`)
			Eventually(func() string { return eval[string](t, "location.pathname") }).Should(Equal("/one"))
			if !eval[bool](t, `window.mark === 1`) {
				Skip("this browser did not keep the page in its cache")
			}
			Eventually(func() int { return eval[int](t, mirrorSize) }).Should(BeNumerically(">=", 2))
			t.leave()
			Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(HaveLen(1))
		})

		It("goes on in memory, and in silence, where storage is refused", func() {
			s.head[""] = `<script>for (const area of ["localStorage", "sessionStorage"])
				Object.defineProperty(window, area, { get() { throw new DOMException("refused", "SecurityError"); } });</script>`
			t := v.tab()
			t.open(s.URL + "/one")
			t.run(`continuity.track("kept")`)
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Expect(s.seen()[0].steps()).To(Equal([]string{"page_view /one", "kept /one"}))
		})

		It("is silent in a sandboxed frame", func() {
			s.heads["/framed"] = "X-Framed: yes"
			s.body["/"] = `<iframe sandbox="allow-scripts" src="/framed"></iframe>`
			s.answer = func(c call) answer {
				if c.Origin == "null" {
					return answer{status: http.StatusForbidden}
				}
				return answer{status: http.StatusNoContent}
			}
			t := v.tab()
			t.open(s.URL + "/")
			t.leave()
			Eventually(s.routes).Should(ContainElement("append"))
		})

		It("leaves what is not its own alone where the storage is full", func() {
			t := v.tab()
			t.open(s.URL + "/one")
			t.run(`for (let size = 1 << 22; size; size >>= 1) try { for (;;) localStorage.setItem("site-" + size + "-" + localStorage.length, "x".repeat(size)); } catch {}`)
			others := `Object.keys(localStorage).filter(key => key.startsWith("site-")).length`
			before := eval[int](t, others)
			for range 3 {
				t.run(`continuity.track("full")`)
			}
			Expect(eval[int](t, others)).To(Equal(before))
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Expect(s.seen()[0].Body.Events).To(HaveLen(4))
		})

		It("keeps everything where the page's policy forbids to connect", func() {
			s.heads["/strict"] = "Content-Security-Policy: connect-src 'none'"
			t := v.tab()
			t.load(s.URL + "/strict")
			if build == client.Script {
				Eventually(func() bool { return eval[bool](t, taken) }).Should(BeTrue())
			}
			t.open(s.URL + "/free")
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Expect(s.seen()[0].steps()).To(ContainElement("page_view /free"))
			if build == client.Script { // the loader may not even fetch the program there
				Expect(s.seen()[0].steps()).To(ContainElement("page_view /strict"))
			}
		})

		It("counts an answer for nobody that comes after a reset", func() {
			s.body["/contact"] = strings.Replace(contactForm, "<button>", `<button>`, 1)
			s.answer = func(c call) answer { return answer{http.StatusNoContent, 400 * time.Millisecond} }
			t := v.tab()
			t.open(s.URL + "/contact")
			t.run(`document.forms[0].addEventListener("submit", event => event.preventDefault())`)
			t.click("button")
			Eventually(s.routes).Should(Equal([]string{"submissions"}))
			t.run(`continuity.reset()`)
			Expect(eval[int](t, mirrorSize)).To(BeZero())
			t.run(`continuity.track("somebody else")`)
			Eventually(s.routes).Should(Equal([]string{"submissions", "reset"}))
			Eventually(v.key).Should(BeEmpty())
			Expect(eval[int](t, mirrorSize)).To(Equal(1))
			Expect(s.overlapped()).To(BeZero())
		})

		It("gives a token to links of destinations alone", func() {
			other := newSite(build)
			s.attrs = `data-destinations="` + strings.TrimPrefix(other.URL, "http://") + `"`
			elsewhere := newSite(build)
			s.body["/"] = `<a id=there href="` + other.URL + `/in?a=1#top">there</a> <a id=else href="` + elsewhere.URL + `/in?a=1">else</a>`
			t := v.tab()
			t.open(s.URL + "/")
			Consistently(s.routes).WithTimeout(200 * time.Millisecond).Should(BeEmpty())
			t.click("#there")
			Eventually(other.visits).Should(ContainElement("/in?a=1&continuity=TOKEN"))
			Eventually(func() string { return eval[string](t, "location.hash") }).Should(Equal("#top"))
			Expect(s.seen()[0].Body.Destination).To(Equal(strings.TrimPrefix(other.URL, "http://")))
			t.open(s.URL + "/")
			t.click("#else")
			Eventually(elsewhere.visits).Should(ContainElement("/in?a=1"))
		})

		It("asks the hook first, which may read the browser's own signal", func() {
			s.head[""] = `<script>Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
				window.continuity = { allowed: () => !navigator.globalPrivacyControl };</script>`
			t := v.tab()
			t.open(s.URL + "/")
			t.run(`continuity.track("unheard")`)
			t.leave()
			t.load(s.URL + "/")
			Expect(eval[int](t, `localStorage.length + sessionStorage.length`)).To(BeZero())
			t.leave()
			Consistently(s.routes).WithTimeout(300 * time.Millisecond).Should(BeEmpty())
		})
	})

	DescribeTable("falls back to capture.js where the program cannot run",
		func(header string, broken bool) {
			s, v := newSite(client.Loader), newVisitor()
			s.heads[""] = header
			if broken {
				s.head[""] = `<script>const fetched = fetch; window.fetch = async (url, ...more) => {
					const got = await fetched(url, ...more);
					return ("" + url).endsWith(".wasm") ? new Response(got.body, { headers: { "Content-Type": "application/octet-stream" } }) : got;
				};</script>`
			}
			t := v.tab()
			t.open(s.URL + "/one")
			t.leave()
			Eventually(s.routes).Should(Equal([]string{"append"}))
			Expect(s.seen()[0].steps()).To(Equal([]string{"page_view /one"}))
		},
		Entry("for the page's policy", "Content-Security-Policy: script-src 'self' 'unsafe-inline'", false),
		Entry("for a wrong type", "X-Nothing: much", true),
	)
})

// mirrorSize counts the events that lie in the storage.
const mirrorSize = `Object.keys(localStorage).filter(key => key.startsWith("continuity.")).length`

func (s *site) raw() string {
	var all strings.Builder
	for _, c := range s.seen() {
		all.WriteString(c.Raw + "\n")
	}
	return all.String()
}
