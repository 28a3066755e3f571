package replay

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/gomega"

	"continuity/cmd/continuity/replay/accesslog"
)

func seen(at string, addr, agent, path string) accesslog.Row {
	t, err := time.Parse(time.RFC3339, "2015-05-17T"+at+"Z")
	Expect(err).NotTo(HaveOccurred())
	return accesslog.Row{At: t, Addr: addr, Agent: agent, Path: path, Method: "GET", Status: 200}
}

// paths is a device's visits by the last part of each address.
func paths(d device) [][]string {
	all := make([][]string, 0, len(d.visits))
	for _, v := range d.visits {
		var one []string
		for _, e := range v {
			one = append(one, e.url[strings.LastIndex(e.url, "/"):])
		}
		all = append(all, one)
	}
	return all
}

var _ = Describe("telling devices and sessions in a log", func() {
	const site = "https://www.example.org"

	It("takes one address and agent for one device, and ends a session at a gap", func() {
		found := devices([]accesslog.Row{
			seen("10:00:00", "192.0.2.1", "A", "/1"), seen("10:00:01", "192.0.2.2", "A", "/x"), seen("10:00:02", "192.0.2.1", "B", "/y"),
			seen("10:30:00", "192.0.2.1", "A", "/2"), seen("11:00:01", "192.0.2.1", "A", "/3"),
		}, site, 30*time.Minute, 1)
		Expect(found).To(HaveLen(3))
		Expect(paths(found[0])).To(Equal([][]string{{"/1", "/2"}, {"/3"}}))
		Expect(paths(found[1])).To(Equal([][]string{{"/x"}}))
		Expect(paths(found[2])).To(Equal([][]string{{"/y"}}))
	})

	It("sorts the rows of a device that go back in time", func() {
		found := devices([]accesslog.Row{
			seen("12:00:00", "192.0.2.1", "A", "/3"), seen("10:00:00", "192.0.2.1", "A", "/1"), seen("10:00:05", "192.0.2.1", "A", "/2"),
		}, site, 30*time.Minute, 1)
		Expect(paths(found[0])).To(Equal([][]string{{"/1", "/2"}, {"/3"}}))
	})

	It("names events by the seed, in 22 characters, no two alike", func() {
		rows := []accesslog.Row{seen("10:00:00", "192.0.2.1", "A", "/1"), seen("10:00:00", "192.0.2.1", "A", "/1")}
		one, again, other := devices(rows, site, time.Hour, 1), devices(rows, site, time.Hour, 1), devices(rows, site, time.Hour, 2)
		Expect(one).To(Equal(again))
		first := one[0].visits[0]
		Expect(first[0].id).To(HaveLen(22))
		Expect(first[0].id).NotTo(Equal(first[1].id))
		Expect(first[0].id).NotTo(Equal(other[0].visits[0][0].id))
	})

	It("makes every target an address of the site, and cuts absurd ones", func() {
		found := devices([]accesslog.Row{
			seen("10:00:00", "192.0.2.1", "A", "*"), seen("10:00:01", "192.0.2.1", "A", "/"+strings.Repeat("é", 9000)),
		}, site, time.Hour, 1)
		visit := found[0].visits[0]
		Expect(visit[0].url).To(Equal(site + "/*"))
		Expect(len(visit[1].url)).To(BeNumerically("~", 8<<10, 1))
		Expect(strings.ToValidUTF8(visit[1].url, "")).To(Equal(visit[1].url))
	})
})
