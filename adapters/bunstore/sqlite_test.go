package bunstore_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"
	"github.com/onsi/gomega/gexec"
	"github.com/uptrace/bun"

	"continuity/adapters/bunstore"
)

var _ = Describe("A SQLite file", func() {
	ctx := context.Background()

	pragma := func(db bun.IDB, name string) (value string) {
		GinkgoHelper()
		Expect(db.NewRaw("PRAGMA "+name).Scan(ctx, &value)).To(Succeed())
		return value
	}

	It("is written durably, shredding what is deleted, on every connection", func() {
		write, read := open(bunstore.Config{URL: sqliteFile()}).Pools()
		for name, value := range map[string]string{
			"journal_mode": "wal", "synchronous": "2", "secure_delete": "1", "foreign_keys": "1", "busy_timeout": "10000",
			"query_only": "0",
		} {
			Expect(pragma(write, name)).To(Equal(value), name)
		}
		Expect(write.Stats().MaxOpenConnections).To(Equal(1))
		for range 3 {
			reader, err := read.Conn(ctx) // kept, so that the next one is another
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(reader.Close)
			for name, value := range map[string]string{"journal_mode": "wal", "query_only": "1", "busy_timeout": "10000"} {
				Expect(pragma(reader, name)).To(Equal(value), name)
			}
			_, err = reader.ExecContext(ctx, "DELETE FROM leads")
			Expect(err).To(MatchError(ContainSubstring("readonly")))
		}
	})

	DescribeTable("may have any name", func(name string) {
		folder := GinkgoT().TempDir()
		path := filepath.Join(folder, name)
		write, read := open(bunstore.Config{URL: "sqlite://" + path}).Pools()
		for _, pool := range []*bun.DB{write, read} {
			var file string
			Expect(pool.NewRaw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(ctx, &file)).To(Succeed())
			Expect(file).To(Equal(path))
		}
		Expect(path).To(BeARegularFile())
	},
		Entry("with a space", "our trees.db"),
		Entry("with a percent sign", "50%.db"),
		Entry("that looks escaped", "a%20b%3f.db"),
		Entry("with a question mark", "what?mode=memory&x.db"),
		Entry("with a hash", "no#1.db"),
		Entry("with a colon", ":memory:"),
		Entry("beyond ASCII", "stromy-žltý-樹.db"),
		Entry("in a folder that is not there yet", "new folder/even newer/c.db"),
	)

	It("is found beside the process when its path is relative", func() {
		GinkgoT().Chdir(GinkgoT().TempDir())
		open(bunstore.Config{URL: "sqlite://:memory:"})
		Expect(":memory:").To(BeARegularFile())
	})

	It("is whole by itself once it is closed: nothing waits in a log beside it", func() {
		url := sqliteFile()
		db, err := bunstore.Open(ctx, bunstore.Config{URL: url})
		Expect(err).NotTo(HaveOccurred())
		Expect(db.Migrate(ctx)).To(Succeed())
		_, err = db.Tokens(ctx) // a reader is there as well
		Expect(err).NotTo(HaveOccurred())
		Expect(db.Close()).To(Succeed())
		Expect(strings.TrimPrefix(url, "sqlite://") + "-wal").NotTo(BeAnExistingFile())
	})

	It("is nobody's but its owner's, with all that stands beside it", func() {
		folder := filepath.Join(GinkgoT().TempDir(), "data")
		open(bunstore.Config{URL: "sqlite://" + filepath.Join(folder, "c.db")})
		files, err := os.ReadDir(folder)
		Expect(err).NotTo(HaveOccurred())
		Expect(len(files)).To(BeNumerically(">=", 3), "the file, its log and its index")
		for _, file := range files {
			info, err := file.Info()
			Expect(err).NotTo(HaveOccurred())
			Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o600)), file.Name())
		}
		info, err := os.Stat(folder)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o700)))
	})

	Describe("that cannot be one", func() {
		refusal := func(url string) error {
			GinkgoHelper()
			_, err := bunstore.Open(ctx, bunstore.Config{URL: url})
			Expect(err).To(HaveOccurred())
			return err
		}

		It("is refused by name when a folder is in its place", func() {
			folder := GinkgoT().TempDir()
			Expect(refusal("sqlite://" + folder)).To(MatchError(And(ContainSubstring(folder), ContainSubstring("is a directory"))))
		})

		It("is refused by name when a file is in its folder's place", func() {
			file := filepath.Join(GinkgoT().TempDir(), "file")
			Expect(os.WriteFile(file, nil, 0o600)).To(Succeed())
			Expect(refusal("sqlite://" + file + "/c.db")).To(MatchError(And(ContainSubstring(file), ContainSubstring("not a directory"))))
		})

		It("is refused by name when it is another kind of file", func() {
			file := filepath.Join(GinkgoT().TempDir(), "c.db")
			Expect(os.WriteFile(file, []byte("a shopping list, which is long enough to be looked at as a header"), 0o600)).To(Succeed())
			Expect(refusal("sqlite://" + file)).To(MatchError(And(ContainSubstring(file), ContainSubstring("not a database"))))
		})

		It("is refused when it has no name", func() {
			Expect(refusal("sqlite://")).To(MatchError(ContainSubstring("names no file")))
		})

		DescribeTable("is refused by name to a user who may not write",
			func(there bool, folderMode, fileMode os.FileMode) {
				folder, err := os.MkdirTemp("", "bunstore")
				Expect(err).NotTo(HaveOccurred())
				DeferCleanup(os.RemoveAll, folder)
				file := filepath.Join(folder, "c.db")
				if there {
					db, err := bunstore.Open(ctx, bunstore.Config{URL: "sqlite://" + file})
					Expect(err).NotTo(HaveOccurred())
					Expect(db.Close()).To(Succeed())
					Expect(os.Chmod(file, fileMode)).To(Succeed())
				}
				Expect(os.Chmod(folder, folderMode)).To(Succeed())
				other := start("nobody", "sqlite://"+file)
				other.goOn()
				Eventually(other.Session, "20s").Should(gexec.Exit(1))
				Expect(other.Err).To(gbytes.Say(regexp.QuoteMeta(file)))
			},
			Entry("in a folder that may only be read", false, os.FileMode(0o555), os.FileMode(0)),
			Entry("a file that may only be read", true, os.FileMode(0o777), os.FileMode(0o444)),
			Entry("a file in a folder that may only be read", true, os.FileMode(0o555), os.FileMode(0o666)),
		)
	})
})
