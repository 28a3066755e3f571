package pgtest

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
)

const (
	// startAttempts is how many ports a start tries: another process may take one between our look and our use.
	startAttempts = 3
	superuser     = "continuity"
	logTailBytes  = 4096
)

// Cluster is a Postgres server of our own with everything it stores. Its methods may be called from several
// goroutines, but Crash, Restart and Stop end what others do meanwhile.
type Cluster struct {
	binaries binaries
	owner    owner
	folder   string // holds data/ and log; the owner's alone
	password string
	port     int
	guard    *guard

	mu        sync.Mutex
	server    *server // nil while the cluster is down
	stopped   bool
	templates map[string]bool
}

// Start makes a cluster and waits until it answers, in about two seconds. It returns ErrMissing when this machine
// has no Postgres; any other error ends with what the server said. The caller stops it; should our process be
// killed before, a guard does.
func Start() (*Cluster, error) {
	found, err := findBinaries()
	if err != nil {
		return nil, err
	}
	as, err := findOwner()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "continuity-pg-")
	if err != nil {
		return nil, fmt.Errorf("folder of the cluster: %w", err)
	}
	if err := as.own(folder); err != nil {
		return nil, errors.Join(fmt.Errorf("hand over the cluster's folder: %w", err), os.RemoveAll(folder))
	}
	watch, err := startGuard(as, folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	c := &Cluster{
		binaries: found, owner: as, folder: folder, guard: watch,
		password: rand.Text(), templates: map[string]bool{},
	}
	if err := c.initialise(); err != nil {
		return nil, errors.Join(err, watch.finish())
	}
	for range startAttempts {
		if c.port, err = freePort(); err != nil {
			break
		}
		if c.server, err = c.launch(); err == nil {
			return c, nil
		}
	}
	return nil, errors.Join(err, watch.finish())
}

// initialise creates the cluster's files, without waiting for the disk: nothing in them is anybody's yet.
func (c *Cluster) initialise() error {
	secret := filepath.Join(c.folder, "password")
	if err := os.WriteFile(secret, []byte(c.password), 0o600); err != nil {
		return fmt.Errorf("password of the cluster: %w", err)
	}
	if err := c.owner.own(secret); err != nil {
		return fmt.Errorf("hand over the cluster's password: %w", err)
	}
	out, err := c.owner.command(c.folder, c.binaries.initdb, "-D", filepath.Join(c.folder, "data"),
		"--username", superuser, "--pwfile", secret, "--auth", "scram-sha-256",
		"--encoding", "UTF8", "--locale", "C", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w; it said:\n%s", err, out)
	}
	return nil
}

// URL is how to reach a database of the cluster as its superuser. It stays the same over Crash and Restart.
func (c *Cluster) URL(database string) string {
	address := url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, c.password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(c.port)), Path: "/" + database,
		RawQuery: "sslmode=disable",
	}
	return address.String()
}

// Crash ends the server at once, as a power cut would: no checkpoint, open transactions lost. A server that is
// down already stays so.
func (c *Cluster) Crash() error {
	return c.down(syscall.SIGQUIT)
}

// Restart brings the server up again on the same files and port, recovering first when it had crashed, and waits
// until it answers. A server that runs is shut down cleanly before.
func (c *Cluster) Restart() error {
	if err := c.down(syscall.SIGINT); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return errors.New("the cluster is stopped for good")
	}
	s, err := c.launch()
	if err != nil {
		return err
	}
	c.server = s
	return nil
}

// Stop shuts the server down and removes its folder; nothing of it is left. Stopping again does nothing.
func (c *Cluster) Stop() error {
	err := c.down(syscall.SIGINT)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return err
	}
	c.stopped = true
	return errors.Join(err, c.guard.finish())
}

func (c *Cluster) down(sig syscall.Signal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server == nil {
		return nil
	}
	s := c.server
	c.server = nil
	return s.end(sig)
}

func (c *Cluster) logPath() string {
	return filepath.Join(c.folder, "log")
}

// logTail is the end of what the server said.
func (c *Cluster) logTail() []byte {
	text, err := os.ReadFile(c.logPath())
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(text[max(0, len(text)-logTailBytes):])
}
