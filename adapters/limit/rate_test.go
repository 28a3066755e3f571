package limit

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A rate", func() {
	It("is written as people say it", func() {
		for text, want := range map[string]Rate{
			"10/s": {10, time.Second}, "60/m": {60, time.Minute}, "100/h": {100, time.Hour}, "5000/d": {5000, 24 * time.Hour}, "unlimited": {},
		} {
			var rate Rate
			Expect(rate.UnmarshalText([]byte(text))).To(Succeed())
			Expect(rate).To(Equal(want))
			Expect(rate.String()).To(Equal(text))
		}
	})

	DescribeTable("is refused", func(text string) {
		rate := Rate{1, time.Hour}
		Expect(rate.UnmarshalText([]byte(text))).NotTo(Succeed())
		Expect(rate).To(Equal(Rate{1, time.Hour}))
	},
		Entry("without a number", "/m"), Entry("without a unit", "60"), Entry("in another unit", "60/w"), Entry("of nothing", "0/m"),
		Entry("below nothing", "-1/m"), Entry("with a part", "1.5/s"), Entry("with more behind", "60/m/s"), Entry("with spaces", "60 / m"),
		Entry("beyond measure", "1000001/s"), Entry("as nothing", ""), Entry("in other words", "none"),
	)
})
