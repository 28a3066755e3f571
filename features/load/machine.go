package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// machine says where figures come from.
type machine struct {
	CPU     string  `json:"cpu"`
	Cores   int     `json:"cores"`
	Go      string  `json:"go"`
	System  string  `json:"system"`
	FreeGiB float64 `json:"free_gib"` // where the database goes
	Load    string  `json:"load"`     // of the machine before we began
}

func thisMachine(folder string) (machine, error) {
	m := machine{Cores: runtime.NumCPU(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, CPU: "unknown"}
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(value)
			break
		}
	}
	averages, _ := os.ReadFile("/proc/loadavg")
	m.Load = strings.TrimSpace(string(averages))
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return m, fmt.Errorf("look at the free disk: %w", err)
	}
	m.FreeGiB = float64(disk.Bavail) * float64(disk.Bsize) / (1 << 30)
	return m, nil
}

// bytesOfEvent is more than an event takes on disk with its indexes, its log and its share of what is rewritten.
const bytesOfEvent = 1024

// room says no when so many events may not fit. A gibibyte is left to others.
func (m machine) room(events int64) error {
	needed := float64(events)*bytesOfEvent/(1<<30) + 1
	if m.FreeGiB < needed {
		return fmt.Errorf("%.1f GiB are free and %d events may take %.1f", m.FreeGiB, events, needed)
	}
	return nil
}
