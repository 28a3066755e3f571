package main

import (
	"fmt"
	"runtime/debug"
)

type version struct{}

// Run tells the module's version and the revision, as the toolchain stamped them.
func (version) Run(term terminal) error {
	told, revision := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		told = info.Main.Version
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = " " + setting.Value
			}
		}
	}
	fmt.Fprintf(term.out, "continuity %s%s\n", told, revision)
	return nil
}
