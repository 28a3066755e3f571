package replay

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/table"
	. "github.com/onsi/gomega"

	"continuity/cmd/continuity/replay/accesslog"
)

// invented is a log of many devices, each with its own number of visits.
func invented() []accesslog.Row {
	start := time.Date(2015, 5, 17, 10, 0, 0, 0, time.UTC)
	var rows []accesslog.Row
	for d := range 400 {
		for i := range 1 + d%23 {
			rows = append(rows, accesslog.Row{
				At: start.Add(time.Duration(i*i*i) * time.Minute), Addr: fmt.Sprintf("192.0.2.%d", d%250), Agent: fmt.Sprintf("Agent/%d", d),
				Method: "GET", Path: fmt.Sprintf("/page/%d", i), Status: 200,
			})
		}
	}
	// Two visitors who stay for more than a request can carry: too many pages, and too long addresses.
	for i := range 900 {
		at := start.Add(time.Duration(i) * time.Minute)
		rows = append(rows,
			accesslog.Row{At: at, Addr: "192.0.2.251", Agent: "Many", Method: "GET", Path: "/", Status: 200},
			accesslog.Row{At: at, Addr: "192.0.2.252", Agent: "Long", Method: "GET", Path: "/" + strings.Repeat("x", 500), Status: 200})
	}
	return rows
}

func drawn(seed uint64) plan {
	o, err := Options{Log: "-", Stdin: os.Stdin, URL: "http://127.0.0.1:8080", Seed: seed}.complete()
	Expect(err).NotTo(HaveOccurred())
	return draw(invented(), o)
}

func everyStep(p plan, do func(s script, st step)) {
	for _, s := range p.scripts {
		for _, st := range s.steps {
			do(s, st)
		}
	}
}

var _ = Describe("drawing a plan", func() {
	It("draws the same for the same seed and another for another", func() {
		Expect(drawn(7)).To(Equal(drawn(7)))
		Expect(drawn(7).scripts).NotTo(Equal(drawn(8).scripts))
	})

	It("has every role, every mishap and every kind of clock", func() {
		roles, mishaps, clocks := map[role]bool{}, map[mishap]bool{}, map[clock]bool{}
		p := drawn(1)
		everyStep(p, func(s script, st step) {
			roles[s.role], mishaps[st.mishap], clocks[s.clock] = true, true, true
		})
		Expect(roles).To(HaveLen(len(shareOf)))
		Expect(mishaps).To(HaveLen(7))
		Expect(clocks).To(HaveLen(3))
		e := p.model.expected()
		for _, n := range []int{e.Leads, e.Submissions, e.Anchors, e.Attributed, e.Snapshot, e.Nobodys, e.Candidates} {
			Expect(n).To(BeNumerically(">", 0))
		}
	})

	It("keeps every request within 300 events and 64 KiB", func() {
		for seed := range uint64(10) {
			most := 0
			everyStep(drawn(seed), func(s script, st step) {
				text, err := s.body(st, "lead@example.org", time.Now())
				Expect(err).NotTo(HaveOccurred())
				Expect(len(text)).To(BeNumerically("<=", 64<<10))
				Expect(len(st.events)).To(BeNumerically("<=", 300))
				most = max(most, len(st.events))
			})
			Expect(most).To(Equal(300))
		}
	})

	It("sends every event that a submission's device saw before it, the newest first", func() {
		p := drawn(1)
		i := slices.IndexFunc(p.scripts, func(s script) bool { return s.role == converts && len(s.device.visits) > 2 })
		Expect(i).To(BeNumerically(">=", 0))
		carried := map[string]bool{}
		for _, st := range p.scripts[i].steps {
			if st.want == stored {
				for _, e := range st.events {
					carried[e.id] = true
				}
			}
		}
		for _, v := range p.scripts[i].device.visits {
			for _, e := range v {
				Expect(carried).To(HaveKey(e.id))
			}
		}
	})

	It("lets a second person submit while pages of an earlier session are still carried", func() {
		carried := 0
		everyStep(drawn(1), func(s script, st step) {
			if s.role != shares || st.person == 0 {
				return
			}
			for _, e := range st.events {
				if e.session != st.session {
					carried++
				}
			}
		})
		Expect(carried).To(BeNumerically(">", 0))
	})

	It("never cuts off the request that brings a first key", func() {
		everyStep(drawn(3), func(_ script, st step) {
			if st.mishap == hungUp || st.mishap == atOnce {
				Expect(st.want).To(Equal(stored))
			}
		})
	})

	It("plans a real log with every rule in play", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS is not set: the real log is not planned")
		}
		log, err := accesslog.Open(filepath.Join(corpus, "weblogs", "blog_2015_10k.tsv"), nil)
		Expect(err).NotTo(HaveOccurred())
		o, err := Options{Log: "-", Stdin: os.Stdin, URL: "http://127.0.0.1:8080"}.complete()
		Expect(err).NotTo(HaveOccurred())
		p := draw(log.Rows, o)
		Expect(p.scripts).To(HaveLen(1862))
		Expect(p.events).To(HaveLen(10_000))
		e := p.model.expected()
		Expect(e.Snapshot).To(BeNumerically(">", 0))
		Expect(e.Nobodys).To(BeNumerically(">", 0))
		Expect(newReport(log, p).Print(GinkgoWriter)).To(Succeed())
	})
})

