package journey_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestJourney(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Journey")
}
