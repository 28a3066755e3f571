package features_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = AfterSuite(func() { Expect(world.Stop()).To(Succeed()) })

func TestFeatures(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Continuity")
}
