package app

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/identity"
)

var _ = Describe("The pepper", func() {
	var c Config
	BeforeEach(func() {
		c = Defaults()
		c.SecretsDir = filepath.Join(GinkgoT().TempDir(), "secrets")
	})

	id := func() string {
		GinkgoHelper()
		pepper, err := c.pepper(rand.Reader)
		Expect(err).NotTo(HaveOccurred())
		return pepper.ID()
	}
	want := func(secret string) string { return identity.NewPepper([]byte(secret)).ID() }

	It("is made once, and for our eyes only", func() {
		first := id()
		Expect(id()).To(Equal(first))
		file, err := os.Stat(filepath.Join(c.SecretsDir, "pepper"))
		Expect(err).NotTo(HaveOccurred())
		Expect(file.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		directory, err := os.Stat(c.SecretsDir)
		Expect(err).NotTo(HaveOccurred())
		Expect(directory.Mode().Perm()).To(Equal(os.FileMode(0o700)))
		Expect(os.ReadDir(c.SecretsDir)).To(HaveLen(1))
	})

	It("is the same for all that start at once", func() {
		var all sync.WaitGroup
		ids := make([]string, 16)
		for i := range ids {
			all.Go(func() {
				defer GinkgoRecover()
				ids[i] = id()
			})
		}
		all.Wait()
		Expect(ids).To(HaveEach(ids[0]))
		Expect(os.ReadDir(c.SecretsDir)).To(HaveLen(1))
	})

	It("is the text that is set", func() {
		c.Pepper = NewSecret("test-pepper-v1")
		Expect(id()).To(Equal(want("test-pepper-v1")))
		Expect(c.SecretsDir).NotTo(BeADirectory())
	})

	DescribeTable("is what stands in a file, less one final line break",
		func(content, secret string) {
			c.PepperFile = filepath.Join(GinkgoT().TempDir(), "pepper")
			Expect(os.WriteFile(c.PepperFile, []byte(content), 0o600)).To(Succeed())
			Expect(id()).To(Equal(want(secret)))
		},
		Entry("none", "test-pepper-v1", "test-pepper-v1"),
		Entry("one", "test-pepper-v1\n", "test-pepper-v1"),
		Entry("of another system", "test-pepper-v1\r\n", "test-pepper-v1"),
		Entry("two", "test-pepper-v1\n\n", "test-pepper-v1\n"),
		Entry("blanks and bytes", " \x00\xff pepper \n", " \x00\xff pepper "),
	)

	It("is missed where its file is not there, or holds next to nothing", func() {
		c.PepperFile = filepath.Join(GinkgoT().TempDir(), "pepper")
		_, err := c.pepper(rand.Reader)
		Expect(err).To(BeAssignableToTypeOf(&Misconfigured{}))
		Expect(os.WriteFile(c.PepperFile, []byte("\n"), 0o600)).To(Succeed())
		_, err = c.pepper(rand.Reader)
		Expect(err).To(BeAssignableToTypeOf(&Misconfigured{}))
	})
})
