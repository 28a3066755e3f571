package features_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/crash"
	"continuity/features/world"
)

var _ = AfterSuite(func() {
	crash.Clean()
	Expect(world.Stop()).To(Succeed())
})

func TestFeatures(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Continuity")
}
