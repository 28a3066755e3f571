package features_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/sealing"
	"continuity/cmd/app"
	"continuity/features/world"
	"continuity/ports/capture"
)

var _ = Describe("The secrets of a database", func() {
	ctx := context.Background()
	quiet := app.Deps{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}

	// refusal is why a node with these settings does not start.
	refusal := func(c app.Config) string {
		GinkgoHelper()
		node, err := app.Open(ctx, c, quiet)
		if err == nil {
			Expect(node.Close()).To(Succeed())
			Fail("the node started")
		}
		_, ok := errors.AsType[*app.Misconfigured](err)
		Expect(ok).To(BeTrue(), "%v", err)
		return err.Error()
	}
	keys := func() (*sealing.Keys, app.Secret) {
		GinkgoHelper()
		made, err := sealing.New()
		Expect(err).NotTo(HaveOccurred())
		text, err := made.JSON()
		Expect(err).NotTo(HaveOccurred())
		return made, app.NewSecret(string(text))
	}
	submit := func(node *app.App, email string) {
		GinkgoHelper()
		_, err := node.Capture.Submit(ctx, capture.Visit{}, capture.Form{
			ID: "f", Email: email, Name: "Zephyrine Quillfeather", Fields: `{"note":"Quillfeather"}`,
		}, capture.Beacon{}, true)
		Expect(err).NotTo(HaveOccurred())
	}

	for _, database := range []string{"SQLite", "Postgres"} {
		Context("on "+database, func() {
			It("keep a node out that has another pepper, or other seal keys", func() {
				c := world.Config(database)
				c.Pepper = app.NewSecret("test-pepper-v1")
				submit(world.Open(c, nil), "ana@example.org")
				other := c
				other.Pepper = app.NewSecret("test-pepper-v2")
				Expect(refusal(other)).To(ContainSubstring("pepper"))
				other = c
				_, other.SealKeys = keys()
				Expect(refusal(other)).To(ContainSubstring("seal key"))
			})

			It("let a node in that has the same, wherever it keeps them", func() {
				c := world.Config(database)
				c.Pepper = app.NewSecret("test-pepper-v1")
				submit(world.Open(c, nil), "ana@example.org")
				c.SecretsDir = GinkgoT().TempDir()
				lead, err := world.Open(c, nil).Reporting.Find(ctx, "ana@example.org")
				Expect(err).NotTo(HaveOccurred())
				Expect(lead.Person.Name).To(Equal("Zephyrine Quillfeather"))
			})
		})
	}

	It("are made once, for their owner alone, and nothing readable is kept", func() {
		c := world.Config("SQLite")
		node := world.Open(c, nil)
		submit(node, "zephyrine@example.org")
		file, err := os.Stat(filepath.Join(c.SecretsDir, "seal-keys.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(file.Mode().Perm()).To(Equal(os.FileMode(0o600)))
		found, err := filepath.Glob(filepath.Join(c.DataDir, "*"))
		Expect(err).NotTo(HaveOccurred())
		for _, name := range found {
			content, err := os.ReadFile(name)
			Expect(err).NotTo(HaveOccurred())
			Expect(bytes.Contains(content, []byte("zephyrine@"))).To(BeFalse(), name)
			Expect(bytes.Contains(content, []byte("Quillfeather"))).To(BeFalse(), name)
		}
		Expect(os.Remove(filepath.Join(c.SecretsDir, "seal-keys.json"))).To(Succeed())
		Expect(refusal(c)).To(ContainSubstring("seal key"), "a new key would read nothing")
	})
})