var _ = Describe("writing requests", func() {
	at := time.Date(2015, 5, 17, 10, 0, 0, 0, time.UTC)
	view := event{id: "e1", session: "s1", at: at, url: "https://www.example.org/1"}

	sent := func(s script, st step, now time.Time) map[string]any {
		text, err := s.body(st, "lead-1-000001@example.org", now)
		Expect(err).NotTo(HaveOccurred())
		var body map[string]any
		Expect(json.Unmarshal(text, &body)).To(Succeed())
		return body
	}

	It("leaves the time of sending out for a silent clock, and shifts both for a wrong one", func() {
		st := step{to: toAppend, session: "s1", events: []event{view}}
		Expect(sent(script{}, st, at)).NotTo(HaveKey("sent_at"))
		body := sent(script{clock: wrong}, st, at.Add(time.Hour))
		first := body["events"].([]any)[0].(map[string]any)
		Expect(body["sent_at"].(float64) - first["at"].(float64)).To(BeEquivalentTo(time.Hour.Milliseconds()))
	})

	It("writes times as text with an offset where the device does", func() {
		body := sent(script{rfc3339: true, clock: right}, step{to: toAppend}, at)
		Expect(body["sent_at"]).To(Equal("2015-05-17T12:00:00.000+02:00"))
		Expect(body["events"]).To(BeEmpty())
	})

	It("names who submits, and the submission in a field of its own", func() {
		body := sent(script{}, step{to: toSubmission, person: 1, submission: "x", mishap: clumsy}, at)
		Expect(body["id"]).To(Equal("x"))
		Expect(body["fields"]).To(HaveKeyWithValue("reference", "x"))
		Expect(body["identity"]).To(HaveKeyWithValue("email", " LEAD-1-000001@EXAMPLE.ORG\u00a0"))
	})
})

var _ = Describe("waiting for a busy service", func() {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	DescribeTable("as long as Retry-After asks", func(header string, want time.Duration) {
		Expect(retryAfter(header, now)).To(Equal(want))
	},
		Entry("seconds", "7", 7*time.Second),
		Entry("none at all", "0", breath),
		Entry("a date", "Thu, 01 Jan 2026 00:00:30 GMT", 30*time.Second),
		Entry("a date that has passed", "Thu, 01 Jan 2020 00:00:30 GMT", breath),
		Entry("nothing readable", "soon", unasked),
		Entry("nothing", "", unasked),
	)
})

var _ = Describe("the options", func() {
	DescribeTable("that make no sense are refused by name", func(o Options, want string) {
		_, err := Run(GinkgoT().Context(), o)
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("no log", Options{URL: "http://127.0.0.1:1"}, "log: name a file"),
		Entry("no url", Options{Log: "x"}, "url: must be"),
		Entry("a url without a host", Options{Log: "x", URL: "www.example.org"}, "url: must be"),
		Entry("no token to compare with", Options{Log: "x", URL: "http://127.0.0.1:1", AdminURL: "http://127.0.0.1:1"}, "token"),
		Entry("a missing file", Options{Log: "no-such.log", URL: "http://127.0.0.1:1"}, "open the log"),
	)
})
