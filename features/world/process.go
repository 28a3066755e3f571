package world

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"

	"continuity/cmd/app"
)

var built = sync.OnceValues(func() (string, error) { return gexec.Build("continuity/cmd/continuity") })

// Process is a service in a process of its own, on the binary that this source
// builds. It is ended, gently, after the spec.
func Process(config app.Config) *HTTP {
	GinkgoHelper()
	binary, err := built()
	Expect(err).NotTo(HaveOccurred())
	environment := append(withoutSettings(os.Environ()),
		"CONTINUITY_DATABASE_URL="+config.DatabaseURL,
		"CONTINUITY_DATA_DIR="+config.DataDir,
		"CONTINUITY_SECRETS_DIR="+config.SecretsDir,
		"CONTINUITY_LISTEN=127.0.0.1:0",
		"CONTINUITY_ADMIN_LISTEN=127.0.0.1:0",
		"CONTINUITY_PEPPER=test-pepper-v1",
		"CONTINUITY_DESTINATIONS="+strings.Join(config.Destinations, ","),
		"CONTINUITY_RATE_PER_KEY=unlimited", "CONTINUITY_RATE_PER_IP=unlimited", "CONTINUITY_RATE_NEW_PER_IP=unlimited",
		"CONTINUITY_MAX_EVENTS_PER_ANCHOR=unlimited",
	)
	serve := exec.Command(binary, "serve")
	serve.Env = environment
	log, err := serve.StderrPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(serve.Start()).To(Succeed())
	DeferCleanup(func() {
		Expect(serve.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(serve.Wait()).To(Succeed())
	})
	public, admin := addresses(log)
	var scopes []string
	for _, scope := range owners() {
		scopes = append(scopes, string(scope))
	}
	way := NewHTTP(public, admin, newToken(binary, environment, strings.Join(scopes, ",")))
	way.Destinations = map[string]string{Portal: newToken(binary, environment, "handoffs", "--destination", Portal)}
	return way
}

func withoutSettings(environment []string) (rest []string) {
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "CONTINUITY_") {
			rest = append(rest, variable)
		}
	}
	return rest
}

var listening = regexp.MustCompile(`msg=listening public=(\S+) admin=(\S+)`)

// addresses reads where the service listens from its log, and goes on reading.
func addresses(log interface{ Read([]byte) (int, error) }) (public, admin string) {
	GinkgoHelper()
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			return found[1], found[2]
		}
	}
	Fail("the service ended before it listened")
	return "", ""
}

func newToken(binary string, environment []string, scopes string, options ...string) string {
	GinkgoHelper()
	create := exec.Command(binary, "token", "create", "stories", "--scopes", scopes, "--json")
	create.Args = append(create.Args, options...)
	create.Env = environment
	out, err := create.Output()
	Expect(err).NotTo(HaveOccurred())
	var token struct{ Token string }
	Expect(json.Unmarshal(out, &token)).To(Succeed())
	return token.Token
}
