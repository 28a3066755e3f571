package pgtest

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/onsi/ginkgo/v2"
)

// Shared is the cluster of one suite: it starts when the first spec asks for it, and the suite stops it.
//
//	var postgres pgtest.Shared
//	var _ = AfterSuite(func() { Expect(postgres.Stop()).To(Succeed()) })
//
// The zero value is ready. Where there is no Postgres, a spec that asks fails when CI is set, and elsewhere skips,
// saying what is missing.
type Shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Cluster is the running cluster. It may only be called from inside a spec.
func (s *Shared) Cluster() *Cluster {
	ginkgo.GinkgoHelper()
	s.once.Do(func() { s.cluster, s.err = Start() })
	if s.err == nil {
		return s.cluster
	}
	if errors.Is(s.err, ErrMissing) && os.Getenv("CI") == "" {
		ginkgo.Skip("Postgres is not tried: " + s.err.Error())
	}
	ginkgo.Fail("Postgres is needed: " + s.err.Error())
	return nil
}

// Database is the URL of a clone of the named template for the running spec alone; it is dropped after that spec.
// The first call with a name has prepare make the template (see Cluster.Template).
func (s *Shared) Database(template string, prepare func(url string) error) string {
	ginkgo.GinkgoHelper()
	cluster := s.Cluster()
	if err := cluster.Template(template, prepare); err != nil {
		ginkgo.Fail(err.Error())
	}
	url, drop, err := cluster.Database(context.Background(), template)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	ginkgo.DeferCleanup(drop)
	return url
}

// Stop stops the cluster if a spec has started it.
func (s *Shared) Stop() error {
	if s.cluster == nil {
		return nil
	}
	return s.cluster.Stop()
}
