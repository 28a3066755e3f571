package journey_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/journey"
)

var received = time.Date(2026, 3, 29, 12, 0, 0, 123_456_789, time.UTC)

func ms(t time.Time) journey.ClientTime {
	return journey.ClientTimeFromNumber(strconv.FormatInt(t.UnixMilli(), 10))
}

var _ = Describe("A client's time", func() {
	var nothing journey.ClientTime

	DescribeTable("is read when it is usable",
		func(value any, expected string) {
			t := journey.ParseClientTime(value)
			Expect(t.Known()).To(BeTrue())
			occurred, clamped := journey.Correct(t, nothing, time.Date(4999, 12, 31, 0, 0, 0, 0, time.UTC))
			Expect(clamped).To(BeFalse())
			Expect(occurred.Format(time.RFC3339Nano)).To(Equal(expected))
		},
		Entry("milliseconds", json.Number("1774751400123"), "2026-03-29T02:30:00.123Z"),
		Entry("a fraction, rounded down", json.Number("1774751400123.99999999"), "2026-03-29T02:30:00.123Z"),
		Entry("an exponent", json.Number("1.7747514e12"), "2026-03-29T02:30:00Z"),
		Entry("an exponent with a fraction, rounded down", json.Number("1774751400123.5e0"), "2026-03-29T02:30:00.123Z"),
		Entry("the first moment of 2000", json.Number("946684800000"), "2000-01-01T00:00:00Z"),
		Entry("text in UTC", "2026-03-29T02:30:00Z", "2026-03-29T02:30:00Z"),
		Entry("text with an offset", "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00Z"),
		Entry("text in lower case", "2026-03-29t02:30:00.5z", "2026-03-29T02:30:00.5Z"),
		Entry("text finer than a millisecond, rounded down", "2026-03-29T02:30:00.123999Z", "2026-03-29T02:30:00.123Z"),
	)

	DescribeTable("says nothing when it is missing, absurd or unreadable",
		func(value any) {
			t := journey.ParseClientTime(value)
			Expect(t.Known()).To(BeFalse())
			occurred, clamped := journey.Correct(t, nothing, received)
			Expect(clamped).To(BeTrue())
			Expect(occurred).To(Equal(received.Truncate(time.Millisecond)))
		},
		Entry("missing", nil),
		Entry("a truth", true),
		Entry("a float that no adapter sends", 1.7e12),
		Entry("zero", json.Number("0")),
		Entry("negative", json.Number("-1")),
		Entry("seconds", json.Number("1774751400")),
		Entry("microseconds", json.Number("1774751400123000")),
		Entry("nanoseconds", json.Number("1774751400123000000")),
		Entry("more than 64 bits", json.Number("99999999999999999999")),
		Entry("the largest double", json.Number("1e308")),
		Entry("more than a double", json.Number("1e999")),
		Entry("less than a double", json.Number("-1e999")),
		Entry("a literal of 100,000 digits", json.Number(strings.Repeat("9", 100_000))),
		Entry("a literal that is no number", json.Number("NaN")),
		Entry("infinity", json.Number("Infinity")),
		Entry("hexadecimal", json.Number("0x19D3A0000000")),
		Entry("an empty literal", json.Number("")),
		Entry("a moment before 2000", json.Number("946684799999")),
		Entry("the year 5000", json.Number("95617584000000")),
		Entry("text without a zone", "2026-03-29T02:30:00"),
		Entry("text with a space", "2026-03-29 02:30:00Z"),
		Entry("a date", "2026-03-29"),
		Entry("yesterday", "yesterday"),
		Entry("NaN as text", "NaN"),
		Entry("digits as text", "1774751400123"),
		Entry("minus one as text", "-1"),
		Entry("no such day", "2026-02-30T00:00:00Z"),
		Entry("the year 1970", "1970-01-01T00:00:00Z"),
		Entry("empty text", ""),
		Entry("long text", strings.Repeat("2026-03-29T02:30:00Z", 1000)),
	)
})

var _ = Describe("The time of an event", func() {
	var nothing journey.ClientTime

	It("is shifted by how far the client's clock was ahead", func() {
		ahead := received.AddDate(0, 0, 400)
		occurred, clamped := journey.Correct(ms(ahead.Add(-5*time.Second)), ms(ahead), received)
		Expect(clamped).To(BeFalse())
		Expect(occurred).To(Equal(received.Add(-5 * time.Second).Truncate(time.Millisecond)))
	})

	It("is shifted by how far the client's clock was behind", func() {
		behind := received.AddDate(-20, 0, 0)
		occurred, clamped := journey.Correct(ms(behind.Add(-time.Hour)), ms(behind), received)
		Expect(clamped).To(BeFalse())
		Expect(occurred).To(Equal(received.Add(-time.Hour).Truncate(time.Millisecond)))
	})

	It("is not shifted when the client does not say when it sent", func() {
		at := received.Add(-48 * time.Hour)
		occurred, clamped := journey.Correct(ms(at), nothing, received)
		Expect(clamped).To(BeFalse())
		Expect(occurred).To(Equal(at.Truncate(time.Millisecond)))
	})

	It("may be the moment of receipt itself", func() {
		occurred, clamped := journey.Correct(ms(received), ms(received), received)
		Expect(clamped).To(BeFalse())
		Expect(occurred).To(Equal(received.Truncate(time.Millisecond)))
	})

	DescribeTable("is the moment of receipt, and clamped, when nothing else is possible",
		func(at, sentAt journey.ClientTime) {
			occurred, clamped := journey.Correct(at, sentAt, received)
			Expect(clamped).To(BeTrue())
			Expect(occurred).To(Equal(received.Truncate(time.Millisecond)))
			Expect(occurred.Location()).To(Equal(time.UTC))
		},
		Entry("in the future, sent at no known time", journey.ClientTimeFromString("2096-01-01T00:00:00Z"), nothing),
		Entry("later than it was sent", ms(received.Add(time.Millisecond)), ms(received)),
		Entry("before 2000 once corrected", journey.ClientTimeFromString("2000-01-02T00:00:00Z"), ms(received.AddDate(0, 0, 3))),
		Entry("not said, though sent", nothing, ms(received)),
	)

	It("is in UTC whatever the zone of our clock", func() {
		zone := time.FixedZone("", 3600)
		occurred, _ := journey.Correct(nothing, nothing, received.In(zone))
		Expect(occurred).To(Equal(received.Truncate(time.Millisecond)))
	})
})
