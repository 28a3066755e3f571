package features_test

import (
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/app"
	"continuity/features/world"
)

var _ = Describe("A visitor who asks not to be recognised", func() {
	// ask sends a body as a browser with such a header does.
	ask := func(way *world.HTTP, path, key, header, body string) *http.Response {
		GinkgoHelper()
		request, err := http.NewRequest(http.MethodPost, way.Public+path, strings.NewReader(body))
		Expect(err).NotTo(HaveOccurred())
		request.Header.Set("Origin", way.Public)
		request.Header.Set(header, "1")
		request.Header.Set("Cookie", "bwlai_vk="+key)
		response, content := way.Do(request)
		Expect(content).To(BeEmpty())
		return response
	}
	const visit = `{"session":"s","events":[{"id":"e2","url":"https://www.example.org/2"}]}`
	const form = `{"id":"f2","session":"s","identity":{"email":"ben@example.org"},"events":[{"id":"e3","url":"https://www.example.org/3"}]}`

	open := func(change func(*app.Config)) (way *world.HTTP, key string, journey func() []world.Step) {
		config := world.Config("SQLite")
		change(&config)
		way = world.Listen(world.Open(config, nil))
		known := world.Config("SQLite") // where appends are off no device is known
		known.DatabaseURL, known.DataDir, known.SecretsDir = config.DatabaseURL, config.DataDir, config.SecretsDir
		key = world.Listen(world.Open(known, nil)).Submit(nil, world.Form{ID: "f1", Email: "ana@example.org"}).Key
		Expect(key).NotTo(BeEmpty())
		return way, key, func() []world.Step {
			lead, ok := way.Find("ana@example.org")
			Expect(ok).To(BeTrue())
			return way.Journey(lead.ID)
		}
	}
	holdForgotten := func(way *world.HTTP, key, header string, journey func() []world.Step) {
		GinkgoHelper()
		answer := ask(way, "/v1/append", key, header, visit)
		Expect(answer.StatusCode).To(Equal(http.StatusOK))
		Expect(answer.Header.Get("Set-Cookie")).To(HavePrefix("bwlai_vk=; Max-Age=0"))
		Expect(journey()).To(BeEmpty())
		Expect(ask(way, "/v1/submissions", key, header, form).StatusCode).To(Equal(http.StatusNoContent))
		ben, ok := way.Find("ben@example.org")
		Expect(ok).To(BeTrue(), "a submission is never stopped")
		Expect([]any{ben.Anchors, way.Journey(ben.ID)}).To(Equal([]any{0, []world.Step(nil)}))
		Expect(way.Submissions(ben.ID)[0].Anchor).To(BeEmpty())
	}

	It("is forgotten at once where the site respects the signal, and may still submit", func() {
		way, key, journey := open(func(c *app.Config) { c.RespectGPC = true })
		holdForgotten(way, key, "Sec-GPC", journey)
	})

	It("is a visitor like any other where the site does not, which is the default", func() {
		way, key, journey := open(func(*app.Config) {})
		Expect(ask(way, "/v1/append", key, "Sec-GPC", visit).StatusCode).To(Equal(http.StatusNoContent))
		Expect(journey()).To(HaveLen(1))
	})

	It("is not heard by DNT, which is not read", func() {
		way, key, journey := open(func(c *app.Config) { c.RespectGPC = true })
		Expect(ask(way, "/v1/append", key, "DNT", visit).StatusCode).To(Equal(http.StatusNoContent))
		Expect(journey()).To(HaveLen(1))
	})

	It("is everybody where continuity is switched off whole, and submissions still arrive", func() {
		way, key, journey := open(func(c *app.Config) { c.Appends = false })
		holdForgotten(way, key, "X-Nothing", journey)
	})
})
