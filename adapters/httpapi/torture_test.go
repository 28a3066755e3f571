package httpapi

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A body out of the JSON torture chamber", func() {
	It("is taken or refused by its merits, and never breaks anything", func() {
		corpus := os.Getenv("CORPUS")
		if corpus == "" {
			Skip("CORPUS names no folder of real inputs")
		}
		files, err := filepath.Glob(filepath.Join(corpus, "json", "test_parsing", "*.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(len(files)).To(BeNumerically(">", 300))
		s := newSite()
		for _, file := range files {
			body, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			name := filepath.Base(file)
			bare := s.append(string(body), carrying(keyOfAna)).Code
			inside := s.append(`{"x":`+string(body)+`,"events":[{"id":"e","props":{"p":`+string(body)+`}}]}`, carrying(keyOfAna)).Code
			fields := s.submit(`{"id":"f","identity":{"email":"ana@example.org"},"fields":{"f":` + string(body) + `}}`).Code
			switch {
			case len(body) > mostBody:
				Expect([]int{bare, inside, fields}).To(HaveEach(413), name)
			case strings.HasPrefix(name, "n_"):
				Expect(bare).To(Equal(400), name)
				Expect([]int{inside, fields}).To(HaveEach(BeElementOf(400, 204)), name)
			case strings.HasPrefix(name, "y_"):
				Expect(bare).To(BeElementOf(204, 400), name)
				Expect(inside).To(Equal(204), name)
				Expect(fields).To(BeElementOf(204, 400), name)
			default:
				Expect([]int{bare, inside, fields}).To(HaveEach(BeElementOf(204, 400)), name)
			}
		}
	})
})
