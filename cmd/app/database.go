package app

import (
	"path/filepath"
	"strings"
)

func (c Config) postgres() bool {
	return strings.HasPrefix(c.DatabaseURL, "postgres://") || strings.HasPrefix(c.DatabaseURL, "postgresql://")
}

// database is the URL that the adapter opens: a relative SQLite path is under DataDir.
func (c Config) database() string {
	path, ok := strings.CutPrefix(c.DatabaseURL, "sqlite://")
	if !ok || filepath.IsAbs(path) {
		return c.DatabaseURL
	}
	return "sqlite://" + filepath.Join(c.DataDir, path)
}
