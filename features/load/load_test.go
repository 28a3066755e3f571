package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("A request of the generator", func() {
	read := func(text []byte) (method, cookie string, body map[string]any) {
		GinkgoHelper()
		head, rest, _ := bytes.Cut(text, []byte("\r\n\r\n"))
		Expect(json.Unmarshal(rest, &body)).To(Succeed())
		for line := range strings.SplitSeq(string(head), "\r\n") {
			if value, ok := strings.CutPrefix(line, "Cookie: "); ok {
				cookie = value
			}
		}
		return string(head[:bytes.IndexByte(head, '\r')]), cookie, body
	}

	It("carries three events under ids that no other has, and the key of a device", func() {
		d := device{key: identity.Key{1, 2, 3}}
		w := newWriter(traffic{devices: []device{d}}, false)
		seen := map[string]bool{}
		for range 100 {
			line, cookie, body := read(w.next())
			Expect(line).To(Equal("POST /v1/append HTTP/1.1"))
			Expect(cookie).To(Equal("bwlai_vk=" + d.key.String()))
			events, _ := body["events"].([]any)
			Expect(events).To(HaveLen(eventsOfBeacon))
			for _, e := range events {
				id, _ := e.(map[string]any)["id"].(string)
				_, ok := identity.ParseKey(id) // of the same form
				Expect(ok).To(BeTrue(), id)
				Expect(seen).NotTo(HaveKey(id))
				seen[id] = true
			}
		}
	})

	It("is a submission of the device's own person as often as asked", func() {
		w := newWriter(traffic{devices: make([]device, 7), submissions: 1}, false)
		line, _, body := read(w.next())
		Expect(line).To(Equal("POST /v1/submissions HTTP/1.1"))
		who, _ := body["identity"].(map[string]any)
		Expect(who["email"]).To(MatchRegexp(`^device-00000000[0-6]@example\.org$`))
	})
})

var _ = Describe("An open loop", func() {
	It("tells of the wait of those that were due while another was being answered", func() {
		const stall = 300 * time.Millisecond
		var first atomic.Bool
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if !first.Swap(true) {
				<-time.After(stall)
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		defer server.Close()
		s := generate(server.Listener.Addr().String(), load{Connections: 1, Rate: 100},
			traffic{devices: make([]device, 1)}, 0, 400*time.Millisecond, func() {})
		Expect(s.failed + s.refused).To(BeZero())
		Expect(len(s.latencies)).To(BeNumerically(">=", 38))
		waited := 0
		for _, took := range s.latencies {
			if took > stall/3 {
				waited++
			}
		}
		Expect(waited).To(BeNumerically(">=", 15), "two thirds of those that were due during the stall")
	})
})

var _ = Describe("The ratios of a report", func() {
	It("compare within a round, and tell the median with the smallest and the largest", func() {
		r := report{}
		for round, speed := range []float64{50, 30, 40} {
			for who, beacons := range map[string]float64{asService: speed, asFloor: 100} {
				r.Runs = append(r.Runs, run{Stage: "empty", Contestant: who, Load: load{Connections: 64}, Round: round, PerSecond: beacons})
			}
		}
		r.compare()
		Expect(r.Ratios).To(ConsistOf(ratio{
			Stage: "empty", Load: "closed, 64 kept", Of: "beacons/s ÷ floor", spread: spread{Median: 0.4, Min: 0.3, Max: 0.5},
		}))
	})
})
