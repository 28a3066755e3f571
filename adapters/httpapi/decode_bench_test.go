package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const threeEvents = `{"sent_at":1777636800000,"session":"0f8fad5b-d9cb-469f-a165-70867728950e","events":[
{"id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","at":1777636700000,"session":"0f8fad5b-d9cb-469f-a165-70867728950e","kind":"page_view","url":"https://www.example.org/?utm_source=newsletter","title":"Welcome","referrer":"https://news.example.org/"},
{"id":"7c9e6679-7425-40de-944b-e07fc1f90ae8","at":1777636710000,"session":"0f8fad5b-d9cb-469f-a165-70867728950e","kind":"page_view","url":"https://www.example.org/trees","title":"Trees & more","referrer":"https://www.example.org/"},
{"id":"7c9e6679-7425-40de-944b-e07fc1f90ae9","at":1777636720000,"session":"0f8fad5b-d9cb-469f-a165-70867728950e","kind":"click","url":"https://www.example.org/trees","title":"Trees","referrer":"","props":{"button":"call","n":2}}]}`

func BenchmarkDecodeBeaconOfThreeEvents(b *testing.B) {
	r := httptest.NewRequest(http.MethodPost, "/v1/append", nil)
	w := httptest.NewRecorder()
	b.ReportAllocs()
	b.SetBytes(int64(len(threeEvents)))
	for b.Loop() {
		r.Body = readCloser{strings.NewReader(threeEvents)}
		body, err := decode(w, r, decodeBeacon)
		if err != nil || len(body.Events) != 3 {
			b.Fatal(err)
		}
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// FuzzDecodeSubmission looks for a body that panics, or is kept as what is no JSON.
func FuzzDecodeSubmission(f *testing.F) {
	f.Add(threeEvents)
	f.Add(`{"id":"f1","identity":{"email":"ana@example.org"},"fields":{"a":["\ud83d",1e9,null]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		w := new(walker)
		w.body.WriteString(text)
		w.start()
		s, err := decodeSubmission(w, true)
		if err != nil || s.Fields == "" {
			return
		}
		again := new(walker)
		again.body.WriteString(s.Fields)
		again.start()
		if err := again.document(func(string) error { return again.skip() }); err != nil {
			t.Fatalf("kept fields that are no JSON: %v", err)
		}
	})
}
