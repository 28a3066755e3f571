package client_test

import (
	"context"
	"os"
	"os/exec"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// chromium starts one browser for a spec process and ends it afterwards. In CI
// it must be there.
func chromium() context.Context {
	path, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("CI") == "" {
		Skip("chromium is not installed: the client's specs in a browser did not run")
	}
	Expect(err).NotTo(HaveOccurred(), "CI needs the package chromium")
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(GinkgoT().TempDir()),
		chromedp.Flag("headless", "new"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	browser, endBrowser := chromedp.NewContext(allocator)
	DeferCleanup(func() {
		endBrowser()
		endAllocator()
	})
	Expect(chromedp.Do(browser)).To(Succeed())
	return browser
}
