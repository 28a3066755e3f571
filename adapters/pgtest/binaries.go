package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrMissing says that this machine has no Postgres server: neither in PATH, nor where Debian puts it, nor where
// pg_config points.
var ErrMissing = errors.New("no Postgres server here (initdb and postgres): install the package postgresql")

// binaries are the programs of one installation.
type binaries struct {
	initdb, postgres string
}

func findBinaries() (binaries, error) {
	var folders []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(path))
		}
	}
	folders = append(folders, debianFolders()...)
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	for _, folder := range folders {
		found := binaries{filepath.Join(folder, "initdb"), filepath.Join(folder, "postgres")}
		if executable(found.initdb) && executable(found.postgres) {
			return found, nil
		}
	}
	return binaries{}, ErrMissing
}

// debianFolders are the folders of all versions that Debian's packages installed, the newest first.
func debianFolders() []string {
	const root = "/usr/lib/postgresql"
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	var versions []int
	for _, entry := range entries {
		if version, err := strconv.Atoi(entry.Name()); err == nil {
			versions = append(versions, version)
		}
	}
	slices.Sort(versions)
	slices.Reverse(versions)
	folders := make([]string, 0, len(versions))
	for _, version := range versions {
		folders = append(folders, filepath.Join(root, strconv.Itoa(version), "bin"))
	}
	return folders
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
