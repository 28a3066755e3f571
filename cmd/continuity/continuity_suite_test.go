package main

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestContinuity(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "continuity")
}
