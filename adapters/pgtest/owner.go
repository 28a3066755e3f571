package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// owner is the user that a cluster belongs to and runs as: ourselves, unless we are root.
type owner struct {
	credential *syscall.Credential // nil: ourselves
}

func findOwner() (owner, error) {
	if os.Geteuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(account.Uid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user id of %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(account.Gid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("group id of %s: %w", name, err)
		}
		return owner{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return owner{}, errors.New("root cannot run Postgres, and there is neither a user postgres nor nobody")
}

// own gives a path to the owner.
func (o owner) own(path string) error {
	if o.credential == nil {
		return nil
	}
	return os.Chown(path, int(o.credential.Uid), int(o.credential.Gid))
}

// command is a program that runs as the owner, in folder, with an environment that names no other server, in a
// process group of its own, so that an interrupt at the terminal reaches the specs first.
func (o owner) command(folder, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = folder
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC", "HOME=" + folder}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: o.credential}
	return cmd
}
