package pgtest_test

import (
	"fmt"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/adapters/pgtest"
)

// victimVariable makes the test binary a process that starts a cluster, says where, and waits to be killed.
const victimVariable = "PGTEST_VICTIM"

var postgres pgtest.Shared

var _ = AfterSuite(func() {
	Expect(postgres.Stop()).To(Succeed())
})

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) == "" {
		os.Exit(m.Run())
	}
	cluster, err := pgtest.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(cluster.URL("postgres"))
	select {}
}

func TestPgtest(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Postgres for specs")
}
