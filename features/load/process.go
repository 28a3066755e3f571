package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a contestant at work.
type process struct {
	cmd     *exec.Cmd
	address string
	idle    float64 // MiB, before any load
	ended   chan error
}

// start runs a program and waits until it takes connections at address.
func start(ctx context.Context, address string, environment []string, program string, args ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, address: address, ended: make(chan error, 1)}
	go func() { p.ended <- cmd.Wait() }()
	for until := time.Now().Add(startPatience); time.Now().Before(until); {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			p.idle = p.status("VmRSS")
			return p, conn.Close()
		}
		select {
		case err := <-p.ended:
			return nil, fmt.Errorf("%s ended while it started: %w", program, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil, errors.Join(errors.New(program+" did not listen"), p.stop())
}

// stop asks the program to finish, and waits for it.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return <-p.ended
}

// status is a figure of /proc/PID/status in MiB.
func (p *process) status(name string) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kib, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kib / 1024
		}
	}
	return 0
}

// ticksPerSecond is USER_HZ, which is 100 on every Linux that Go runs on.
const ticksPerSecond = 100

// cpu is the processor time that the process has used, in user and system mode.
func (p *process) cpu() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// freeAddress is one of the loopback that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
