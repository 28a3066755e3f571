package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Who is calling", func() {
	client := func(trusted, header, peer string, lines ...string) string {
		GinkgoHelper()
		var networks []string
		if trusted != "" {
			networks = strings.Split(trusted, ",")
		}
		proxies, err := ParseProxies(networks, header)
		Expect(err).NotTo(HaveOccurred())
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = peer
		for _, line := range lines {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Add(name, value)
		}
		return proxies.Client(r)
	}

	DescribeTable("is told by the configured header of trusted proxies alone",
		func(want, trusted, header, peer string, lines ...string) {
			Expect(client(trusted, header, peer, lines...)).To(Equal(want))
		},
		Entry("by the peer where nothing is configured", "198.51.100.20", "", "", "198.51.100.20:4711",
			"X-Forwarded-For: 203.0.113.7", "X-Real-IP: 203.0.113.8", "Forwarded: for=203.0.113.9"),
		Entry("by the peer where it is no trusted proxy", "198.51.100.20", "10.0.0.0/8", "X-Forwarded-For", "198.51.100.20:1",
			"X-Forwarded-For: 127.0.0.1"),
		Entry("by the peer where no header is configured", "10.0.0.5", "10.0.0.0/8", "", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.7"),
		Entry("by the peer where there is no header", "10.0.0.5", "10.0.0.0/8", "X-Forwarded-For", "10.0.0.5:1", "X-Real-IP: 203.0.113.7"),
		Entry("by the first from the right that is no proxy", "203.0.113.195", "10.0.0.0/8", "X-Forwarded-For", "10.0.0.5:1",
			"X-Forwarded-For: 1.1.1.1, 203.0.113.195, 10.0.0.9"),
		Entry("by all lines in order", "203.0.113.7", "10.0.0.0/8", "X-Forwarded-For", "10.0.0.5:1",
			"X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 203.0.113.7"),
		Entry("by an earlier line where the later ones are of proxies", "203.0.113.7", "10.0.0.0/8", "X-Forwarded-For", "10.0.0.5:1",
			"X-Forwarded-For: 1.1.1.1,203.0.113.7", "X-Forwarded-For: 10.0.0.9"),
		Entry("without its port", "203.0.113.7", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.7:55123"),
		Entry("without brackets", "2001:db8::1", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: [2001:db8::1]:443"),
		Entry("as what a mapped address stands for", "203.0.113.7", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: ::ffff:203.0.113.7"),
		Entry("passing over a zone", "203.0.113.7", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.7, fe80::1%eth0"),
		Entry("passing over leading zeros", "203.0.113.7", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.7, 203.0.113.007"),
		Entry("passing over what is no address", "203.0.113.7", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.7, unknown, , ;"),
		Entry("by the peer where nothing in it is an address", "10.0.0.5", "10.0.0.5", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 203.0.113.007"),
		Entry("by the peer where all of it are proxies", "10.0.0.5", "10.0.0.0/8", "X-Forwarded-For", "10.0.0.5:1", "X-Forwarded-For: 10.0.0.7"),
		Entry("over a mapped peer", "203.0.113.7", "10.0.0.0/8", "X-Forwarded-For", "[::ffff:10.0.0.5]:1", "X-Forwarded-For: 203.0.113.7"),
		Entry("over a peer of the new kind", "2001:db8:9::1", "2001:db8::/48", "x-forwarded-for", "[2001:db8::5]:1", "X-Forwarded-For: 2001:db8:9::1"),
		Entry("in the standard's own header", "2001:db8:9::1", "10.0.0.5", "Forwarded", "10.0.0.5:1",
			`Forwarded: for=1.1.1.1;proto=http, For="[2001:db8:9::1]:4711", for=_hidden, for=10.0.0.5`),
		Entry("in a header of one address", "203.0.113.7", "10.0.0.5", "CF-Connecting-IP", "10.0.0.5:1",
			"CF-Connecting-IP: 203.0.113.7", "X-Forwarded-For: 1.1.1.1"),
		Entry("by the peer where a header of one address has more", "10.0.0.5", "10.0.0.5", "X-Real-IP", "10.0.0.5:1", "X-Real-IP: 203.0.113.7, 1.1.1.1"),
		Entry("by nothing where the peer has no address", "", "10.0.0.5", "X-Real-IP", "@", "X-Real-IP: 203.0.113.7"),
	)

	It("is not asked of proxies or headers that cannot be", func() {
		for _, network := range []string{"", "everybody", "10.0.0.0/33", "10.0.0.1:80", "proxy.example.org"} {
			_, err := ParseProxies([]string{network}, "")
			Expect(err).To(MatchError(ErrNetwork), network)
		}
		for _, header := range []string{"X Forwarded", "X-Forwarded-For:", "a\r\nb"} {
			_, err := ParseProxies(nil, header)
			Expect(err).To(MatchError(ErrHeader), header)
		}
	})

	It("is what the log shows the network of", func() {
		s := newSite()
		var err error
		s.Proxies, err = ParseProxies([]string{"10.0.0.0/8"}, "X-Forwarded-For")
		Expect(err).NotTo(HaveOccurred())
		s.append(`{}`, func(r *http.Request) { r.RemoteAddr = "10.0.0.5:80" }, with("X-Forwarded-For", "203.0.113.77"))
		Expect(s.log.String()).To(And(ContainSubstring("network=203.0.113.0/24"), Not(ContainSubstring("203.0.113.77"))))
	})
})
