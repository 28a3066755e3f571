package main

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"
)

var _ = Describe("The command line", func() {
	var out, errs *bytes.Buffer
	BeforeEach(func() {
		out, errs = &bytes.Buffer{}, &bytes.Buffer{}
		GinkgoT().Setenv("CONTINUITY_DATA_DIR", GinkgoT().TempDir())
		GinkgoT().Setenv("CONTINUITY_SECRETS_DIR", GinkgoT().TempDir())
		GinkgoT().Setenv("CONTINUITY_LISTEN", "127.0.0.1:0")
		GinkgoT().Setenv("CONTINUITY_ADMIN_LISTEN", "127.0.0.1:0")
	})

	call := func(ctx context.Context, args ...string) int {
		out.Reset()
		errs.Reset()
		return run(ctx, args, out, errs)
	}

	It("makes tokens, lists them without their secrets, and ends them", func(ctx SpecContext) {
		Expect(call(ctx, "token", "create", "crm", "--scopes", "leads:read,leads:write", "--json")).To(Equal(done))
		var made struct {
			ID, Token string
			Scopes    []string
		}
		Expect(json.Unmarshal(out.Bytes(), &made)).To(Succeed())
		Expect(made.Scopes).To(Equal([]string{"leads:read", "leads:write"}))
		Expect(made.Token).NotTo(BeEmpty())

		Expect(call(ctx, "token", "create", "forms", "--scopes=submissions")).To(Equal(done))
		Expect(out.String()).To(MatchRegexp(`^ctk_[\w-]+\n$`), "the secret alone, for a script")

		Expect(call(ctx, "token", "list")).To(Equal(done))
		Expect(out.String()).To(And(ContainSubstring(made.ID), ContainSubstring("forms"), Not(ContainSubstring("ctk_"))))
		Expect(call(ctx, "token", "revoke", made.ID)).To(Equal(done))
		Expect(call(ctx, "token", "list", "--json")).To(Equal(done))
		Expect(out.String()).To(And(ContainSubstring("forms"), Not(ContainSubstring(made.ID))))
		Expect(call(ctx, "token", "revoke", made.ID)).To(Equal(failed))
	})

	DescribeTable("says that it was called wrongly",
		func(ctx SpecContext, args ...string) {
			Expect(call(ctx, args...)).To(Equal(misled))
			Expect(errs.String()).To(HavePrefix("continuity: "))
			Expect(out.String()).To(BeEmpty())
		},
		Entry("an unknown command", "dance"),
		Entry("an unknown flag", "serve", "--loudly"),
		Entry("no scopes", "token", "create", "crm"),
		Entry("an unknown scope", "token", "create", "crm", "--scopes=everything"),
		Entry("no name", "token", "create", "", "--scopes=leads:read"),
		Entry("no address", "replay", "-"),
	)

	It("says that it was configured wrongly", func(ctx SpecContext) {
		GinkgoT().Setenv("CONTINUITY_COOKIE_MAX_AGE", "401d")
		for _, args := range [][]string{nil, {"serve"}, {"migrate"}, {"token", "list"}} {
			Expect(call(ctx, args...)).To(Equal(misled))
			Expect(errs.String()).To(ContainSubstring("CONTINUITY_COOKIE_MAX_AGE"))
		}
	})

	It("tells its version and its help", func(ctx SpecContext) {
		Expect(call(ctx, "version")).To(Equal(done))
		Expect(out.String()).To(HavePrefix("continuity "))
		Expect(call(ctx, "--help")).To(Equal(done))
		Expect(out.String()).To(ContainSubstring("token create"))
		Expect(call(ctx, "migrate")).To(Equal(done))
	})

	It("serves by default until it is stopped, the demonstration with a token of its own", func(ctx SpecContext) {
		told := gbytes.NewBuffer()
		running, stop := context.WithCancel(ctx)
		defer stop()
		ended := make(chan int, 1)
		go func() { ended <- run(running, []string{"--demo"}, out, told) }()
		Eventually(ctx, told).Should(gbytes.Say("/v1/leads/ID/journey"))
		secrets := regexp.MustCompile(`ctk_[\w-]+`).FindAllString(string(told.Contents()), -1)
		Expect(secrets).To(HaveLen(2))
		stop()
		Eventually(ctx, ended).Should(Receive(Equal(done)))
		Expect(call(ctx, "token", "list")).To(Equal(done))
		Expect(strings.Count(out.String(), "\n")).To(Equal(1), "only the heading")
	})
})
