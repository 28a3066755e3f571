package features_test

import (
	"fmt"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("A handoff on two nodes", func() {
	for _, database := range []string{"SQLite", "Postgres"} {
		const rounds, rivals = 12, 8
		var nodes [2]*world.HTTP
		BeforeEach(func() {
			config := world.Config(database)
			for i := range nodes {
				nodes[i] = world.Process(config)
			}
		})

		// race lets rivals act at once on both nodes, and counts what was stored.
		race := func(do func(node *world.HTTP, i int) world.Reply) (winners int) {
			var wg sync.WaitGroup
			start, replies := make(chan struct{}), make([]world.Reply, rivals)
			for i := range rivals {
				wg.Go(func() {
					defer GinkgoRecover()
					<-start
					replies[i] = do(nodes[i%2], i)
				})
			}
			close(start)
			wg.Wait()
			for _, reply := range replies {
				if reply.Stored {
					winners++
				} else {
					Expect(reply.Refused).To(Equal("gone"))
				}
			}
			return winners
		}
		mint := func(keys ...string) (key, token string) {
			GinkgoHelper()
			reply, token := nodes[0].Mint(keys, world.Portal, world.Beacon{Session: "s"})
			Expect(reply.Stored).To(BeTrue())
			return reply.Key, token
		}
		find := func(email string) world.Lead {
			GinkgoHelper()
			lead, ok := nodes[0].Find(email)
			Expect(ok).To(BeTrue())
			return lead
		}

		It("is bound to one browser of many that claim at once, on "+database, func() {
			for range rounds {
				_, token := mint()
				Expect(race(func(node *world.HTTP, i int) world.Reply {
					return node.Claim(world.Portal, token, fmt.Sprint("c", i), world.Beacon{})
				})).To(Equal(1))
			}
		})

		It("takes every copy of one browser's claim, and keeps its event once, on "+database, func() {
			for range rounds {
				_, token := mint()
				read := world.Beacon{Session: "p", Events: []world.Event{{ID: world.NewID(), URL: "https://portal.example.net/"}}}
				Expect(race(func(node *world.HTTP, _ int) world.Reply {
					return node.Claim(world.Portal, token, "c", read)
				})).To(Equal(rivals))
				steps, refused := nodes[1].Redeem(world.Portal, token, "c")
				Expect(refused).To(BeEmpty())
				Expect(steps).To(HaveLen(1))
			}
		})

		It("links its device to one of many people who are confirmed at once, and shares it with the others, on "+database, func() {
			for round := range rounds {
				_, token := mint()
				person := func(i int) string { return fmt.Sprintf("p%d-%d@example.org", round, i) }
				Expect(race(func(node *world.HTTP, i int) world.Reply {
					return node.Confirm(world.Portal, token, "c", world.Form{ID: "f", Email: person(i)})
				})).To(Equal(rivals))
				device := nodes[0].Anchor(nodes[0].Submissions(find(person(0)).ID)[0].Anchor)
				Expect(device.Shared).To(BeTrue())
				Expect(nodes[0].Candidates(device.ID)).To(HaveLen(rivals - 1))
				for _, pair := range nodes[0].Candidates(device.ID) {
					Expect(pair.Leads[0]).To(Equal(device.Lead))
				}
			}
		})

		It("has one device for the one browser of many that are confirmed at once, on "+database, func() {
			for round := range rounds {
				_, token := mint()
				person := func(i int) string { return fmt.Sprintf("p%d-%d@example.org", round, i) }
				race(func(node *world.HTTP, i int) world.Reply {
					return node.Confirm(world.Portal, token, fmt.Sprint("c", i), world.Form{ID: "f", Email: person(i)})
				})
				devices := 0
				for i := range rivals {
					lead := find(person(i))
					Expect(lead.Submissions).To(Equal(1), "every person is kept")
					devices += lead.Anchors
				}
				Expect(devices).To(Equal(1))
			}
		})

		It("is either claimed or replaced, and never both, on "+database, func() {
			for range rounds {
				key, token := mint()
				tokens := make([]string, rivals)
				claimed := race(func(node *world.HTTP, i int) (reply world.Reply) {
					if i == rivals/2 {
						return node.Claim(world.Portal, token, "c", world.Beacon{})
					}
					if i < rivals/2 {
						reply, tokens[i] = node.Mint([]string{key}, world.Portal, world.Beacon{Session: "s"})
						return reply
					}
					return node.Append([]string{key}, world.Beacon{})
				})
				Expect(claimed).To(BeElementOf(rivals-1, rivals))
				lives := nodes[1].Claim(world.Portal, token, "c", world.Beacon{}).Stored
				Expect(lives).To(Equal(claimed == rivals), "whoever was told that it is theirs, has it")
				alive := 0
				for _, token := range tokens {
					if token != "" && nodes[1].Claim(world.Portal, token, "d", world.Beacon{}).Stored {
						alive++
					}
				}
				Expect(alive).To(Equal(1), "of many mints at once one token is good")
			}
		})
	}
})
