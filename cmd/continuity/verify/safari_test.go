package verify

import (
	"context"
	"net"
	"net/netip"
	"strings"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/ginkgo/v2/dsl/table"
	. "github.com/onsi/gomega"
	"golang.org/x/net/dns/dnsmessage"
)

// zone is what a name server knows: a host's addresses, or the name that it is another
// name of.
type zone map[string][]string

// nameServer answers from a zone on loopback until the spec ends.
func nameServer(z zone) string {
	GinkgoHelper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(conn.Close)
	go func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			if reply, err := z.reply(packet[:n]); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

func (z zone) reply(packet []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(packet); err != nil {
		return nil, err
	}
	question := m.Questions[0]
	name := strings.ToLower(question.Name.String())
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	if _, known := z[strings.TrimSuffix(name, ".")]; !known {
		m.RCode = dnsmessage.RCodeNameError
	}
	m.Answers = z.records(name, question.Type)
	return m.Pack()
}

func (z zone) records(name string, of dnsmessage.Type) (all []dnsmessage.Resource) {
	at, err := dnsmessage.NewName(name)
	if err != nil {
		return nil
	}
	header := dnsmessage.ResourceHeader{Name: at, Class: dnsmessage.ClassINET, TTL: 1}
	for _, value := range z[strings.TrimSuffix(name, ".")] {
		ip, err := netip.ParseAddr(value)
		switch {
		case err != nil:
			target, err := dnsmessage.NewName(value + ".")
			if err != nil {
				return nil
			}
			header.Type = dnsmessage.TypeCNAME
			all = append(all, dnsmessage.Resource{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: target}})
			all = append(all, z.records(value+".", of)...)
		case ip.Is4() && of == dnsmessage.TypeA:
			header.Type = of
			all = append(all, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: ip.As4()}})
		case ip.Is6() && of == dnsmessage.TypeAAAA:
			header.Type = of
			all = append(all, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
	return all
}

// judged is Safari's rule alone, on a zone.
func judged(ctx context.Context, z zone, url, page string) finding {
	GinkgoHelper()
	in := &inspection{o: Options{URL: url, Page: page, Resolver: nameServer(z)}}
	f, err := checkSafari(ctx, in)
	Expect(err).NotTo(HaveOccurred())
	return f
}

var _ = Describe("Safari's rule", func() {
	const page = "https://www.example.co.uk/contact"

	DescribeTable("lets the cookie live 400 days",
		func(ctx SpecContext, url string, z zone) {
			f := judged(ctx, z, url, page)
			Expect(f.verdict).To(Equal(Safe), f.found)
			Expect(f.found).To(ContainSubstring("400 days"))
		},
		Entry("on the page's own origin, wherever that is", "https://www.example.co.uk", zone{}),
		Entry("on that origin with its port spelled out", "https://www.example.co.uk:443", zone{}),
		Entry("on the same host under another port", "https://www.example.co.uk:8443", zone{"www.example.co.uk": {"192.0.2.7"}}),
		Entry("on the same address", "https://id.example.co.uk", zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"192.0.2.7"}}),
		Entry("on an address with the same 16 bits", "https://id.example.co.uk", zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"192.0.200.1"}}),
		Entry("on addresses with the same 64 bits", "https://id.example.co.uk",
			zone{"www.example.co.uk": {"2001:db8:1:2::1"}, "id.example.co.uk": {"2001:db8:1:2:ffff::9"}}),
		Entry("on near addresses of both families", "https://id.example.co.uk",
			zone{"www.example.co.uk": {"192.0.2.7", "2001:db8:1:2::1"}, "id.example.co.uk": {"192.0.2.8", "2001:db8:1:2::2"}}),
		Entry("by a CNAME within the site", "https://id.example.co.uk",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"origin.example.co.uk"}, "origin.example.co.uk": {"192.0.2.8"}}),
	)

	DescribeTable("lets it live 7 days",
		func(ctx SpecContext, why string, z zone) {
			f := judged(ctx, z, "https://id.example.co.uk", page)
			Expect(f.verdict).To(Equal(Unsafe), f.found)
			Expect(f.found).To(ContainSubstring(why))
			Expect(f.danger).To(ContainSubstring("7 days"))
			Expect(f.fix).NotTo(BeEmpty())
		},
		Entry("by a foreign CNAME, even to a near address", "CNAME to another domain, tracker.example",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"c1.tracker.example"}, "c1.tracker.example": {"192.0.2.8"}}),
		Entry("by a foreign CNAME at the end of a chain", "CNAME to another domain, tracker.example",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"a.example.co.uk"}, "a.example.co.uk": {"c1.tracker.example"}, "c1.tracker.example": {"192.0.2.8"}}),
		Entry("by a CNAME to another site under the same public suffix", "CNAME to another domain, other.co.uk",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"x.other.co.uk"}, "x.other.co.uk": {"192.0.2.8"}}),
		Entry("on a far address", "share less than 16 bits", zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"192.1.2.7"}}),
		Entry("on a far address of IPv6", "share less than 64 bits",
			zone{"www.example.co.uk": {"2001:db8:1:2::1"}, "id.example.co.uk": {"2001:db8:1:3::1"}}),
		Entry("on one far address among near ones", "share less than 16 bits",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"192.0.2.8", "198.51.100.8"}}),
		Entry("where the families differ", "only one of them has", zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"2001:db8::1"}}),
		Entry("where the page alone has IPv6", "only one of them has IPv6",
			zone{"www.example.co.uk": {"192.0.2.7", "2001:db8::1"}, "id.example.co.uk": {"192.0.2.8"}}),
		Entry("where the endpoint alone has IPv6", "only one of them has IPv6",
			zone{"www.example.co.uk": {"192.0.2.7"}, "id.example.co.uk": {"192.0.2.8", "2001:db8::1"}}),
	)

	It("takes an endpoint on another site for a third party", func(ctx SpecContext) {
		f := judged(ctx, zone{}, "https://id.example.org", page)
		Expect(f.verdict).To(Equal(Unsafe))
		Expect(f.found).To(ContainSubstring("two sites"))
		Expect(judged(ctx, zone{}, "https://id.other.co.uk", page).verdict).To(Equal(Unsafe), "the public suffix is co.uk")
	})

	It("cannot tell of a host that there is not", func(ctx SpecContext) {
		in := &inspection{o: Options{URL: "https://id.example.co.uk", Page: page, Resolver: nameServer(zone{})}}
		_, err := checkSafari(ctx, in)
		Expect(err).To(MatchError(ContainSubstring("look up id.example.co.uk")))
		Expect(in.run(ctx, check{"Safari", checkSafari}).Verdict).To(Equal(Unknown))
	})

	It("is not judged without a page", func(ctx SpecContext) {
		f, err := checkSafari(ctx, &inspection{o: Options{URL: "https://www.example.org"}})
		Expect(err).NotTo(HaveOccurred())
		Expect(f.verdict).To(Equal(Skipped))
	})
})
