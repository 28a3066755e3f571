package pgtest

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// guardScript waits until its standard input ends, which it does when Stop closes it or when our process dies in
// whatever way; then it stops a server that still runs and removes the folder. It polls the server's pid file,
// which goes last, because the server is no child of the guard's.
const guardScript = `
cat >/dev/null
if read -r pid 2>/dev/null <"$1/data/postmaster.pid"; then
	kill -INT "$pid" 2>/dev/null
	tries=0
	while [ -e "$1/data/postmaster.pid" ] && kill -0 "$pid" 2>/dev/null && [ "$tries" -lt 200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
fi
cd / && rm -rf "$1"
`

// guard is a process that outlives ours just long enough to clean up.
type guard struct {
	cmd  *exec.Cmd
	life io.Closer
}

func startGuard(as owner, folder string) (*guard, error) {
	cmd := as.command(folder, "/bin/sh", "-c", guardScript, "guard", folder)
	life, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("pipe to the guard: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	return &guard{cmd, life}, nil
}

// finish has the guard remove the folder, and returns once it has.
func (g *guard) finish() error {
	return errors.Join(g.life.Close(), g.cmd.Wait())
}
