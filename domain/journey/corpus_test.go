package journey_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

// corpus reads a file of real inputs; without CORPUS the spec is skipped.
func corpus(name ...string) []byte {
	GinkgoHelper()
	root := os.Getenv("CORPUS")
	if root == "" {
		Skip("CORPUS is not set: real inputs are not tried")
	}
	text, err := os.ReadFile(filepath.Join(append([]string{root}, name...)...))
	Expect(err).NotTo(HaveOccurred())
	return text
}

// lines decodes a file of one JSON value a line.
func lines[T any](text []byte) (all []T) {
	GinkgoHelper()
	scan := bufio.NewScanner(strings.NewReader(string(text)))
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var one T
		Expect(json.Unmarshal(scan.Bytes(), &one)).To(Succeed())
		all = append(all, one)
	}
	return all
}

// storable checks what holds for the URL of any event.
func storable(raw string) string {
	GinkgoHelper()
	url, _ := journey.CleanURL(raw)
	again, _ := journey.CleanURL(url)
	Expect(again).To(Equal(url), "%q", raw)
	Expect(utf8.ValidString(url)).To(BeTrue(), "%q", raw)
	Expect(len(url)).To(BeNumerically("<=", 2048), "%q", raw)
	Expect(url).To(Or(BeEmpty(), HavePrefix("/"), HavePrefix("http://"), HavePrefix("https://")), "%q", raw)
	return url
}

var _ = Describe("Inputs that others collected", func() {
	It("of URLs never break an event", func() {
		kept, tried, same := 0, 0, 0
		for _, name := range []string{"urltestdata.json", "percent-encoding.json"} {
			var rows []any
			Expect(json.Unmarshal(corpus("urls", name), &rows)).To(Succeed())
			for _, row := range rows {
				one, _ := row.(map[string]any)
				input, ok := one["input"].(string)
				if !ok {
					continue
				}
				tried++
				storable("/?q=" + input)
				if storable(input) == "" {
					continue
				}
				kept++
				href, _ := one["href"].(string)
				href, _, _ = strings.Cut(href, "#")
				if url, _ := journey.CleanURL(input); url == href {
					same++
				}
			}
		}
		Expect(tried).To(BeNumerically(">", 800))
		AddReportEntry("URL vectors", map[string]int{"tried": tried, "kept": kept, "as browsers write them, but for the fragment": same})
	})

	It("of hosts, addresses and dates never break an event", func() {
		for _, v := range lines[struct{ Value any }](corpus("urls", "format_vectors.jsonl")) {
			text, ok := v.Value.(string)
			if !ok {
				continue
			}
			storable(text)
			storable("https://" + text + "/")
			if t := journey.ClientTimeFromString(text); t.Known() {
				_, clamped := journey.Correct(t, t, received)
				Expect(clamped).To(BeFalse(), "%q", text)
			}
		}
	})

	It("of international hosts never break an event", func() {
		for _, name := range []string{"IdnaTestV2.json", "idna_toascii.json"} {
			var rows []any
			Expect(json.Unmarshal(corpus("email", name), &rows)).To(Succeed())
			for _, row := range rows {
				one, _ := row.(map[string]any)
				input, _ := one["input"].(string)
				storable("https://" + input + "/")
			}
		}
	})

	It("of naughty strings are stored as they are, but for addresses and what no database takes", func() {
		changed := []string{}
		for _, text := range lines[string](corpus("identity", "blns.jsonl")) {
			event := stored(journey.Draft{Title: text, Kind: text, URL: "/" + text, Props: map[string]any{text: text}})
			for _, part := range []string{event.Title, event.Kind, event.URL, event.Props} {
				Expect(utf8.ValidString(part)).To(BeTrue(), "%q", text)
				Expect(part).NotTo(ContainSubstring("\x00"))
			}
			if event.Title != text && len(text) <= 512 {
				changed = append(changed, text)
				Expect(text).To(Or(ContainSubstring("@"), ContainSubstring("\x00")), "%q became %q", text, event.Title)
			}
		}
		AddReportEntry("naughty strings that changed", changed)
		Expect(len(changed)).To(BeNumerically("<", 5))
	})

	It("of names and phones come back byte for byte", func() {
		for _, name := range lines[struct{ First, Last, Full string }](corpus("identity", "names.jsonl")) {
			for _, text := range []string{name.First, name.Last, name.Full} {
				Expect(stored(journey.Draft{Title: text}).Title).To(Equal(text))
			}
		}
		for _, phone := range lines[struct{ National, E164 string }](corpus("identity", "phones.jsonl")) {
			Expect(journey.RedactEmails(journey.Clean(phone.E164 + " " + phone.National))).To(Equal(phone.E164 + " " + phone.National))
		}
	})

	It("of pages in an access log keep their path and their campaign", func() {
		pages, campaigns := 0, 0
		for row := range strings.Lines(string(corpus("weblogs", "blog_2015_10k.tsv"))) {
			cells := strings.Split(strings.TrimRight(row, "\n"), "\t")
			if len(cells) < 9 || cells[0] == "seq" {
				continue
			}
			storable(cells[7])
			if storable(cells[4]) != "" {
				pages++
			}
			if _, campaign := journey.CleanURL(cells[4]); len(campaign) > 0 {
				campaigns++
			}
		}
		AddReportEntry("access log", map[string]int{"pages": pages, "with a campaign": campaigns})
		Expect(pages).To(BeNumerically(">", 9_900))
		Expect(campaigns).To(BeNumerically(">", 100))
	})

	It("of tracking parameters: every utm name is known, and how many others", func() {
		known, all, missed := 0, 0, []string{}
		for row := range strings.Lines(string(corpus("urls", "tracking_params.tsv"))) {
			name, _, _ := strings.Cut(row, "\t")
			if name == "param" {
				continue
			}
			all++
			if _, campaign := journey.CleanURL("/?" + name + "=v"); campaign.JSON() != "" {
				known++
				continue
			}
			Expect(name).NotTo(HavePrefix("utm_"))
			if strings.HasSuffix(name, "clid") || strings.HasSuffix(name, "clickid") {
				missed = append(missed, name)
			}
		}
		AddReportEntry("tracking parameters", map[string]int{"known": known, "listed": all})
		Expect(missed).To(BeEmpty(), "click ids that are not known")
	})
})
