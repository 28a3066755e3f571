package features_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/features/world"
)

var _ = Describe("The owners' trees", func() {
	var way *world.HTTP
	BeforeEach(func() { way = world.Listen(world.Open(world.Config("SQLite"), nil)) })

	tell := func(method, path, body string) (int, string) {
		GinkgoHelper()
		var told json.RawMessage
		status := way.Ask(method, path, json.RawMessage(body), &told)
		return status, string(told)
	}

	It("are shown as they were told", func() {
		status, told := tell(http.MethodPost, "/v1/trees", `{"id":"oak_1-A","name":" Дуб ","species":"Quercus robur","lat":48.1,"lon":17,"target_url":null}`)
		Expect(status).To(Equal(http.StatusCreated))
		want := `{"id":"oak_1-A","name":"Дуб","species":"Quercus robur","lat":48.1,"lon":17,"target_url":null}`
		Expect(told).To(MatchJSON(`{"tree":` + want + `}`))
		var got json.RawMessage
		Expect(way.Ask(http.MethodGet, "/v1/trees/oak_1-A", nil, &got)).To(Equal(http.StatusOK))
		Expect(string(got)).To(MatchJSON(`{"tree":` + want + `}`))
		Expect(way.Ask(http.MethodGet, "/v1/trees", nil, &got)).To(Equal(http.StatusOK))
		Expect(string(got)).To(MatchJSON(`{"trees":[` + want + `]}`))
		status, told = tell(http.MethodPatch, "/v1/trees/oak_1-A", `{"lat":-12.5}`)
		Expect(status).To(Equal(http.StatusOK))
		Expect(told).To(ContainSubstring(`"lat":-12.5,"lon":17`))
		status, told = tell(http.MethodPatch, "/v1/trees/oak_1-A", `{"lat":null,"lon":null,"name":null}`)
		Expect(status).To(Equal(http.StatusOK))
		Expect(told).To(MatchJSON(`{"tree":{"id":"oak_1-A","name":"","species":"Quercus robur","lat":null,"lon":null,"target_url":null}}`))
	})

	It("get an id if they are given none", func() {
		status, told := tell(http.MethodPost, "/v1/trees", `{"name":"Elm"}`)
		Expect(status).To(Equal(http.StatusCreated))
		Expect(told).To(MatchRegexp(`"id":"[a-z2-9]{6}"`))
	})

	DescribeTable("are refused with the field that is wrong, and nothing is changed",
		func(body, field string, want int) {
			Expect(way.Ask(http.MethodPost, "/v1/trees", map[string]any{"id": "taken", "name": "as it was"}, nil)).To(Equal(http.StatusCreated))
			status, told := tell(http.MethodPost, "/v1/trees", body)
			Expect(status).To(Equal(want), told)
			Expect(told).To(ContainSubstring(field + ": "))
			if strings.Contains(body, `"id"`) && want != http.StatusConflict {
				return
			}
			status, _ = tell(http.MethodPatch, "/v1/trees/taken", body)
			Expect(status).To(BeElementOf(http.StatusBadRequest, http.StatusOK))
			var listed struct{ Trees []map[string]any }
			Expect(way.Ask(http.MethodGet, "/v1/trees", nil, &listed)).To(Equal(http.StatusOK))
			Expect(listed.Trees).To(HaveLen(1))
		},
		Entry("a second of one id", `{"id":"taken"}`, "id", 409),
		Entry("an id with a space", `{"id":"a b"}`, "id", 400), Entry("an id in another script", `{"id":"дуб"}`, "id", 400),
		Entry("a word of ours", `{"id":"metrics"}`, "id", 400), Entry("a number for an id", `{"id":7}`, "id", 400),
		Entry("too long an id", fmt.Sprintf(`{"id":"%065d"}`, 0), "id", 400),
		Entry("a name of two lines", `{"name":"a\nb"}`, "name", 400), Entry("too long a name", `{"name":"`+strings.Repeat("é", 151)+`"}`, "name", 400),
		Entry("a list for a name", `{"name":["a"]}`, "name", 400),
		Entry("beyond the pole", `{"lat":90.1,"lon":0}`, "lat", 400), Entry("around the world", `{"lat":0,"lon":181}`, "lon", 400),
		Entry("half a place", `{"lat":1}`, "lon", 400), Entry("a text for a place", `{"lat":"48.1","lon":17}`, "lat", 400),
		Entry("out of all bounds", `{"lat":1e400,"lon":1}`, "lat", 400),
	)

	It("need a token for them", func() {
		way.Token = "ctk_nobody"
		Expect(way.Ask(http.MethodGet, "/v1/trees", nil, nil)).To(Equal(http.StatusUnauthorized))
		Expect(way.Ask(http.MethodGet, "/v1/trees/metrics", nil, nil)).To(Equal(http.StatusUnauthorized))
		Expect(way.Ask(http.MethodGet, "/v1/trees/oak/qr.svg", nil, nil)).To(Equal(http.StatusUnauthorized))
	})
})
