package bunstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"
	"github.com/onsi/gomega/gexec"

	"continuity/adapters/bunstore"
)

// roleVariable makes the test binary a process that plays a role on a database.
const roleVariable = "BUNSTORE_ROLE"

const (
	isReady     = "ready"
	urlVariable = "BUNSTORE_URL"
)

// roles are what a second process may do, once it was told to go.
var roles = map[string]func(ctx context.Context, db *bunstore.DB) error{
	"migrate":                func(ctx context.Context, db *bunstore.DB) error { return db.Migrate(ctx) },
	"submit on many devices": submitOnMany,
	"cross":                  crossing(false),
	"cross the other way":    crossing(true),
	// As a user whom files may refuse; root is refused nothing.
	"nobody": func(context.Context, *bunstore.DB) error { return nil },
}

func play() int {
	if err := act(context.Background(), os.Getenv(roleVariable), os.Getenv(urlVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func act(ctx context.Context, role, url string) (err error) {
	fmt.Println(isReady)
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the word to go: %w", err)
	}
	if role == "nobody" && os.Geteuid() == 0 {
		const nobody = 65534
		if err := errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
			return err
		}
	}
	db, err := bunstore.Open(ctx, bunstore.Config{URL: url})
	if err != nil {
		return err
	}
	defer db.Close()
	return roles[role](ctx, db)
}

// process is another process on the same database.
type process struct {
	*gexec.Session
	stdin io.Writer
}

// start starts a process, which waits for the word to go. None outlives its spec.
func start(role, url string) *process {
	GinkgoHelper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role, urlVariable+"="+url)
	stdin, err := cmd.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	session, err := gexec.Start(cmd, GinkgoWriter, GinkgoWriter)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { session.Kill().Wait("10s") })
	Eventually(session.Out, "20s").Should(gbytes.Say(isReady))
	return &process{session, stdin}
}

// startMany starts n processes, which then go at once.
func startMany(n int, role, url string) []*process {
	GinkgoHelper()
	all := make([]*process, n)
	for i := range all {
		all[i] = start(role, url)
	}
	for _, p := range all {
		p.goOn()
	}
	return all
}

func (p *process) goOn() {
	GinkgoHelper()
	_, err := io.WriteString(p.stdin, "go\n")
	Expect(err).NotTo(HaveOccurred())
}

func (p *process) succeeds() {
	GinkgoHelper()
	Eventually(p.Session, "60s").Should(gexec.Exit(0), func() string { return string(p.Err.Contents()) })
}
