package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestBundle(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "bundle")
}

var _ = Describe("What is embedded", func() {
	It("is what its sources make of it", func() {
		root, err := folder()
		Expect(err).NotTo(HaveOccurred())
		scripts, err := minifyScripts(root)
		Expect(err).NotTo(HaveOccurred())
		Expect(scripts).To(HaveLen(2))
		for name, text := range scripts {
			small, err := os.ReadFile(filepath.Join(root, "dist", name+".br"))
			Expect(err).NotTo(HaveOccurred())
			Expect(io.ReadAll(brotli.NewReader(bytes.NewReader(small)))).To(Equal(text), "run go generate ./client")
			packed, err := os.ReadFile(filepath.Join(root, "dist", name+".gz"))
			Expect(err).NotTo(HaveOccurred())
			unpacked, err := gzip.NewReader(bytes.NewReader(packed))
			Expect(err).NotTo(HaveOccurred())
			Expect(io.ReadAll(unpacked)).To(Equal(text), "run go generate ./client")
		}
	})
})
