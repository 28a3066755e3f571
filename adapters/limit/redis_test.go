package limit

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// server is a real Redis, of a spec's own.
type server struct {
	address string
	process *exec.Cmd
}

func (s *server) start() {
	GinkgoHelper()
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("CI") != "" {
			Fail("there is no redis-server")
		}
		Skip("there is no redis-server")
	}
	_, port, err := net.SplitHostPort(s.address)
	Expect(err).NotTo(HaveOccurred())
	s.process = exec.Command(binary, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", GinkgoT().TempDir())
	Expect(s.process.Start()).To(Succeed())
	process := s.process
	DeferCleanup(func() {
		_ = process.Process.Kill() // a spec may have ended it
		_ = process.Wait()
	})
	Eventually(func() error {
		conn, err := net.Dial("tcp", s.address)
		if err == nil {
			err = conn.Close()
		}
		return err
	}, "20s", "10ms").Should(Succeed())
}

func (s *server) send(signal syscall.Signal) {
	GinkgoHelper()
	Expect(s.process.Process.Signal(signal)).To(Succeed())
	if signal == syscall.SIGKILL {
		_ = s.process.Wait() // it says that it was killed
	}
}

func newServer() *server {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer listener.Close()
	return &server{address: listener.Addr().String()}
}

// log is what a node says.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// node is one of several that share a Redis.
func node(s *server, patient bool) (*Redis, *log) {
	GinkgoHelper()
	said := new(log)
	r, err := NewRedis("redis://"+s.address+"/0", slog.New(slog.NewTextHandler(said, nil)))
	Expect(err).NotTo(HaveOccurred())
	r.between = 20 * time.Millisecond
	if patient {
		r.patience = 30 * time.Second
	}
	DeferCleanup(r.Close)
	return r, said
}

func limitOf(r *Redis, rate Rate) *Shared {
	GinkgoHelper()
	limit, err := r.Limit("ip", rate)
	Expect(err).NotTo(HaveOccurred())
	return limit
}

var _ = Describe("A limit that nodes share", func() {
	It("lets exactly as many through as it says, for a hot address on two nodes", func(ctx SpecContext) {
		s := newServer()
		s.start()
		a, said := node(s, true)
		b, _ := node(s, true)
		first, second := limitOf(a, Rate{60, time.Hour}), limitOf(b, Rate{60, time.Hour})
		Expect(atOnce(ctx, 1000, "198.51.100.1/32", first, second)).To(Equal(60))
		wait, ok := first.Take(ctx, "198.51.100.1/32", 1)
		Expect(ok).To(BeFalse())
		Expect(wait).To(BeNumerically("~", time.Minute, 30*time.Second))
		_, ok = second.Take(ctx, "198.51.100.2/32", 61)
		Expect(ok).To(BeFalse())
		Expect(said.String()).To(BeEmpty())
	})

	It("is held by each node alone while the store is away, and together when it is back", func(ctx SpecContext) {
		s := newServer()
		s.start()
		r, said := node(s, true)
		limit := limitOf(r, Rate{5, time.Hour})
		Expect(atOnce(ctx, 20, "a", limit)).To(Equal(5))
		s.send(syscall.SIGKILL)
		Expect(atOnce(ctx, 20, "a", limit)).To(Equal(5), "by itself it begins anew")
		Expect(r.Away()).To(BeTrue())
		Expect(strings.Count(said.String(), "is away")).To(Equal(1))
		s.start()
		Eventually(ctx, r.Away, "20s").Should(BeFalse())
		Expect(said.String()).To(ContainSubstring("is back"))
		Expect(atOnce(ctx, 20, "b", limit)).To(Equal(5))
	})

	It("keeps nobody waiting for a store that hangs, but whoever noticed", func(ctx SpecContext) {
		s := newServer()
		s.start()
		r, _ := node(s, false)
		limit := limitOf(r, Rate{1_000_000, time.Second})
		Eventually(func() bool {
			limit.Take(ctx, "a", 1)
			return r.Away()
		}).Should(BeFalse())
		s.send(syscall.SIGSTOP)
		Eventually(ctx, func() bool {
			limit.Take(ctx, "a", 1)
			return r.Away()
		}).Should(BeTrue())
		began := time.Now()
		const calls = 1000
		for range calls {
			limit.Take(ctx, "a", 1)
		}
		Expect(time.Since(began) / calls).To(BeNumerically("<", time.Millisecond))
		s.send(syscall.SIGCONT)
		Eventually(ctx, r.Away, "20s").Should(BeFalse())
	})

	It("needs no store at the start", func(ctx SpecContext) {
		r, said := node(newServer(), false)
		Expect(atOnce(ctx, 20, "a", limitOf(r, Rate{5, time.Hour}))).To(Equal(5))
		Expect(said.String()).To(ContainSubstring("level=WARN"))
	})

	It("says nothing of the store because a caller hung up", func(ctx SpecContext) {
		s := newServer()
		s.start()
		r, said := node(s, true)
		gone, hangUp := context.WithCancel(ctx)
		hangUp()
		_, ok := limitOf(r, Rate{5, time.Hour}).Take(gone, "a", 1)
		Expect(ok).To(BeTrue())
		Expect(said.String()).To(BeEmpty())
	})

	It("is not kept at what is no Redis", func() {
		Expect(CheckURL("redis://:s3cret@localhost:6379/0")).To(Succeed())
		for _, url := range []string{"", "redis", "http://s3cret@localhost", "redis://localhost:port", "redis://localhost/s3cret"} {
			Expect(CheckURL(url)).To(MatchError(Not(ContainSubstring("s3cret"))), url)
		}
	})
})
