package accesslog_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/continuity/replay/accesslog"
)

const combined = `192.0.2.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203 "https://ref.example.org/" "Agent/1.0 (\"odd\")"` + "\n"

func read(text string) (accesslog.Log, error) { return accesslog.Read(strings.NewReader(text)) }

var _ = Describe("reading an access log", func() {
	It("reads the Combined format, times in UTC and quotes unescaped", func() {
		log, err := read(combined)
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Format).To(Equal(accesslog.Combined))
		Expect(log.Rows).To(Equal([]accesslog.Row{{
			Line: 1, At: time.Date(2015, 5, 17, 8, 5, 3, 0, time.UTC), Addr: "192.0.2.1", Method: "GET", Path: "/a?b=c",
			Status: 200, Referrer: "https://ref.example.org/", Agent: `Agent/1.0 ("odd")`,
		}}))
	})

	It("reads the Common format, which knows neither referrer nor agent", func() {
		log, err := read(`2001:db8::1 - ana smith [17/May/2015:10:05:03 +0000] "GET /a b HTTP/1.0" 304 -` + "\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Format).To(Equal(accesslog.Common))
		Expect(log.Rows).To(HaveLen(1))
		Expect(log.Rows[0].Addr).To(Equal("2001:db8::1"))
		Expect(log.Rows[0].Path).To(Equal("/a b"))
		Expect(log.Rows[0].Agent).To(BeEmpty())
	})

	It("reads the table with its header, and without", func() {
		row := "7\t2015-05-17T10:05:03+00:00\t192.0.2.1\tGET\t/a\t200\t12\t-\tAgent/1.0\n"
		for _, text := range []string{row, "seq\tts\tip\tmethod\tpath\tstatus\tbytes\treferrer\tua\n" + row} {
			log, err := read(text)
			Expect(err).NotTo(HaveOccurred())
			Expect(log.Format).To(Equal(accesslog.Table))
			Expect(log.BadLines).To(BeZero())
			Expect(log.Rows).To(HaveLen(1))
			Expect(log.Rows[0].Referrer).To(BeEmpty())
			Expect(log.Rows[0].At).To(Equal(time.Date(2015, 5, 17, 10, 5, 3, 0, time.UTC)))
		}
	})

	It("takes a dash for an absent referrer and an absent agent", func() {
		log, err := read(`192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 - "-" "-"` + "\n")
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows[0].Referrer + log.Rows[0].Agent).To(BeEmpty())
	})

	It("unpacks a gzipped log", func() {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, err := w.Write([]byte(combined))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Close()).To(Succeed())
		log, err := accesslog.Read(&zipped)
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows).To(HaveLen(1))
	})

	It("counts bad lines, names the first with their numbers, and goes on", func() {
		log, err := read(combined + "\n" + "junk\n" +
			strings.Replace(combined, "17/May", "99/May", 1) + strings.Replace(combined, "GET /a?b=c HTTP/1.1", "-", 1) +
			strings.Replace(combined, "/a?b=c", "/"+strings.Repeat("x", 70_000), 1) + combined)
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows).To(HaveLen(2))
		Expect(log.BadLines).To(Equal(4))
		Expect(log.FirstBad).To(Equal([]accesslog.Bad{
			{Line: 3, Reason: "not in the log's format"}, {Line: 4, Reason: "the time cannot be read"},
			{Line: 5, Reason: "the request line cannot be read"}, {Line: 6, Reason: "longer than 64 KiB"},
		}))
	})

	It("names ten bad lines at most", func() {
		log, err := read(combined + strings.Repeat("junk\n", 30))
		Expect(err).NotTo(HaveOccurred())
		Expect(log.BadLines).To(Equal(30))
		Expect(log.FirstBad).To(HaveLen(10))
	})

	It("replaces octets that are no UTF-8", func() {
		log, err := read(strings.Replace(combined, "/a?b=c", "/\xff"+`\xfe`, 1))
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows[0].Path).To(Equal("/\uFFFD\uFFFD"))
	})

	It("fails when no line can be read, and on an empty log", func() {
		_, err := read("junk\nmore junk\n")
		Expect(err).To(MatchError(ContainSubstring("none of 2 lines can be read: line 1")))
		_, err = read("\n")
		Expect(err).To(MatchError(accesslog.ErrEmpty))
		_, err = read("seq\tts\tip\tmethod\tpath\tstatus\tbytes\treferrer\tua\n")
		Expect(err).To(MatchError(accesslog.ErrEmpty))
	})

	It("reads standard input for a dash, and says which file is missing", func() {
		log, err := accesslog.Open("-", strings.NewReader(combined))
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows).To(HaveLen(1))
		_, err = accesslog.Open("no-such.log", nil)
		Expect(err).To(MatchError(os.ErrNotExist))
	})

	It("reads every line of a real log", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS is not set: the real log is not read")
		}
		log, err := accesslog.Open(filepath.Join(corpus, "weblogs", "blog_2015_10k.tsv"), nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(log.Rows).To(HaveLen(10_000))
		Expect(log.BadLines).To(BeZero())
	})
})
