package qrcode_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/qrcode"
)

func TestQRCode(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "QR code")
}

// tool is a program that a spec needs: where there is none, the spec fails if CI is
// set, and elsewhere skips.
func tool(names ...string) string {
	GinkgoHelper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		Fail("there is no " + names[0])
	}
	Skip("there is no " + names[0])
	return ""
}

// decoded is what an independent reader sees in a picture.
func decoded(file string) []string {
	GinkgoHelper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	found, err := exec.CommandContext(ctx, tool("zbarimg"), "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file).Output()
	Expect(err).NotTo(HaveOccurred())
	return strings.Fields(string(found))
}

// photographed is a document as a browser shows it, as a picture.
func photographed(file string, width, height int) string {
	GinkgoHelper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	picture := file + ".png"
	out, err := exec.CommandContext(ctx, tool("chromium", "chromium-browser", "google-chrome"),
		"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+GinkgoT().TempDir(),
		fmt.Sprintf("--window-size=%d,%d", width, height), "--screenshot="+picture, "file://"+file).CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	return picture
}

func kept(name string, content []byte) string {
	GinkgoHelper()
	file := filepath.Join(GinkgoT().TempDir(), name)
	Expect(os.WriteFile(file, content, 0o600)).To(Succeed())
	return file
}

var _ = Describe("A tree's code", func() {
	addresses := []string{
		"https://www.example.org/t/a", "https://www.example.org/t/EY10105",
		"https://trees.example.org/city/park/t/" + strings.Repeat("Az09_-", 10),
	}

	It("is read from its PNG", func() {
		for _, address := range addresses {
			drawn, err := qrcode.Codes{}.PNG(address)
			Expect(err).NotTo(HaveOccurred())
			Expect(decoded(kept("code.png", drawn))).To(Equal([]string{address}))
		}
	})

	It("is read from its SVG", func() {
		for _, address := range addresses {
			drawn, err := qrcode.Codes{}.SVG(address)
			Expect(err).NotTo(HaveOccurred())
			Expect(decoded(photographed(kept("code.svg", drawn), 600, 600))).To(Equal([]string{address}))
		}
	})

	It("is read with a part of it scratched away", func() {
		drawn, err := qrcode.Codes{}.SVG(addresses[1])
		Expect(err).NotTo(HaveOccurred())
		scratched := bytes.Replace(drawn, []byte("</svg>"), []byte(`<rect x="18" y="18" width="6" height="6" fill="#fff"/></svg>`), 1)
		Expect(scratched).NotTo(Equal(drawn))
		Expect(decoded(photographed(kept("code.svg", scratched), 600, 600))).To(Equal([]string{addresses[1]}))
	})

	It("keeps four modules clear around it", func() {
		drawn, err := qrcode.Codes{}.SVG(addresses[1])
		Expect(err).NotTo(HaveOccurred())
		Expect(string(drawn)).To(And(ContainSubstring(`viewBox="0 0 41 41"`), ContainSubstring(`d="M4,4`)), "33 modules and twice four")
	})
})

var _ = Describe("A sheet of codes", func() {
	It("holds every code, and the names of the trees in any script", func() {
		var labels []qrcode.Label
		var want []string
		for i, name := range []string{"Dub letný", "Липа", "老橡树", "شجرة البلوط", "ต้นโอ๊ก", "<b>Oak</b> & \"co\"", "", "Ełm", "🌳"} {
			address := fmt.Sprintf("https://www.example.org/t/tree-%d", i)
			labels = append(labels, qrcode.Label{Address: address, Title: name, Subtitle: "Quercus robur", ID: fmt.Sprint("tree-", i)})
			want = append(want, address)
		}
		var sheet bytes.Buffer
		Expect(qrcode.Sheet(&sheet, labels, 3)).To(Succeed())
		Expect(sheet.String()).To(And(ContainSubstring("شجرة البلوط"), ContainSubstring("&lt;b&gt;Oak"), Not(ContainSubstring("<b>"))))
		Expect(sheet.String()).NotTo(MatchRegexp(`src=|<link|<script|@import`))
		Expect(decoded(photographed(kept("sheet.html", sheet.Bytes()), 900, 1300))).To(ConsistOf(want))
	})
})
