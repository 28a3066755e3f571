package scan_test

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/scan"
)

var _ = Describe("A User-Agent", func() {
	DescribeTable("of a program", func(agent string) { Expect(scan.Automated(agent)).To(BeTrue()) },
		Entry("that says nothing", ""), Entry("of blanks", "   "), Entry("that says next to nothing", "-"),
		Entry("that fetches", "curl/8.5"), Entry("in a language", "Python-urllib/3.12"), Entry("in another", "Go-http-client/2.0"),
		Entry("that previews", "WhatsApp/2.23.20.0 A"), Entry("that previews too", "TelegramBot (like TwitterBot)"),
		Entry("that previews as a telephone", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "+
			"Version/17.0 Mobile/15E148 Safari/604.1 facebookexternalhit/1.1 Facebot Twitterbot/1.0"),
		Entry("that watches", "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)"),
		Entry("without a head", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36"),
		Entry("of no known name", "Quillfeather/3.1"), Entry("with an address to complain to", "Quillfeather (ops@example.org)"),
		Entry("compatible with nothing", "Mozilla/5.0 (compatible; Quillfeather/3.1)"),
		Entry("that never ends", "Mozilla/5.0 (Linux; Android 14) "+strings.Repeat("x", 5000)),
	)

	DescribeTable("of a person", func(agent string) { Expect(scan.Automated(agent)).To(BeFalse()) },
		Entry("on a CUBOT telephone", "Mozilla/5.0 (Linux; Android 8.0.0; CUBOT_P20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/72.0.3626.121 Mobile Safari/537.36"),
		Entry("inside an app", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/440.0.0.32.108;FBLC/en_US]"),
		Entry("inside an app on Android", "Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36"),
		Entry("inside an app that scans codes", "Mozilla/5.0 (Linux; Android 14; SM-S918B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0 Mobile Safari/537.36 QRScanner/2.1"),
		Entry("with Firefox", "Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"),
		Entry("on a desk", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0"),
		Entry("on a Mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15"),
	)

	It("tells labelled bots from labelled humans", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS names no folder of real data")
		}
		raw, err := os.ReadFile(filepath.Join(corpus, "useragents", "ua_labelled.tsv"))
		Expect(err).NotTo(HaveOccurred())
		all, told := map[string]int{}, map[string]int{}
		for line := range strings.Lines(string(raw)) {
			columns := strings.Split(line, "\t")
			if len(columns) < 3 {
				continue
			}
			all[columns[1]]++
			if scan.Automated(columns[0]) {
				told[columns[1]]++
			}
		}
		Expect(all["bot"]).To(BeNumerically(">", 2000))
		Expect(all["human"]).To(BeNumerically(">", 500))
		share := func(label string) float64 { return float64(told[label]) / float64(all[label]) }
		AddReportEntry("bots told", share("bot"))
		AddReportEntry("humans taken for bots", share("human"))
		Expect(share("bot")).To(BeNumerically(">=", 0.95))
		Expect(share("human")).To(BeNumerically("<=", 0.01))
	})
})
