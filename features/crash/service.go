package crash

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
)

// binary is the built program, one for the whole suite.
var binary = sync.OnceValues(func() (string, error) { return gexec.Build("continuity/cmd/continuity") })

// Clean removes what was built; a suite calls it at its end.
func Clean() { gexec.CleanupBuildArtifacts() }

// Service is the program as its operator runs it, on one database over all its lives.
type Service struct {
	Public, Admin string // URLs of its present life
	Token         string // for the private interface, with every scope

	environment []string
	session     *gexec.Session
}

// New makes a service on a database, with a token for it; it is not started. The URL may be empty: an SQLite file
// in a folder of its own. It does not outlive its spec.
func New(databaseURL string) *Service {
	GinkgoHelper()
	if databaseURL == "" {
		databaseURL = "sqlite://" + filepath.Join(GinkgoT().TempDir(), "continuity.db")
	}
	if os.Getenv("CONTINUITY_URL") != "" {
		Skip("a deployment is not killed")
	}
	settings := func(entry string) bool { return strings.HasPrefix(entry, "CONTINUITY_") }
	s := &Service{environment: append(slices.DeleteFunc(os.Environ(), settings),
		"CONTINUITY_DATABASE_URL="+databaseURL, "CONTINUITY_SECRETS_DIR="+GinkgoT().TempDir(),
		"CONTINUITY_PEPPER=test-pepper-v1", "CONTINUITY_LISTEN=127.0.0.1:0", "CONTINUITY_ADMIN_LISTEN=127.0.0.1:0",
		"CONTINUITY_LOG_FORMAT=json",
		"CONTINUITY_RATE_PER_KEY=unlimited", "CONTINUITY_RATE_PER_IP=unlimited", "CONTINUITY_RATE_NEW_PER_IP=unlimited",
		"CONTINUITY_MAX_EVENTS_PER_ANCHOR=unlimited",
	)}
	made := s.run("token", "create", "crash", "--scopes", "leads:read,leads:write,submissions", "--json")
	Eventually(made, "60s").Should(gexec.Exit(0))
	var token struct{ Token string }
	Expect(json.Unmarshal(made.Out.Contents(), &token)).To(Succeed())
	s.Token = token.Token
	DeferCleanup(func() {
		if s.session != nil {
			s.Kill()
		}
	})
	return s
}

// run starts the program in a process group of its own.
func (s *Service) run(args ...string) *gexec.Session {
	GinkgoHelper()
	path, err := binary()
	Expect(err).NotTo(HaveOccurred())
	cmd := exec.Command(path, args...)
	cmd.Env = s.environment
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	session, err := gexec.Start(cmd, nil, nil)
	Expect(err).NotTo(HaveOccurred())
	return session
}

var listening = regexp.MustCompile(`"msg":"listening","public":"([^"]+)","admin":"([^"]+)"`)

// Start starts the service and waits until it listens.
func (s *Service) Start() {
	GinkgoHelper()
	s.session = s.run("serve")
	var found [][]byte
	Eventually(func() [][]byte {
		found = listening.FindSubmatch(s.session.Err.Contents())
		if found == nil && s.session.ExitCode() != -1 {
			Fail("the service ended while it started:\n" + string(s.session.Err.Contents()))
		}
		return found
	}, "60s", "5ms").ShouldNot(BeNil())
	s.Public, s.Admin = string(found[1]), string(found[2])
}

// Kill ends the whole process group at once, as the system does when memory runs out.
func (s *Service) Kill() {
	GinkgoHelper()
	_ = syscall.Kill(-s.session.Command.Process.Pid, syscall.SIGKILL) // it may have ended already
	Eventually(s.session, "20s").Should(gexec.Exit())
	s.session = nil
}

// Terminate asks the service to stop, as its operator does, and does not wait for it.
func (s *Service) Terminate() *gexec.Session { return s.session.Terminate() }

// Log is what the service has said in its present life.
func (s *Service) Log() string { return string(s.session.Err.Contents()) }
