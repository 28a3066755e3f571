package verify

import (
	"embed"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2/dsl/core"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gexec"
)

// right are the configurations that ship, and that the specs run.
//
//go:embed deploy
var right embed.FS

// variant is a configuration: the right one, or it with one thing changed.
type variant struct {
	what    string                   // "a key that …", for the spec's name
	changes func(text string) string // nil: the right one
	check   string                   // the check that must name it
	found   string                   // and what it must say
}

// instead changes one place of a configuration, which must be there.
func instead(old, new string) func(string) string {
	return func(text string) string {
		GinkgoHelper()
		Expect(text).To(ContainSubstring(old))
		return strings.Replace(text, old, new, 1)
	}
}

// written is the right configuration of that name with one variant's change, between
// a listener and a service.
func (v variant) written(name, listen, origin string) string {
	GinkgoHelper()
	text, err := right.ReadFile("deploy/" + name)
	Expect(err).NotTo(HaveOccurred())
	whole := string(text)
	if v.changes != nil {
		whole = v.changes(whole)
	}
	_, port, err := net.SplitHostPort(origin)
	Expect(err).NotTo(HaveOccurred())
	return strings.NewReplacer(`127.0.0.1:8000`, listen, `127.0.0.1:8080`, origin, `.port = "8080"`, `.port = "`+port+`"`).Replace(whole)
}

// program finds a proxy's binary; without it the specs fail in CI and skip elsewhere.
func program(name, debian string) string {
	GinkgoHelper()
	for _, path := range []string{name, "/usr/sbin/" + name, "/usr/local/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if os.Getenv("CI") != "" {
		Fail(name + " is missing, and CI is set: install " + debian)
	}
	Skip(name + " is missing: install " + debian)
	return ""
}

// freeAddress is one that nobody listens on at this moment.
func freeAddress() string {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// workshop is a folder that the proxy may write to.
func workshop() string {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	if uid, gid, ok := unprivileged(); ok {
		Expect(os.Chown(folder, uid, gid)).To(Succeed())
	}
	return folder
}

// unprivileged is nobody, where the specs run as root.
func unprivileged() (uid, gid int, ok bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, false
	}
	uid, _ = strconv.Atoi(nobody.Uid)
	gid, _ = strconv.Atoi(nobody.Gid)
	return uid, gid, true
}

// write puts a file where the proxy can read it.
func write(folder, name, text string) string {
	GinkgoHelper()
	path := filepath.Join(folder, name)
	Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	return path
}

// proxy is a process that ends with the specs of its container.
func proxy(folder string, command ...string) *gexec.Session {
	GinkgoHelper()
	run := exec.Command(command[0], command[1:]...)
	run.Dir = folder
	run.Env = append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder, "TMPDIR="+folder)
	if uid, gid, ok := unprivileged(); ok {
		run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	session, err := gexec.Start(run, GinkgoWriter, GinkgoWriter)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() { Eventually(session.Terminate(), 20*time.Second).Should(gexec.Exit()) })
	return session
}

// expectServed waits until a proxy passes requests on.
func expectServed(session *gexec.Session, address string) {
	GinkgoHelper()
	Eventually(func() (int, error) {
		if session.ExitCode() >= 0 {
			return 0, StopTrying("the proxy ended: " + string(session.Err.Contents()))
		}
		response, err := http.Get("http://" + address + "/v1/ready") //nolint:noctx // a spec's own
		if err != nil {
			return 0, err
		}
		return response.StatusCode, response.Body.Close()
	}, 30*time.Second, 50*time.Millisecond).Should(Equal(http.StatusNotFound), address)
}

// kept are the addresses of a table of variants.
func kept(variants []variant) []string {
	GinkgoHelper()
	listen := make([]string, len(variants))
	for i := range variants {
		listen[i] = freeAddress()
	}
	return listen
}
