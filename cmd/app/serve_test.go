package app

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// opened is a service of a spec's own, on SQLite in a folder that goes with it.
func opened(ctx context.Context, edits ...func(*Config)) *App {
	GinkgoHelper()
	c := Defaults()
	c.DataDir, c.SecretsDir = GinkgoT().TempDir(), GinkgoT().TempDir()
	c.Listen, c.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	for _, edit := range edits {
		edit(&c)
	}
	a, err := Open(ctx, c, Deps{Logger: slog.New(slog.NewTextHandler(GinkgoWriter, nil))})
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(a.Close)
	return a
}

var _ = Describe("A service", func() {
	It("finishes what it accepted when it is told to stop", func(ctx SpecContext) {
		a := opened(ctx)
		running, stop := context.WithCancel(ctx)
		defer stop()
		bound, ended := make(chan Addresses, 1), make(chan error, 1)
		go func() { ended <- a.Serve(running, func(at Addresses) { bound <- at }) }()
		var at Addresses
		Eventually(ctx, bound).Should(Receive(&at))

		const body = `{"id":"s1","identity":{"email":"ana@example.org"}}`
		conn, err := net.Dial("tcp", strings.TrimPrefix(at.Public, "http://"))
		Expect(err).NotTo(HaveOccurred())
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/submissions HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n"+
			"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
		answers := bufio.NewReader(conn)
		Expect(answers.ReadString('\n')).To(ContainSubstring("100 Continue"), "it waits for the body")
		Expect(answers.ReadString('\n')).To(Equal("\r\n"))

		stop()
		Eventually(ctx, func() error {
			refused, err := net.Dial("tcp", strings.TrimPrefix(at.Public, "http://"))
			if err == nil {
				refused.Close()
			}
			return err
		}).Should(HaveOccurred(), "it accepts nothing new")
		_, err = a.ready(ctx)
		Expect(err).To(MatchError("stopping"))
		fmt.Fprint(conn, body)
		answer, err := http.ReadResponse(answers, nil)
		Expect(err).NotTo(HaveOccurred())
		defer answer.Body.Close()
		Expect(answer.StatusCode).To(Equal(204))
		Eventually(ctx, ended).Should(Receive(BeNil()))
	})

	It("does not start beside another on the same address", func(ctx SpecContext) {
		taken, err := net.Listen("tcp", "127.0.0.1:0")
		Expect(err).NotTo(HaveOccurred())
		defer taken.Close()
		a := opened(ctx, func(c *Config) { c.AdminListen = taken.Addr().String() })
		Expect(a.Serve(ctx, nil)).To(MatchError(ContainSubstring("listen for the owners")))
	})

	It("does not open with settings that cannot be used", func(ctx SpecContext) {
		c := Defaults()
		c.CookieMaxAge = 401 * day
		_, err := Open(ctx, c, Deps{})
		Expect(err).To(BeAssignableToTypeOf(&Misconfigured{}))
	})

	It("names an address that a browser can open", func() {
		Expect(urlOf(&net.TCPAddr{IP: net.IPv6zero, Port: 8080})).To(Equal("http://localhost:8080"))
		Expect(urlOf(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 81})).To(Equal("http://127.0.0.1:81"))
	})
})
