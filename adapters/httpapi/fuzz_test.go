package httpapi

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onsi/gomega"
)

// corpus gives the files of a folder of real inputs as seeds, where there is one.
func corpus(f *testing.F, pattern string) {
	f.Helper()
	folder := os.Getenv("CORPUS")
	if folder == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) <= mostBody {
			f.Add(string(text))
		}
	}
}

// FuzzBody holds that no body breaks anything, and none is answered by a cookie and an error.
func FuzzBody(f *testing.F) {
	corpus(f, "json/test_parsing/*.json")
	f.Add(`{"session":"s","sent_at":1,"events":[{"id":"e","at":"2026-01-01T00:00:00Z","props":{"a":[1]}}]}`)
	f.Add(`{"id":"s","identity":{"email":"ana@example.org"},"fields":{"a":"\ud83d"}}`)
	f.Add(`{"token":"t","claim":"c","destination":"portal.example.net"}`)
	f.Fuzz(func(t *testing.T, body string) {
		gomega.RegisterTestingT(t)
		s := newSite()
		for _, path := range []string{"/v1/append", "/v1/submissions", "/v1/handoffs"} {
			r := httptest.NewRequest(http.MethodPost, "https://www.example.org"+path, strings.NewReader(body))
			r.Header.Set("Sec-Fetch-Site", "same-origin")
			r.Header.Set("Cookie", "bwlai_vk="+keyOfAna)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			if w.Code >= 400 && w.Header().Get("Set-Cookie") != "" {
				t.Fatalf("%s: an error sets a cookie", path)
			}
		}
	})
}

// FuzzCookie holds that what is found in a Cookie header is well-formed and was there.
func FuzzCookie(f *testing.F) {
	f.Add("a=b; bwlai_vk=" + keyOfAna + `; bwlai_vk="` + keyOfBen + `"`)
	f.Add("bwlai_vk")
	f.Fuzz(func(t *testing.T, header string) {
		r := &http.Request{Header: http.Header{"Cookie": {header}}}
		keys, sent := Cookie{Name: "bwlai_vk"}.sentKeys(r)
		if len(keys) > sent {
			t.Fatal("more keys than cookies")
		}
		for _, key := range keys {
			if !strings.Contains(header, key.String()) {
				t.Fatal("a key that was not sent")
			}
		}
	})
}

// FuzzForwarded holds that the client is an address whatever a header says, and that
// a peer nobody trusts is the client.
func FuzzForwarded(f *testing.F) {
	for _, header := range []string{"1.1.1.1, 203.0.113.7:80", "[2001:db8::1%eth0]:1", `for="[::1]";by=x`, ",,", "203.0.113.007"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		for _, name := range []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip"} {
			proxies, err := ParseProxies([]string{"10.0.0.5"}, name)
			if err != nil {
				t.Fatal(err)
			}
			r := &http.Request{Header: http.Header{name: {header}}, RemoteAddr: "10.0.0.5:1"}
			if ip, err := netip.ParseAddr(proxies.Client(r)); err != nil || ip.Zone() != "" || ip.Is4In6() {
				t.Fatalf("%q is no client", proxies.Client(r))
			}
			r.RemoteAddr = "198.51.100.1:1"
			if proxies.Client(r) != "198.51.100.1" {
				t.Fatal("believed")
			}
		}
	})
}
