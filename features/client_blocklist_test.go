package features_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client"
)

// A maintained engine; it brings no lists of its own, the corpus has them.
const engine = "@ghostery/adblocker@2.18.2"

var _ = Describe("Ad-block lists", func() {
	It("let all our names pass, as script, xhr, ping and image, on the site and beside it", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS is not set: no lists to hold our names against")
		}
		if _, err := exec.LookPath("npm"); err != nil {
			Expect(os.Getenv("CI")).To(BeEmpty(), "CI needs Node.js and npm")
			Skip("npm is not installed: the engine that runs the lists cannot be had")
		}
		ours := []string{"/v1/append", "/v1/submissions", "/v1/handoffs", "/v1/handoffs/claim", "/v1/reset", client.Hashed(client.WASM)}
		for path := range client.Routes() {
			ours = append(ours, path)
		}
		blocked := blockedBy(corpus, append(ours, "/beacon.js", "/api/collect"))
		Expect(blocked).To(ContainElements("https://www.example.org/beacon.js as script", "https://www.example.org/api/collect as ping"),
			"the engine runs these lists")
		Expect(slices.DeleteFunc(blocked, func(name string) bool {
			return bytes.Contains([]byte(name), []byte("/beacon.js")) || bytes.Contains([]byte(name), []byte("/api/collect"))
		})).To(BeEmpty())
	})
})

func blockedBy(corpus string, paths []string) (blocked []string) {
	GinkgoHelper()
	folder := GinkgoT().TempDir()
	script, err := os.ReadFile("testdata/blocked.cjs")
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(filepath.Join(folder, "blocked.cjs"), script, 0o600)).To(Succeed())
	install := exec.Command("npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, engine)
	out, err := install.CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	lists, err := filepath.Glob(filepath.Join(corpus, "filters", "*.txt"))
	Expect(err).NotTo(HaveOccurred())
	Expect(lists).NotTo(BeEmpty())
	var urls []string
	for _, host := range []string{"https://www.example.org", "https://id.example.org"} {
		for _, path := range paths {
			urls = append(urls, host+path)
		}
	}
	question, err := json.Marshal(map[string]any{
		"lists": lists, "urls": urls, "source": "https://www.example.org/",
		"types": []string{"script", "xmlhttprequest", "ping", "image", "other"},
	})
	Expect(err).NotTo(HaveOccurred())
	ask := exec.Command("node", filepath.Join(folder, "blocked.cjs"))
	ask.Stdin, ask.Stderr = bytes.NewReader(question), GinkgoWriter
	answer, err := ask.Output()
	Expect(err).NotTo(HaveOccurred())
	Expect(json.Unmarshal(answer, &blocked)).To(Succeed())
	return blocked
}
