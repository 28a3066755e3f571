package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"continuity/cmd/app"
	"continuity/cmd/continuity/verify"
)

var _ = Describe("Verifying a deploy", func() {
	var public string
	var out, errs *bytes.Buffer

	BeforeEach(func(ctx SpecContext) {
		out, errs = &bytes.Buffer{}, &bytes.Buffer{}
		config := app.Defaults()
		config.DataDir, config.SecretsDir = GinkgoT().TempDir(), GinkgoT().TempDir()
		service, err := app.Open(ctx, config, app.Deps{})
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(service.Close)
		server := httptest.NewServer(service.Public)
		DeferCleanup(server.Close)
		public = server.URL
	})

	call := func(ctx context.Context, args ...string) int {
		return run(ctx, append([]string{"verify", "--flood=0"}, args...), out, errs)
	}

	It("ends with 0 for a safe one, and tells every check", func(ctx SpecContext) {
		Expect(call(ctx, public)).To(Equal(done), out.String())
		Expect(out.String()).To(And(ContainSubstring("two visitors, two keys"), ContainSubstring("SAFE")))
		out.Reset()
		Expect(call(ctx, public, "--json")).To(Equal(done))
		var report verify.Report
		Expect(json.Unmarshal(out.Bytes(), &report)).To(Succeed())
		Expect(report.Verdict).To(Equal(verify.Safe))
		Expect(report.Results).NotTo(BeEmpty())
	})

	It("ends with 1 for an unsafe one, with the danger and the fix", func(ctx SpecContext) {
		cache := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "bwlai_vk=AAAAAAAAAAAAAAAAAAAAAA")
			w.WriteHeader(http.StatusCreated)
		}))
		DeferCleanup(cache.Close)
		Expect(call(ctx, cache.URL)).To(Equal(failed))
		Expect(out.String()).To(And(ContainSubstring("one key"), ContainSubstring("danger"), ContainSubstring("fix")))
		Expect(errs.String()).To(ContainSubstring("not safe"))
	})

	It("ends with 2 where nothing can be told, and where it was called wrongly", func(ctx SpecContext) {
		Expect(call(ctx, "http://127.0.0.1:1")).To(Equal(misled))
		Expect(out.String()).To(ContainSubstring("COULD NOT TELL"))
		for _, args := range [][]string{{}, {"example"}, {public, "--resolver=nowhere"}, {public, "--every=-1s"}, {public, "--loudly"}} {
			Expect(call(ctx, args...)).To(Equal(misled))
		}
	})

	It("goes on as a canary until it is stopped", func(ctx SpecContext) {
		told := gbytes.NewBuffer()
		watching, stop := context.WithCancel(ctx)
		defer stop()
		ended := make(chan int, 1)
		go func() { ended <- run(watching, []string{"verify", public, "--every=10ms", "--json"}, told, errs) }()
		Eventually(ctx, func() int { return strings.Count(string(told.Contents()), "\n") }).Should(BeNumerically(">=", 2))
		stop()
		Eventually(ctx, ended).Should(Receive(Equal(done)))
		var report verify.Report
		Expect(json.NewDecoder(bytes.NewReader(told.Contents())).Decode(&report)).To(Succeed())
	})
})
