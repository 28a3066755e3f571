package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The commands for trees", func() {
	var out, errs *bytes.Buffer
	BeforeEach(func() {
		out, errs = &bytes.Buffer{}, &bytes.Buffer{}
		GinkgoT().Setenv("CONTINUITY_DATA_DIR", GinkgoT().TempDir())
		GinkgoT().Setenv("CONTINUITY_SECRETS_DIR", GinkgoT().TempDir())
	})

	call := func(ctx SpecContext, args ...string) int {
		out.Reset()
		errs.Reset()
		return run(ctx, append([]string{"tree"}, args...), out, errs)
	}
	file := func(text string) string {
		GinkgoHelper()
		name := filepath.Join(GinkgoT().TempDir(), "trees.csv")
		Expect(os.WriteFile(name, []byte(text), 0o600)).To(Succeed())
		return name
	}
	listed := func(ctx SpecContext) (all []map[string]any) {
		GinkgoHelper()
		Expect(call(ctx, "list", "--json")).To(Equal(done))
		Expect(json.Unmarshal(out.Bytes(), &all)).To(Succeed())
		return all
	}

	It("import a list whole or not at all", func(ctx SpecContext) {
		good := "id,name\noak,Dub\nelm,Brest\n"
		Expect(call(ctx, "import", file(good), "--dry-run")).To(Equal(done))
		Expect(out.String()).To(Equal("2 trees would be added, 0 changed.\n"))
		Expect(listed(ctx)).To(BeEmpty())

		Expect(call(ctx, "import", file(good+"a b,Jaseň\n"))).To(Equal(failed))
		Expect(errs.String()).To(ContainSubstring("line 4: id: "))
		Expect(listed(ctx)).To(BeEmpty())

		Expect(call(ctx, "import", file(good))).To(Equal(done))
		Expect(call(ctx, "import", file("id,name\noak,Starý dub\nash,Jaseň\n"), "--json")).To(Equal(done))
		Expect(out.String()).To(MatchJSON(`{"added":1,"changed":1,"dry_run":false,"bad_rows":[]}`))
		Expect(listed(ctx)).To(HaveLen(3))
		Expect(listed(ctx)[2]).To(HaveKeyWithValue("name", "Starý dub"))
	})

	It("say where a code leads", func(ctx SpecContext) {
		Expect(call(ctx, "import", file("id\noak\n"))).To(Equal(done))
		Expect(call(ctx, "retarget", "oak", "https://www.example.org/oak")).To(Equal(done))
		Expect(listed(ctx)[0]).To(HaveKeyWithValue("target_url", "https://www.example.org/oak"))
		Expect(call(ctx, "retarget", "oak", "javascript:alert(1)")).To(Equal(misled))
		Expect(errs.String()).To(ContainSubstring("target_url"))
		Expect(call(ctx, "retarget", "oak")).To(Equal(done))
		Expect(listed(ctx)[0]).To(HaveKeyWithValue("target_url", BeNil()))
		Expect(call(ctx, "retarget", "elm")).To(Equal(failed))
		Expect(call(ctx, "orphans", "--json")).To(Equal(done))
		Expect(out.String()).To(MatchJSON(`[]`))
	})

	It("draw codes only once they know what the codes lead to", func(ctx SpecContext) {
		Expect(call(ctx, "import", file("id,name\noak,Dub\n"))).To(Equal(done))
		for _, command := range []string{"qr oak", "sheet"} {
			args := strings.Fields(command)
			Expect(call(ctx, args...)).To(Equal(misled))
			Expect(errs.String()).To(ContainSubstring("CONTINUITY_PUBLIC_URL"))
			Expect(call(ctx, append(args, "--base=ftp://example.org")...)).To(Equal(misled))
		}
		GinkgoT().Setenv("CONTINUITY_PUBLIC_URL", "https://www.example.org")
		Expect(call(ctx, "qr", "oak")).To(Equal(done))
		Expect(out.String()).To(HavePrefix("<svg "))
		Expect(call(ctx, "qr", "oak", "--png")).To(Equal(done))
		Expect(out.String()).To(HavePrefix("\x89PNG"))
		name := filepath.Join(GinkgoT().TempDir(), "sheet.html")
		Expect(call(ctx, "sheet", "-o", name)).To(Equal(done))
		Expect(os.ReadFile(name)).To(ContainSubstring("Dub"))
		Expect(call(ctx, "sheet", "elm")).To(Equal(failed))
		Expect(call(ctx, "sheet", "--columns=0")).To(Equal(misled))
		GinkgoT().Setenv("CONTINUITY_PUBLIC_URL", "example.org")
		Expect(call(ctx, "list")).To(Equal(misled))
		Expect(errs.String()).To(ContainSubstring("CONTINUITY_PUBLIC_URL"))
	})
})
