// Package main bundles the capture client into client/dist: it minifies the two
// scripts, builds the WASM when asked to, and compresses what the service
// embeds.
//
// Decisions that shaped it: esbuild and the brotli encoder are imported here
// and nowhere in the service; wasm_exec.js is taken from the toolchain that
// builds the WASM, because the two must match, and keeps its notice.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"
)

// notice stands for the licence text at the head of wasm_exec.js.
const notice = "/*! wasm_exec.js: Copyright 2018 The Go Authors, BSD-style license, go.dev/LICENSE */\n"

func main() {
	wasm := flag.Bool("wasm", false, "build the WASM instead of the scripts")
	flag.Parse()
	if err := run(*wasm); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(wasm bool) error {
	root, err := folder()
	if err != nil {
		return err
	}
	if wasm {
		program, err := buildWASM(root)
		if err != nil {
			return err
		}
		return store(root, "capture.wasm", program)
	}
	scripts, err := minifyScripts(root)
	if err != nil {
		return err
	}
	for name, text := range scripts {
		if err := store(root, name, text); err != nil {
			return err
		}
	}
	return nil
}

// folder is the client's, wherever in the module the tool was started.
func folder() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	return filepath.Join(filepath.Dir(strings.TrimSpace(string(out))), "client"), nil
}

// minifyScripts makes the two scripts by the names they are served under.
func minifyScripts(root string) (map[string][]byte, error) {
	capture, err := os.ReadFile(filepath.Join(root, "capture.js"))
	if err != nil {
		return nil, err
	}
	loader, err := os.ReadFile(filepath.Join(root, "loader.js"))
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the toolchain: %w", err)
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	small, err := minify(capture)
	if err != nil {
		return nil, fmt.Errorf("capture.js: %w", err)
	}
	boot, err := minify(append(runtime, loader...))
	if err != nil {
		return nil, fmt.Errorf("loader.js: %w", err)
	}
	return map[string][]byte{"capture.js": small, "capture-wasm.js": append([]byte(notice), boot...)}, nil
}

func minify(source []byte) ([]byte, error) {
	result := api.Transform(string(source), api.TransformOptions{
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Target: api.ES2022, LegalComments: api.LegalCommentsNone,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(result.Errors[0].Text)
	}
	return result.Code, nil
}

func buildWASM(root string) ([]byte, error) {
	temporary, err := os.MkdirTemp("", "bundle")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	program := filepath.Join(temporary, "capture.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./wasm")
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-buildvcs=false")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return os.ReadFile(program)
}

func store(root, name string, content []byte) error {
	small, err := compressBrotli(content)
	if err != nil {
		return err
	}
	packed, err := compressGzip(content)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "dist", name)
	if err := os.WriteFile(path+".br", small, 0o644); err != nil {
		return err
	}
	fmt.Printf("%-16s %8d bytes, %7d brotli, %7d gzip\n", name, len(content), len(small), len(packed))
	return os.WriteFile(path+".gz", packed, 0o644)
}

func compressBrotli(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func compressGzip(content []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
