package capture_test

import (
	"fmt"
	"os/exec"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client/capture"
)

var home = capture.Page{URL: "https://example.org/", Title: "Home"}

var _ = Describe("A page", func() {
	It("touches nothing before it is activated", func() {
		w := newWorld()
		p := &page{world: w, document: home}
		p.client = capture.New(p)
		p.client.Track("early", "")
		p.client.Hidden()
		p.client.Leave()
		p.client.View()
		Expect(w.local.touched + w.tab.touched).To(BeZero())
		Expect(w.requests).To(BeEmpty())
		p.client.Start()
		Expect(w.events()).To(HaveLen(2))
	})

	It("touches nothing before the hook has answered", func() {
		w := newWorld()
		w.hook = func(func(bool)) {}
		p := w.visit(home)
		p.client.Track("early", "")
		p.client.Submit("contact", []capture.Control{{Name: "email", Value: "ana@example.org"}})
		p.client.Leave()
		w.wait(60_000)
		Expect(w.local.touched + w.tab.touched).To(BeZero())
		Expect(w.requests).To(BeEmpty())
	})

	It("writes nothing for a visitor who says no", func() {
		w := newWorld()
		w.hook = func(answer func(bool)) { answer(false) }
		p := w.visit(home)
		p.client.Track("unheard", "")
		p.client.Leave()
		Expect(w.local.written + w.tab.written).To(BeZero())
		Expect(w.requests).To(BeEmpty())
	})
})

var _ = Describe("Adding an event", func() {
	It("costs the same however long the journey is", func() {
		w := newWorld()
		p := w.visit(home)
		cost := func() [3]int {
			before := [3]int{w.local.touched, w.local.read, w.local.written}
			p.client.Track("step", "")
			return [3]int{w.local.touched - before[0], w.local.read - before[1], w.local.written - before[2]}
		}
		first := cost()
		for range 130 {
			p.client.Track("step", "")
		}
		Expect(cost()).To(Equal(first))
		for range 130 {
			p.client.Track("step", "")
		}
		dropping := cost()
		Expect(dropping[0]).To(Equal(first[0]+1), "one more touch, to drop the oldest")
		Expect(dropping[1:]).To(Equal(first[1:]))
	})

	It("keeps the first touch and the newest", func() {
		w := newWorld()
		p := w.visit(capture.Page{URL: "https://example.org/first?utm_source=tree"})
		for i := range 300 {
			p.client.Track(fmt.Sprint("step", i), "")
		}
		keys := w.events()
		Expect(keys).To(HaveLen(capture.MaxEvents))
		Expect(w.local.values[keys[0]]).To(ContainSubstring("utm_source=tree"))
		Expect(w.local.values[keys[1]]).To(ContainSubstring(`"step151"`))
		Expect(w.local.values[keys[149]]).To(ContainSubstring(`"step299"`))
	})
})

var _ = Describe("A link to a destination", func() {
	DescribeTable("gets its token in the query, before the fragment",
		func(href, decorated string) { Expect(capture.Decorate(href, "T")).To(Equal(decorated)) },
		Entry("without a query", "https://shop.example.net/", "https://shop.example.net/?continuity=T"),
		Entry("with a fragment", "https://shop.example.net/#top", "https://shop.example.net/?continuity=T#top"),
		Entry("with both", "https://shop.example.net/?a=1#b?c", "https://shop.example.net/?a=1&continuity=T#b?c"),
		Entry("with what nobody may touch", "https://shop.example.net/?a+b=%20&c", "https://shop.example.net/?a+b=%20&c&continuity=T"),
	)

	DescribeTable("is one by its exact host only",
		func(host string, is bool) {
			Expect(capture.IsDestination("shop.example.net, portal.example.net:8443\nother.example", host)).To(Equal(is))
		},
		Entry("the host", "shop.example.net", true),
		Entry("another", "other.example", true),
		Entry("with its port", "portal.example.net:8443", true),
		Entry("without its port", "portal.example.net", false),
		Entry("a host that begins like it", "shop.example.net.evil.example", false),
		Entry("a host under it", "sub.shop.example.net", false),
		Entry("none", "", false),
	)
})

var _ = Describe("The program", func() {
	It("imports only what fits into its budget", func() {
		list := exec.Command("go", "list", "-deps", "../wasm")
		list.Env = append(list.Environ(), "GOOS=js", "GOARCH=wasm")
		out, err := list.Output()
		Expect(err).NotTo(HaveOccurred())
		for _, path := range strings.Fields(string(out)) {
			Expect(path).NotTo(BeElementOf("fmt", "encoding/json", "net/http", "reflect", "strings", "strconv", "os", "time", "regexp", "sort"))
		}
		Expect(string(out)).To(ContainSubstring("syscall/js"))
	})
})
