package features_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// module is the path that all our imports begin with.
const module = "continuity/"

// Places that only specs use: a Postgres of their own, and the suites that every adapter runs.
const (
	pgtest   = "adapters/pgtest"
	contract = "ports/contract"
)

// layers tells which layers each layer may import, itself included where its packages may meet.
var layers = map[string][]string{
	"domain":   {"domain"},
	"ports":    {"domain"},
	"adapters": {"ports", "domain"},
	"client":   {"domain", "client"},
	"cmd":      {"adapters", "ports", "domain", "client", "cmd"},
	"features": {"adapters", "ports", "domain", "client", "cmd", "features"},
}

// libraries tells which modules of others a layer may import outside its specs; nil means any.
var libraries = map[string][]string{
	"domain": {"golang.org/x/net/", "golang.org/x/text/"},
	"ports":  {},
	"client": {},
}

// impure are the parts of the standard library that bring I/O, a context, randomness or a log, which the domain
// does without.
var impure = []string{
	"context", "crypto/rand", "database/sql", "io/ioutil", "log", "log/slog", "math/rand", "math/rand/v2",
	"net", "net/http", "os", "os/exec", "os/signal", "os/user", "syscall", "testing", "unsafe",
}

// objection says why a package (or its specs) must not import path, and is empty when it may.
func objection(pkg string, spec bool, path string) string {
	layer, _, _ := strings.Cut(pkg, "/")
	if _, known := layers[layer]; !known {
		return "stands in no layer"
	}
	target, ours := strings.CutPrefix(path, module)
	switch {
	case ours:
		return objectionToOurs(pkg, spec, target)
	case isStandard(path):
		if layer == "domain" && !spec && slices.Contains(impure, path) {
			return "the domain has no I/O, no context, no randomness and no log"
		}
		return ""
	}
	allowed, bounded := libraries[layer]
	if !bounded || spec || within(pkg, contract) {
		return ""
	}
	if slices.ContainsFunc(allowed, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
		return ""
	}
	return layer + " may not use this library"
}

// objectionToOurs is the part of objection about target, a package of this module.
func objectionToOurs(pkg string, spec bool, target string) string {
	layer, _, _ := strings.Cut(pkg, "/")
	targetLayer, _, _ := strings.Cut(target, "/")
	forSpecs := within(target, pgtest) || within(target, contract)
	switch {
	case part(pkg) == part(target):
		return "" // a package of the same adapter, port, …
	case forSpecs && (spec || layer == "features"):
		return ""
	case forSpecs:
		return "only specs use " + target
	case within(pkg, contract) && targetLayer == "ports":
		return ""
	case spec && layer == "adapters" && targetLayer == "adapters":
		return ""
	case !slices.Contains(layers[layer], targetLayer):
		return fmt.Sprintf("no arrow leads from %s to %s, save inside one package tree", layer, targetLayer)
	}
	return ""
}

// part is what a package belongs to inside its layer: its adapter, its port, its command.
func part(pkg string) string {
	names := strings.SplitN(pkg, "/", 3)
	return strings.Join(names[:min(2, len(names))], "/")
}

func within(pkg, tree string) bool {
	return pkg == tree || strings.HasPrefix(pkg, tree+"/")
}

// isStandard goes by the dot that the first element of every other path has.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

