package pgtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// startTimeout bounds a start, a recovery after a crash included.
	startTimeout = 60 * time.Second
	// pollEvery is how often a starting server is asked whether it answers yet.
	pollEvery = 10 * time.Millisecond
	// The ports below those that outgoing connections take.
	firstPort, lastPort = 20000, 32000
)

// server is one run of the postgres process.
type server struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended and been waited for
}

// launch starts postgres on the cluster's folder and port and waits until it answers.
func (c *Cluster) launch() (*server, error) {
	log, err := os.OpenFile(c.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the server's log: %w", err)
	}
	defer func() { _ = log.Close() }() // the server has a handle of its own
	cmd := c.owner.command(c.folder, c.binaries.postgres, "-D", filepath.Join(c.folder, "data"),
		"-c", "port="+strconv.Itoa(c.port),
		"-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories=",
		"-c", "max_connections=200",
		"-c", "fsync=on",
		"-c", "synchronous_commit=on",
	)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start postgres: %w", err)
	}
	s := &server{cmd, make(chan struct{})}
	go func() {
		_ = cmd.Wait() // how it ended stands in its log
		close(s.done)
	}()
	if err := s.ready(c.URL("postgres")); err != nil {
		shown := c.logTail()
		return nil, errors.Join(fmt.Errorf("%w; its log ends:\n%s", err, shown), s.end(syscall.SIGQUIT))
	}
	return s, nil
}

// ready waits until the server at url answers.
func (s *server) ready(url string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, url)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.done:
			return errors.New("postgres ended while it started")
		case <-ctx.Done():
			return fmt.Errorf("postgres did not answer in %s: %w", startTimeout, err)
		case <-tick.C:
		}
	}
}

// end sends sig and waits until the process is gone. A process that has already ended is none to send it to.
func (s *server) end(sig syscall.Signal) error {
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stop postgres: %w", err)
	}
	<-s.done
	return nil
}

// freePort is a port of the loopback that nobody listens on.
func freePort() (int, error) {
	var err error
	for range 50 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		var listener net.Listener
		if listener, err = net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, listener.Close()
		}
	}
	return 0, fmt.Errorf("no free port: %w", err)
}
