package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

// grove is what these specs need of a database: one tree, that may be as no owner
// could have made it.
type grove struct {
	scanning.Store
	tree    scan.Tree
	failure error
	broken  error // of the journey
	scans   []scan.Scan
}

func (g *grove) Tree(_ context.Context, id scan.TreeID) (scan.Tree, error) {
	if id != g.tree.ID {
		return scan.Tree{}, fault.New(fault.NotFound, "", "no such tree")
	}
	return g.tree, nil
}

func (g *grove) RecordScan(_ context.Context, s scan.Scan, _ time.Time) (scan.Change, error) {
	g.scans = append(g.scans, s)
	return scan.State{}.Decide(s), g.failure
}

func (g *grove) Record(context.Context, identity.Ask, identity.Decision) (identity.Change, error) {
	return identity.Change{}, g.broken
}

const telephone = "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"

var _ = Describe("A tree's page", func() {
	var (
		s *site
		g *grove
	)
	BeforeEach(func() {
		s, g = newSite(), &grove{tree: scan.Tree{ID: "oak", Name: "Oak"}}
		s.Scanning = scanning.New(g, nil, scanning.Rules{}, time.Now, rand.Reader)
	})

	It("sends nobody to an address that was never fit to be a target", func() {
		for _, target := range []string{"javascript:alert(1)", "data:text/html,x", "//evil.example", "https:example.org", "https://a@example.org"} {
			g.tree.Target = target
			w := s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone))
			Expect(w.Code).To(Equal(http.StatusOK))
			Expect(w.Header()).NotTo(HaveKey("Location"))
			Expect(w.Body.String()).NotTo(ContainSubstring(target))
		}
	})

	It("is shown, and the scan counted, when the journey cannot be written", func() {
		g.broken = errors.New("the disk is on fire")
		w := s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone), carrying(keyOfAna))
		Expect(w.Code).To(Equal(http.StatusOK))
		Expect(w.Header().Get("Set-Cookie")).To(HavePrefix("visitor_id="))
		Expect(g.scans).To(HaveLen(1))
		Expect(s.log.String()).To(ContainSubstring("the disk is on fire"))
	})

	It("asks to come back, in words, when the scan cannot be counted", func() {
		g.failure = fault.New(fault.Unavailable, "", "full")
		w := s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone), with("Accept-Language", "de"))
		Expect(w.Code).To(Equal(http.StatusServiceUnavailable))
		Expect(w.Header()).NotTo(HaveKey("Set-Cookie"))
		Expect(w.Header().Get("Retry-After")).NotTo(BeEmpty())
		Expect(w.Body.String()).To(ContainSubstring("gleich noch einmal"))
	})

	It("keeps where a scan came from for audit", func() {
		s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone), func(r *http.Request) { r.RemoteAddr = "[::ffff:203.0.113.7%eth0]:80" })
		var err error
		s.Proxies, err = ParseProxies([]string{"10.0.0.5"}, "X-Real-IP")
		Expect(err).NotTo(HaveOccurred())
		s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone), with("X-Real-IP", "2001:db8::7"),
			func(r *http.Request) { r.RemoteAddr = "10.0.0.5:80" })
		Expect(g.scans[0].Address).To(Equal("203.0.113.7"))
		Expect(g.scans[1].Address).To(Equal("2001:db8::7"))
		Expect(g.scans[0].Agent).To(Equal(telephone))
	})

	It("clears what may hide its cookie", func() {
		w := s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone),
			with("Cookie", "visitor_id=x; visitor_id=c232ab00-9414-41ec-b3c8-9f6bdeced846"))
		Expect(w.Header()["Set-Cookie"]).To(Equal([]string{
			"visitor_id=c232ab00-9414-41ec-b3c8-9f6bdeced846; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax",
			"visitor_id=; Max-Age=0; Path=/t/oak; HttpOnly; Secure; SameSite=Lax",
			"visitor_id=; Max-Age=0; Path=/t; HttpOnly; Secure; SameSite=Lax",
			"visitor_id=; Max-Age=0; Path=/t/; HttpOnly; Secure; SameSite=Lax",
		}))
	})

	It("drops Secure on the machine itself only, and only when asked to", func() {
		s.Cookie.InsecureLoopback = true
		local := func(host string) string {
			w := s.send(http.MethodGet, "/t/oak", "", with("User-Agent", telephone), func(r *http.Request) { r.Host, r.TLS = host, nil })
			return w.Header().Get("Set-Cookie")
		}
		Expect(local("localhost:8080")).NotTo(ContainSubstring("Secure"))
		Expect(local("www.example.org")).To(ContainSubstring("; Secure"))
	})
})
