package journey_test

import (
	"encoding/json"
	"testing"
	"time"

	"continuity/domain/journey"
)

// BenchmarkBeacon cleans the three events of a typical beacon.
func BenchmarkBeacon(b *testing.B) {
	at := func(ago time.Duration) journey.ClientTime { return ms(received.Add(-ago)) }
	drafts := []journey.Draft{
		{ID: "0b9e6a52-5a4f-4c53-9c34-6a0b3f2f9a11", At: at(90 * time.Second), Kind: "page_view", Title: "Trees of the old town",
			URL:      "https://www.example.org/trees?utm_source=newsletter&utm_medium=email&utm_campaign=spring%20walks",
			Referrer: "https://mail.example.net/"},
		{ID: "1d1fd1a9-1f0c-4b6e-8f6a-0f6e5f4a7b22", At: at(60 * time.Second), Kind: "page_view", Title: "Linden, Main Square – trees",
			URL: "https://www.example.org/trees/linden-17?tab=history#photos", Referrer: "https://www.example.org/trees"},
		{ID: "2c7a4f0e-9b3d-4e57-a1c8-5d2e9f8b6c33", At: at(5 * time.Second), Kind: "form_open",
			URL: "https://www.example.org/contact", Props: map[string]any{"form": "contact", "step": json.Number("1")}},
	}
	in := journey.Envelope{Session: "s-1", SentAt: ms(received), ReceivedAt: received, Source: journey.FromAppend}
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range drafts {
			if _, ok := d.Event(in); !ok {
				b.Fatal("unusable")
			}
		}
	}
}

// BenchmarkRedact looks at a title with an address and at one without.
func BenchmarkRedact(b *testing.B) {
	for name, text := range map[string]string{
		"without": "Linden, Main Square – trees & shrubs (50%)",
		"with":    "/thanks?next=%2Fx%3Femail%3Dana%2540example.org&plan=pro",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				journey.RedactEmails(text)
			}
		})
	}
}