var _ = Describe("The arrows", func() {
	It("lead one way: cmd, adapters, ports, domain", func() {
		for _, file := range sources() {
			for _, path := range file.imports() {
				Expect(objection(file.pkg, file.spec, path)).To(BeEmpty(), "%s imports %s", file.name, path)
			}
		}
	})

	DescribeTable("forbid an import",
		func(pkg, path string) { Expect(objection(pkg, false, path)).NotTo(BeEmpty()) },
		Entry("of a port by the domain", "domain/identity", module+"ports/capture"),
		Entry("of a library by the domain", "domain/identity", "github.com/google/uuid"),
		Entry("of the system's randomness by the domain", "domain/identity", "crypto/rand"),
		Entry("of a context by the domain", "domain", "context"),
		Entry("of an adapter by a port", "ports/capture", module+"adapters/bunstore"),
		Entry("of another port by a port", "ports/capture", module+"ports/scanning"),
		Entry("of the contract by a port", "ports/capture", module+"ports/contract"),
		Entry("of a library by a port", "ports/capture", "github.com/uptrace/bun"),
		Entry("of another adapter by an adapter", "adapters/httpapi", module+"adapters/bunstore"),
		Entry("of the client by an adapter", "adapters/httpapi", module+"client"),
		Entry("of a command by an adapter", "adapters/httpapi", module+"cmd/run"),
		Entry("of the specs' Postgres by an adapter", "adapters/bunstore", module+pgtest),
		Entry("of the specs' Postgres by a command", "cmd/continuity", module+pgtest),
		Entry("of the contract by an adapter", "adapters/bunstore", module+contract),
		Entry("of a port by the client", "client/capture", module+"ports/capture"),
		Entry("of a library by the client", "client/wasm", "github.com/google/uuid"),
		Entry("of a feature by a command", "cmd/run", module+"features/world"),
		Entry("by a package outside the layers", "internal/clock", "time"),
	)

	DescribeTable("allow an import",
		func(pkg string, spec bool, path string) { Expect(objection(pkg, spec, path)).To(BeEmpty()) },
		Entry("of the domain by the domain", "domain/identity", false, module+"domain/fault"),
		Entry("of the Unicode tables by the domain", "domain/identity", false, "golang.org/x/text/unicode/norm"),
		Entry("of the domain by a port", "ports/capture", false, module+"domain/identity"),
		Entry("of a port by the contract", contract, false, module+"ports/capture"),
		Entry("of a library by the contract", contract, false, "github.com/onsi/gomega"),
		Entry("of its own migrations by an adapter", "adapters/bunstore", false, module+"adapters/bunstore/migrations"),
		Entry("of the contract by an adapter's specs", "adapters/bunstore", true, module+contract),
		Entry("of the specs' Postgres by a command's specs", "cmd/run", true, module+pgtest),
		Entry("of another adapter by an adapter's specs", "adapters/httpapi", true, module+"adapters/bunstore"),
		Entry("of a library by the domain's specs", "domain/identity", true, "pgregory.net/rapid"),
		Entry("of the client by a command", "cmd/run", false, module+"client"),
		Entry("of anything by a feature", "features/world", false, module+pgtest),
	)
})

var _ = Describe("The domain", func() {
	It("never asks for the time", func() {
		for _, file := range sources() {
			if within(file.pkg, "domain") && !file.spec {
				Expect(file.clockCalls()).To(BeEmpty())
			}
		}
	})

	It("carries no struct tags", func() {
		for _, file := range sources() {
			if within(file.pkg, "domain") && !file.spec {
				Expect(file.structTags()).To(BeEmpty())
			}
		}
	})
})

var _ = Describe("The repository", func() {
	It("holds nothing at its top but what belongs there", func() {
		// The folder may belong to another user than the one who runs the specs, in a container for example.
		out, err := exec.Command("git", "-c", "safe.directory=*", "-C", root(), "ls-files").Output()
		if err != nil && os.Getenv("CI") == "" {
			Skip("not a git checkout: there is no list of what belongs to it")
		}
		Expect(err).NotTo(HaveOccurred())
		belongs := `^(domain|ports|adapters|client|features|cmd|go\.mod|go\.sum|Taskfile\.yml|README\.md|LICENSE|CHANGELOG\.md|\..+)$`
		for path := range strings.Lines(string(out)) {
			first, _, _ := strings.Cut(strings.TrimSpace(path), "/")
			Expect(first).To(MatchRegexp(belongs))
		}
	})

	It("names packages after what they do", func() {
		for _, file := range sources() {
			name := strings.TrimSuffix(file.tree.Name.Name, "_test")
			Expect(name).To(MatchRegexp(`^[a-z][a-z0-9]*$`), file.name)
			Expect(name).NotTo(BeElementOf("util", "utils", "common", "model", "models", "helper", "helpers", "misc"), file.name)
		}
	})
})
