package features_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"

	"continuity/features/crash"
	"continuity/features/world"
)

// kills is how often a spec kills: a few times, or as often as the environment says.
func kills(variable string, few int) int {
	GinkgoHelper()
	text, set := os.LookupEnv(variable)
	if !set {
		return few
	}
	n, err := strconv.Atoi(text)
	Expect(err).NotTo(HaveOccurred(), variable)
	return n
}

var _ = Describe("What the service has accepted", func() {
	// survives has crowds visit a service that is killed in their middle, again and again on one database.
	survives := func(databaseURL string, times int) {
		GinkgoHelper()
		service := crash.New(databaseURL)
		var crowds []*crash.Crowd
		accepted := 0
		for round := range times {
			service.Start()
			crowd := crash.Arrive(service)
			crowd.VisitUntil(service.Kill)
			service.Start()
			By(fmt.Sprintf("kill %d after %d accepted requests", round+1, crowd.Accepted()))
			crowd.KeepsItsPromises()
			service.Kill()
			crowds = append(crowds, crowd)
			accepted += crowd.Accepted()
		}
		service.Start()
		for _, crowd := range crowds {
			Expect(crowd.Broken()).To(BeEmpty(), "what later kills did to earlier visitors")
		}
		AddReportEntry("accepted", fmt.Sprintf("%d requests over %d kills", accepted, times))
	}

	It("survives a kill at any moment, on SQLite", func() {
		survives("", kills("CRASH_SQLITE", 5))
	})

	It("survives a kill at any moment, on Postgres", func() {
		survives(world.Postgres().URL, kills("CRASH_POSTGRES", 3))
	})

	It("survives a crash of Postgres, through which the service stays up and says so", func() {
		database := world.Postgres()
		service := crash.New(database.URL)
		service.Start()
		for range kills("CRASH_POSTGRES", 3) {
			crowd := crash.Arrive(service)
			crowd.VisitUntil(func() { Expect(database.Crash()).To(Succeed()) })
			Expect(crowd.Refused()).To(BeNumerically(">", 0))
			status, after := service.Knock()
			Expect(status).To(Equal(http.StatusServiceUnavailable), service.Log)
			Expect(after).NotTo(BeEmpty())
			Expect(database.Restart()).To(Succeed())
			Eventually(knocked(service), "20s").Should(Equal(http.StatusNoContent))
			crowd.KeepsItsPromises()
		}
	})

	It("survives a cut of the network to Postgres, through which the service stays up and says so", func() {
		network, url := crash.Between(world.Postgres().URL)
		service := crash.New(url)
		service.Start()
		for range kills("CRASH_POSTGRES", 3) {
			crowd := crash.Arrive(service)
			crowd.VisitUntil(network.Cut)
			status, after := service.Knock()
			Expect(status).To(Equal(http.StatusServiceUnavailable), service.Log)
			Expect(after).NotTo(BeEmpty())
			network.Restore()
			Eventually(knocked(service), "20s").Should(Equal(http.StatusNoContent))
			crowd.KeepsItsPromises()
		}
	})

	It("survives a network to Postgres that goes silent, through which the service stays up and says so", func() {
		if os.Getenv("CRASH_POSTGRES") == "" {
			Skip("half a minute of silence is waited for only by the long crash runs (task crash)")
		}
		network, url := crash.Between(world.Postgres().URL)
		service := crash.New(url)
		service.Start()
		crowd := crash.Arrive(service)
		crowd.VisitUntil(network.Silence)
		Expect(crowd.Refused()).To(BeNumerically(">", 0), "nobody waits for ever")
		network.Restore()
		Eventually(knocked(service), "60s").Should(Equal(http.StatusNoContent))
		crowd.KeepsItsPromises()
	})

	for _, name := range []string{"SQLite", "Postgres"} {
		It("is finished when the service is asked to stop, on "+name, func() {
			url := ""
			if name == "Postgres" {
				url = world.Postgres().URL
			}
			service := crash.New(url)
			service.Start()
			slow := service.Begin()
			crowd := crash.Arrive(service)
			var stopping *gexec.Session
			crowd.VisitUntil(func() { stopping = service.Terminate() })
			Eventually(service.Log, "10s").Should(ContainSubstring(`"msg":"stopping"`))
			Expect(slow.Finish()).To(Equal(http.StatusNoContent), "it had begun before")
			Eventually(stopping, "30s").Should(gexec.Exit(0))
			service.Start()
			crowd.KeepsItsPromises()
			Expect(slow.Broken()).To(BeEmpty())
		})
	}

	It("survives a full file system, on which the service stays up and says so", func() {
		disk := crash.SmallDisk()
		service := crash.New("sqlite://" + disk.Path("continuity.db"))
		service.Start()
		before := crash.Arrive(service)
		before.VisitUntil(disk.Fill)
		Eventually(knocked(service), "20s").Should(Equal(http.StatusServiceUnavailable))
		_, after := service.Knock()
		Expect(after).NotTo(BeEmpty())
		Expect(before.Misanswered()).To(BeEmpty())
		Expect(before.Broken()).NotTo(BeEmpty(), "nobody reads of a person while the audit log cannot be written")
		disk.Empty()
		Eventually(knocked(service), "20s").Should(Equal(http.StatusNoContent))
		Expect(before.Broken()).To(BeEmpty(), "what was there is there")
		before.KeepsItsPromises()
		service.Kill()
		service.Start()
		Expect(before.Broken()).To(BeEmpty())
	})
})

// knocked asks the service by one more visitor.
func knocked(service *crash.Service) func() int {
	return func() int {
		status, _ := service.Knock()
		return status
	}
}
