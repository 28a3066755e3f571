package pgtest_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/pgtest"
)

// place is where a cluster lives while it runs.
type place struct {
	data string
	pid  int
}

func placeOf(url string) place {
	GinkgoHelper()
	data := ask(url, "SHOW data_directory")
	lock, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	Expect(err).NotTo(HaveOccurred())
	first, _, _ := strings.Cut(string(lock), "\n")
	pid, err := strconv.Atoi(first)
	Expect(err).NotTo(HaveOccurred())
	return place{data, pid}
}

// runs tells whether the server's process still exists. One that has ended and that nobody waits for is gone too,
// which only Linux tells.
func (p place) runs() bool {
	if errors.Is(syscall.Kill(p.pid, 0), syscall.ESRCH) {
		return false
	}
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "status"))
	return err != nil || !strings.Contains(string(status), "State:\tZ")
}

func connect(url string) *pgx.Conn {
	GinkgoHelper()
	conn, err := pgx.Connect(context.Background(), url)
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(conn.Close, context.Background())
	return conn
}

func ask(url, question string) string {
	GinkgoHelper()
	var answer string
	Expect(connect(url).QueryRow(context.Background(), question).Scan(&answer)).To(Succeed())
	return answer
}

func tell(url, statement string) {
	GinkgoHelper()
	_, err := connect(url).Exec(context.Background(), statement)
	Expect(err).NotTo(HaveOccurred())
}

var _ = Describe("A cluster", func() {
	It("answers, and forces what it commits to the disk", func() {
		url := postgres.Cluster().URL("postgres")
		Expect(ask(url, "SHOW fsync")).To(Equal("on"))
		Expect(ask(url, "SHOW synchronous_commit")).To(Equal("on"))
		Expect(ask(url, "SHOW max_connections")).To(Equal("200"))
	})

	It("belongs to a user other than root", func() {
		info, err := os.Stat(placeOf(postgres.Cluster().URL("postgres")).data)
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Sys().(*syscall.Stat_t).Uid).NotTo(BeZero())
		Expect(info.Mode().Perm()).To(Equal(os.FileMode(0o700)))
	})

	It("lets nobody in without its password", func() {
		config, err := pgx.ParseConfig(postgres.Cluster().URL("postgres"))
		Expect(err).NotTo(HaveOccurred())
		config.Password = "guessed"
		_, err = pgx.ConnectConfig(context.Background(), config)
		Expect(err).To(MatchError(ContainSubstring("28P01")))
	})

	It("leaves neither folder nor process when it is stopped, and may be stopped again", func() {
		postgres.Cluster() // skips where there is no Postgres
		cluster, err := pgtest.Start()
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(cluster.Stop)
		home := placeOf(cluster.URL("postgres"))
		Expect(home.runs()).To(BeTrue())

		Expect(cluster.Stop()).To(Succeed())
		Expect(home.runs()).To(BeFalse())
		Expect(filepath.Dir(home.data)).NotTo(BeADirectory())
		Expect(cluster.Stop()).To(Succeed())
		Expect(cluster.Restart()).NotTo(Succeed())
	})

	It("leaves neither folder nor process when the specs are killed", func() {
		postgres.Cluster() // skips where there is no Postgres
		victim := exec.Command(os.Args[0])
		victim.Env = append(os.Environ(), victimVariable+"=yes")
		out, err := victim.StdoutPipe()
		Expect(err).NotTo(HaveOccurred())
		Expect(victim.Start()).To(Succeed())
		DeferCleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
		url, err := bufio.NewReader(out).ReadString('\n')
		Expect(err).NotTo(HaveOccurred())
		home := placeOf(strings.TrimSpace(url))
		Expect(home.runs()).To(BeTrue())

		Expect(victim.Process.Kill()).To(Succeed())
		Eventually(func() string { return filepath.Dir(home.data) }, "20s").ShouldNot(BeADirectory())
		Eventually(home.runs, "20s").Should(BeFalse())
	})

	It("keeps what was committed, and nothing else, over a crash", func() {
		postgres.Cluster() // skips where there is no Postgres
		cluster, err := pgtest.Start()
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(cluster.Stop)
		url := cluster.URL("postgres")
		tell(url, "CREATE TABLE kept (id int PRIMARY KEY)")
		tell(url, "INSERT INTO kept VALUES (1)")
		open := connect(url)
		_, err = open.Exec(context.Background(), "BEGIN; INSERT INTO kept VALUES (2)")
		Expect(err).NotTo(HaveOccurred())

		Expect(cluster.Crash()).To(Succeed())
		_, err = pgx.Connect(context.Background(), url)
		Expect(err).To(HaveOccurred())
		Expect(cluster.Restart()).To(Succeed())
		Expect(ask(url, "SELECT string_agg(id::text, ',') FROM kept")).To(Equal("1"))
	})
})
