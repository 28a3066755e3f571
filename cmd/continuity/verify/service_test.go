package verify

import (
	"context"
	"log/slog"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/gomega"

	"continuity/cmd/app"
	"continuity/domain/scan"
)

// service is the real thing, listening.
type service struct {
	app.Addresses
	app *app.App
}

// plant adds a tree.
func (s service) plant(id scan.TreeID) {
	GinkgoHelper()
	_, err := s.app.Scanning.Add(context.Background(), scan.Tree{ID: id, Name: "Oak"})
	Expect(err).NotTo(HaveOccurred())
}

// startService serves the real thing on loopback until the specs of its container end.
func startService(change func(*app.Config)) service {
	GinkgoHelper()
	config := app.Defaults()
	config.DataDir, config.SecretsDir = GinkgoT().TempDir(), GinkgoT().TempDir()
	config.Listen, config.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	if change != nil {
		change(&config)
	}
	opened, err := app.Open(context.Background(), config, app.Deps{Logger: slog.New(slog.DiscardHandler)})
	Expect(err).NotTo(HaveOccurred())
	ctx, stop := context.WithCancel(context.Background())
	listening, ended := make(chan app.Addresses, 1), make(chan error, 1)
	go func() { ended <- opened.Serve(ctx, func(at app.Addresses) { listening <- at }) }()
	var at app.Addresses
	Eventually(listening, 10*time.Second).Should(Receive(&at))
	DeferCleanup(func() {
		stop()
		Eventually(ended, 30*time.Second).Should(Receive(BeNil()))
		Expect(opened.Close()).To(Succeed())
	})
	return service{at, opened}
}

// host is an address without its scheme.
func host(url string) string { return strings.TrimPrefix(url, "http://") }

// verifying is a whole verification.
func verifying(ctx context.Context, o Options) Report {
	GinkgoHelper()
	report, err := Run(ctx, o)
	Expect(err).NotTo(HaveOccurred())
	return report
}

// told is everything that a report says, for failures.
func told(r Report) string {
	var b strings.Builder
	_ = r.Print(&b)
	return b.String()
}

// of finds the result of one check.
func of(r Report, check string) Result {
	GinkgoHelper()
	for _, result := range r.Results {
		if result.Check == check {
			return result
		}
	}
	Fail("there is no check " + check)
	return Result{}
}

// expectUnsafe holds a check to have named what is wrong, with its danger and its fix.
func expectUnsafe(r Report, check, found string) {
	GinkgoHelper()
	result := of(r, check)
	Expect(r.Verdict).To(Equal(Unsafe), told(r))
	Expect(result.Verdict).To(Equal(Unsafe), told(r))
	Expect(result.Found).To(ContainSubstring(found), told(r))
	Expect(result.Danger).NotTo(BeEmpty())
	Expect(result.Fix).NotTo(BeEmpty())
}

// expectTold holds a report to tell the right variant safe and a wrong one for what it is.
func expectTold(r Report, v variant) {
	GinkgoHelper()
	if v.changes != nil {
		expectUnsafe(r, v.check, v.found)
		return
	}
	Expect(r.Verdict).To(Equal(Safe), told(r))
}
