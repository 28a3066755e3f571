package features_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

// shown is what somebody may see of an answer: not the values that are drawn anew for
// everybody.
type shown struct {
	Status int
	Header map[string][]string
	Length int
}

var drawn = regexp.MustCompile(`^(bwlai_vk|visitor_id)=[^;]+`)

func shows(response *http.Response) shown {
	GinkgoHelper()
	body, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	header := response.Header.Clone()
	header.Del("Date")
	for i, cookie := range header["Set-Cookie"] {
		header["Set-Cookie"][i] = drawn.ReplaceAllString(cookie, "$1=…")
	}
	return shown{Status: response.StatusCode, Header: header, Length: len(body)}
}

var _ = Describe("A visitor key", func() {
	for _, database := range []string{"SQLite", "Postgres"} {
		It("reads nothing of a year of named history on "+database, func() {
			clock := world.NewClock()
			config := world.Config(database)
			way := world.Listen(world.Open(config, clock))
			oak, tag := world.NewID(), strings.ToLower(world.NewID())
			way.Plant(oak)
			// Ana has been here for a year; then somebody else submitted on her device. The fresh key has done nothing yet.
			ana := way.Submit(nil, world.Form{ID: world.NewID(), Email: "ana" + tag + "@example.org", Name: "Ana"}).Key
			for range 12 {
				clock.Move(30 * 24 * time.Hour)
				b := world.Beacon{Session: world.NewID(), SentAt: clock.Now()}
				for range 20 {
					b.Events = append(b.Events, world.Event{ID: world.NewID(), Kind: "page_view", Title: "Page", At: clock.Now()})
				}
				Expect(way.Append([]string{ana}, b).Stored).To(BeTrue())
				way.Submit([]string{ana}, world.Form{Beacon: b, ID: world.NewID(), Email: "ana" + tag + "@example.org"})
			}
			ben := way.Submit([]string{ana}, world.Form{ID: world.NewID(), Email: "ben" + tag + "@example.org"})
			Expect(ben.Key).To(Equal(ana), "the device is shared by now")
			fresh := way.Submit(nil, world.Form{ID: world.NewID(), Email: "cleo" + tag + "@example.org"}).Key

			for _, one := range []struct{ method, path, body string }{
				{http.MethodPost, "/v1/append", `{"events":[{"id":"e"}]}`},
				{http.MethodPost, "/v1/append", `{}`},
				{http.MethodPost, "/v1/append", `{`},
				{http.MethodGet, "/v1/append", ""},
				{http.MethodOptions, "/v1/append", ""},
				{http.MethodPost, "/v1/submissions", `{"id":"x","identity":{"email":"dora` + tag + `@example.org"}}`},
				{http.MethodPost, "/v1/submissions", `{"id":"x","identity":{"email":"none"}}`},
				{http.MethodPost, "/v1/submissions", `{"id":"y","identity":{"email":"ana` + tag + `@example.org"}}`},
				{http.MethodPost, "/v1/handoffs", `{"destination":"` + world.Portal + `"}`},
				{http.MethodPost, "/v1/handoffs", `{"destination":"elsewhere.example.org"}`},
				{http.MethodPost, "/v1/handoffs/claim", `{"token":"t","claim":"c"}`},
				{http.MethodPost, "/v1/trees/" + oak + "/scans", `{}`},
				{http.MethodGet, "/t/" + oak, ""},
				{http.MethodHead, "/t/" + oak, ""},
				{http.MethodGet, "/t/none", ""},
				{http.MethodGet, "/capture.js", ""},
				{http.MethodGet, "/", ""},
				{http.MethodPost, "/v1/reset", ""},
				{http.MethodPost, "/v1/append", `{}`}, // the keys are dead by now
			} {
				answer := func(key string) shown {
					GinkgoHelper()
					return shows(ask(one.method, way.Public+one.path, header("Cookie", "bwlai_vk="+key), header("Origin", way.Public),
						func(r *http.Request) {
							if one.body != "" {
								r.Body, r.ContentLength = io.NopCloser(strings.NewReader(one.body)), int64(len(one.body))
							}
						}))
				}
				Expect(answer(ana)).To(Equal(answer(fresh)), "%s %s %s", one.method, one.path, one.body)
			}
		})
	}
})
