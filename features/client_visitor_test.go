package features_test

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// One browser serves all stories of this process; each visitor has a context of
// their own in it.
var browser = sync.OnceValues(func() (context.Context, func()) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, nil
	}
	profile, err := os.MkdirTemp("", "chromium")
	Expect(err).NotTo(HaveOccurred())
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.Flag("headless", "new"),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	allocator, endAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	Expect(chromedp.Do(ctx)).To(Succeed())
	SetDefaultEventuallyTimeout(15 * time.Second) // a browser on a busy machine
	return ctx, func() {
		end()
		endAllocator()
		_ = os.RemoveAll(profile)
	}
})

// The suite's own end belongs to the services; this is the browser's.
var _ = ReportAfterSuite("ends the browser", func(Report) {
	if _, end := browser(); end != nil {
		end()
	}
})

// visitor is a device: a fresh browser context. A tab of it is a browser session.
type visitor struct{ ctx context.Context }

func newVisitor() visitor {
	GinkgoHelper()
	all, _ := browser()
	if all == nil {
		Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs the package chromium")
		Skip("chromium is not installed: the stories in a browser were not told")
	}
	ctx, end := chromedp.NewContext(all, chromedp.WithNewBrowserContext())
	DeferCleanup(end)
	Expect(chromedp.Do(ctx)).To(Succeed())
	return visitor{ctx}
}

func (v visitor) id() cdp.BrowserContextID {
	return chromedp.FromContext(v.ctx).BrowserContextID
}

// key is the device's key, which no script can read.
func (v visitor) key() string {
	GinkgoHelper()
	got, err := chromedp.CallBrowser(v.ctx, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: v.id()})
	Expect(err).NotTo(HaveOccurred())
	for _, cookie := range got.Cookies {
		if cookie.Name == visitorCookie {
			Expect(cookie.HTTPOnly).To(BeTrue())
			return cookie.Value
		}
	}
	return ""
}

// unattached opens a page that no debugger watches: a watched one cannot prerender.
func (v visitor) unattached(url string) {
	GinkgoHelper()
	made, err := chromedp.CallBrowser(v.ctx, target.CreateTarget, target.CreateTargetParams{URL: url, BrowserContextID: v.id()})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		_, _ = chromedp.CallBrowser(v.ctx, target.CloseTarget, target.CloseTargetParams{TargetID: made.TargetID}) // it may have gone
	})
}

type tab struct {
	ctx   context.Context
	close func()
}

// tab opens a new tab: a new session. No uncaught exception and no message of
// ours may show in it.
func (v visitor) tab() tab {
	GinkgoHelper()
	ctx, end := chromedp.NewContext(v.ctx)
	Expect(chromedp.Do(ctx)).To(Succeed())
	var mu sync.Mutex
	var complaints []string
	Expect(chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			complaints = append(complaints, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
		case *runtime.EventConsoleAPICalled:
			complaints = append(complaints, "the console was written to: "+string(e.Type))
		}
	})).To(Succeed())
	DeferCleanup(func() {
		end()
		mu.Lock()
		defer mu.Unlock()
		Expect(complaints).To(BeEmpty())
	})
	return tab{ctx, end}
}

// open goes to a page and waits until the client has taken over there.
func (t tab) open(url string) {
	GinkgoHelper()
	t.load(url)
	Eventually(func() bool { return eval[bool](t, taken) }).Should(BeTrue())
}

// at waits until the tab itself has gone to a page and the client runs there.
func (t tab) at(path string) {
	GinkgoHelper()
	Eventually(func() (bool, error) {
		return chromedp.Run(t.ctx, chromedp.Evaluate[bool](`location.pathname == "`+path+`" && `+taken))
	}).Should(BeTrue())
}

// taken is true once a build of the client runs on the page.
const taken = `!!Object.getOwnPropertyDescriptor(window.continuity || {}, "allowed")?.set`

func (t tab) load(url string) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.ctx, 40*time.Second)
	defer cancel()
	Expect(chromedp.Do(ctx, chromedp.Navigate(url))).To(Succeed())
}

// leave goes elsewhere, to a page without a client.
func (t tab) leave() {
	GinkgoHelper()
	t.load("about:blank")
}

func (t tab) run(script string) {
	GinkgoHelper()
	eval[any](t, script+"; null")
}

func (t tab) click(selector string) {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.ctx, 40*time.Second)
	defer cancel()
	Expect(chromedp.Do(ctx, chromedp.Click(selector, chromedp.NodeVisible))).To(Succeed())
}

func eval[T any](t tab, script string) T {
	GinkgoHelper()
	ctx, cancel := context.WithTimeout(t.ctx, 40*time.Second)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	Expect(err).NotTo(HaveOccurred())
	return value
}
