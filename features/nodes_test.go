package features_test

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("Two nodes on one database", func() {
	for _, database := range []string{"SQLite", "Postgres"} {
		var nodes [2]*world.HTTP
		start := func() {
			GinkgoHelper()
			config := world.Config(database)
			for i := range nodes {
				nodes[i] = world.Process(config)
			}
		}
		// atOnce does n things at once and collects what each was told.
		atOnce := func(n int, do func(i int) world.Reply) []world.Reply {
			replies := make([]world.Reply, n)
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					defer GinkgoRecover()
					replies[i] = do(i)
				})
			}
			wg.Wait()
			return replies
		}

		It("make one lead of one new address that a hundred devices submit at once, on "+database, func() {
			start()
			const devices = 100
			replies := atOnce(devices, func(i int) world.Reply {
				return nodes[i%2].Submit(nil, world.Form{ID: fmt.Sprint("f", i), Email: "new@example.org"})
			})
			keys := map[string]bool{}
			for _, reply := range replies {
				Expect(reply.Refused).To(BeEmpty())
				keys[reply.Key] = true
			}
			Expect(keys).To(HaveLen(devices))
			lead, ok := nodes[0].Find("new@example.org")
			Expect(ok).To(BeTrue())
			Expect(lead.Anchors).To(Equal(devices))
			Expect(lead.Submissions).To(Equal(devices))
			again, _ := nodes[1].Find("new@example.org")
			Expect(again.ID).To(Equal(lead.ID))
		})

		It("surface no deadlock when they meet the same people and devices in opposite orders, on "+database, func() {
			start()
			people := []string{"ana@example.org", "ben@example.org"}
			var keys []string
			for i, person := range people {
				keys = append(keys, nodes[0].Submit(nil, world.Form{ID: fmt.Sprint("first", i), Email: person}).Key)
			}
			const rounds = 60
			replies := atOnce(rounds, func(i int) world.Reply {
				form := world.Form{ID: fmt.Sprint("f", i), Email: people[i/2%2]}
				return nodes[i%2].Submit([]string{keys[(i+i/2)%2]}, form)
			})
			for _, reply := range replies {
				Expect(reply.Refused).To(BeEmpty())
			}
		})

		It("store a batch once that fifty tabs send at once, on "+database, func() {
			start()
			key := nodes[0].Submit(nil, world.Form{ID: "f", Email: "ana@example.org"}).Key
			batch := world.Beacon{Session: "s"}
			for i := range 5 {
				batch.Events = append(batch.Events, world.Event{ID: fmt.Sprint("e", i), URL: "https://www.example.org/"})
			}
			for _, reply := range atOnce(50, func(i int) world.Reply { return nodes[i%2].Append([]string{key}, batch) }) {
				Expect(reply).To(Equal(world.Reply{Stored: true, Key: key}))
			}
			lead, _ := nodes[0].Find("ana@example.org")
			Expect(nodes[1].Journey(lead.ID)).To(HaveLen(5))
		})
	}
})
