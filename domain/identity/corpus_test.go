package identity_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"golang.org/x/net/idna"

	"continuity/domain/identity"
)

// corpus is the path of a file of real inputs; without CORPUS the spec is skipped.
func corpus(name ...string) string {
	GinkgoHelper()
	root := os.Getenv("CORPUS")
	if root == "" {
		Skip("CORPUS is not set: real inputs are not tried")
	}
	return filepath.Join(append([]string{root}, name...)...)
}

type vector struct{ Email, Expect, Normalized, Diagnosis string }

func vectors() (all []vector) {
	GinkgoHelper()
	file, err := os.Open(corpus("email", "email_vectors.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var v vector
		Expect(json.Unmarshal(lines.Bytes(), &v)).To(Succeed())
		all = append(all, v)
	}
	Expect(lines.Err()).NotTo(HaveOccurred())
	return all
}

// byR3 is the canonical form that R3 gives to what a suite calls normal: the
// suites keep the case of the local part and the domain's letters.
func byR3(normal string) string {
	local, domain, _ := strings.Cut(normal, "@")
	ascii, _ := idna.Lookup.ToASCII(domain)
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, local) + "@" + ascii
}

var _ = Describe("Addresses that others collected", func() {
	It("never break the normaliser, which gives each one form and one key", func() {
		all := vectors()
		Expect(len(all)).To(BeNumerically(">=", 322))
		accepted := map[string]int{}
		for _, v := range all {
			once, err := identity.NormalizeEmail(v.Email)
			if err != nil {
				continue
			}
			accepted[v.Expect]++
			twice, err := identity.NormalizeEmail(string(once))
			Expect(err).NotTo(HaveOccurred(), "%q", v.Email)
			Expect(twice).To(Equal(once), "%q", v.Email)
			Expect(pepper.HMAC(twice)).To(Equal(pepper.HMAC(once)))
		}
		AddReportEntry("accepted, by what the suites say", accepted)
	})

	It("have the form their suites give, save where R3 says otherwise", func() {
		agreed, rejected := 0, []string{}
		for _, v := range vectors() {
			if v.Normalized == "" {
				continue
			}
			email, err := identity.NormalizeEmail(v.Email)
			if strings.ContainsAny(v.Email, `"<>`) {
				Expect(err).To(HaveOccurred(), "%q: R3 rejects quotes and display names", v.Email)
				rejected = append(rejected, v.Email)
				continue
			}
			Expect(err).NotTo(HaveOccurred(), "%q", v.Email)
			Expect(string(email)).To(Equal(byR3(v.Normalized)), "%q", v.Email)
			agreed++
		}
		AddReportEntry("rejected by R3: quoted local parts and display names", rejected)
		Expect(agreed + len(rejected)).To(Equal(27))
		Expect(rejected).To(HaveLen(8))
	})

	It("are rejected when the suites call them invalid, save for what R3 keeps", func() {
		for _, v := range vectors() {
			_, err := identity.NormalizeEmail(v.Email)
			if v.Expect != "invalid" || err != nil {
				continue
			}
			Expect(reasonToAccept(v.Email)).NotTo(BeEmpty(), "%q (%s)", v.Email, v.Diagnosis)
		}
	})

	It("are accepted when the suites call them valid, save for what R3 rejects", func() {
		for _, v := range vectors() {
			_, err := identity.NormalizeEmail(v.Email)
			if v.Expect != "valid" || err == nil {
				continue
			}
			if strings.ContainsFunc(v.Email, func(r rune) bool { return !unicode.IsGraphic(r) }) {
				continue
			}
			Expect(v.Email).To(MatchRegexp(`["<>()\[\]]|@[0-9.]+$`), "%q: only quotes, names, comments, IP addresses and what cannot be seen are rejected", v.Email)
		}
	})

	It("may have any domain of the IDNA vectors without breaking", func() {
		for _, name := range []string{"IdnaTestV2.json", "idna_toascii.json"} {
			text, err := os.ReadFile(corpus("email", name))
			Expect(err).NotTo(HaveOccurred())
			var rows []any
			Expect(json.Unmarshal(text, &rows)).To(Succeed())
			tried, agreed, differ := 0, 0, []string{}
			for _, row := range rows {
				one, ok := row.(map[string]any)
				if !ok {
					continue
				}
				input, _ := one["input"].(string)
				email, err := identity.NormalizeEmail("ana@" + input)
				tried++
				if err != nil {
					continue
				}
				again, err := identity.NormalizeEmail(string(email))
				Expect(err).NotTo(HaveOccurred(), "%q gave %q", input, email)
				Expect(again).To(Equal(email), "%q", input)
				domain := strings.TrimPrefix(string(email), "ana@")
				switch one["output"] {
				case domain, domain + ".":
					agreed++
				default:
					Expect(strings.TrimFunc(input, func(r rune) bool { return unicode.Is(unicode.Cf, r) })).
						NotTo(Equal(input), "%q gave %q, and nothing was trimmed", input, domain)
					differ = append(differ, fmt.Sprintf("%q gave %q, not %q", input, domain, one["output"]))
				}
			}
			AddReportEntry(name, map[string]int{"tried": tried, "accepted with the vector's form": agreed})
			AddReportEntry("accepted in another form, because marks at the end are trimmed", differ)
		}
	})
})

// reasonToAccept says why R3 accepts what a suite calls invalid; empty when
// nothing in R3 does.
func reasonToAccept(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	switch {
	case strings.TrimSpace(email) != email:
		return "padding is trimmed"
	case strings.HasSuffix(email, "."), strings.HasSuffix(email, "\uff0e"):
		return "one trailing dot is dropped"
	case !strings.Contains(domain, "."):
		return "a domain may have one label"
	case strings.HasSuffix(domain, ".tld-2"):
		return "the list of top-level domains is not ours"
	case strings.HasSuffix(email, ".1111111111222222222233333333334444.info"):
		return "the canonical form is counted, in octets, and has 254"
	case strings.HasPrefix(email, "<\u0338"):
		return "a composed sign is not taken apart"
	}
	return ""
}
