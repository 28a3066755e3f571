package features_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/cmd/app"
	"continuity/features/world"
)

// shape is what a request looks like besides its address.
type shape func(*http.Request)

func header(name, value string) shape {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// shaped is a request as a phone would send it.
func shaped(method, address string, shapes ...shape) *http.Request {
	GinkgoHelper()
	request, err := http.NewRequest(method, address, nil)
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("User-Agent", world.IPhone)
	for _, change := range shapes {
		change(request)
	}
	return request
}

// ask sends such a request, and follows nowhere.
func ask(method, address string, shapes ...shape) *http.Response {
	GinkgoHelper()
	response, err := world.Contract.RoundTrip(shaped(method, address, shapes...))
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(response.Body.Close)
	return response
}

func visitorOf(response *http.Response) *http.Cookie {
	for _, cookie := range response.Cookies() {
		if cookie.Name == "visitor_id" && cookie.Path == "/" {
			return cookie
		}
	}
	return nil
}

var _ = Describe("The page of a tree", func() {
	for _, database := range []string{"SQLite", "Postgres"} {
		Context("on "+database, func() {
			var (
				way    *world.HTTP
				clock  *world.Clock
				config app.Config
				oak    string
			)
			BeforeEach(func() {
				clock = world.NewClock()
				config = world.Config(database)
				oak = world.NewID()
			})
			JustBeforeEach(func() {
				way = world.Listen(world.Open(config, clock))
				way.Plant(oak)
			})
			page := func() string { return way.Public + "/t/" + oak }
			rows := func() int {
				GinkgoHelper()
				return way.Count(oak, nil).AllRows
			}
			patch := func(body any) (int, map[string]any) {
				GinkgoHelper()
				var told map[string]any
				return way.Ask(http.MethodPatch, "/v1/trees/"+oak, body, &told), told
			}

			It("sets the cookie as browsers keep it longest, and is never cached", func() {
				first, second := ask(http.MethodGet, page()), ask(http.MethodGet, page())
				for _, response := range []*http.Response{first, second} {
					Expect(response.StatusCode).To(Equal(http.StatusOK))
					Expect(response.Header["Set-Cookie"]).To(HaveLen(1))
					Expect(response.Header.Get("Set-Cookie")).To(MatchRegexp(
						`^visitor_id=[0-9a-f-]{36}; Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Lax$`))
					Expect(response.Header.Get("Cache-Control")).To(Equal("private, no-store"))
					Expect(response.Header).NotTo(HaveKey("Age"))
				}
				Expect(visitorOf(first).Value).NotTo(Equal(visitorOf(second).Value))
			})

			It("fits into one small answer that needs nothing else", func() {
				response, body := way.Do(shaped(http.MethodGet, page()))
				Expect(len(body)).To(BeNumerically("<", 14<<10))
				Expect(response.Header.Get("Content-Security-Policy")).To(HavePrefix("default-src 'none'"))
				Expect(string(body)).NotTo(MatchRegexp(`<script|src=|@import|url\(|rel="stylesheet"`))
				Expect(string(body)).To(And(ContainSubstring(`<html lang="en">`), ContainSubstring("<main>"), ContainSubstring("Tree "+oak)))
			})

			DescribeTable("speaks the visitor's language",
				func(accept, lang, greeting string) {
					response, body := way.Do(shaped(http.MethodGet, page(), header("Accept-Language", accept)))
					Expect(response.Header.Get("Content-Language")).To(Equal(lang))
					Expect(string(body)).To(And(ContainSubstring(`<html lang="`+lang+`">`), ContainSubstring(greeting)))
				},
				Entry("Slovak", "sk-SK,sk;q=0.9,en;q=0.5", "sk", "prvá návšteva"),
				Entry("German, from Austria", "de-AT", "de", "erster Besuch"),
				Entry("Polish after one that is not there", "ja, pl;q=0.8", "pl", "pierwsza wizyta"),
				Entry("Spanish, from Mexico", "es-MX,es;q=0.9", "es", "primera visita"),
				Entry("English for none that is there", "zh-Hans", "en", "first visit"),
				Entry("English for nonsense", ";;;q=x,\u00ff", "en", "first visit"),
				Entry("English for too much", strings.Repeat("sk,", 300), "en", "first visit"),
			)

			It("writes names in any script, and never as markup", func() {
				status, _ := patch(map[string]any{"name": `Липа <script>alert(1)</script> "老" شجرة`, "species": "Tilia & co", "lat": 48.148598, "lon": -17.1})
				Expect(status).To(Equal(http.StatusOK))
				_, body := way.Do(shaped(http.MethodGet, page()))
				Expect(string(body)).To(And(
					ContainSubstring("Липа &lt;script&gt;"), ContainSubstring("شجرة"), ContainSubstring("Tilia &amp; co"),
					ContainSubstring("48.148598, -17.1"), ContainSubstring(`href="geo:48.148598,-17.1"`),
				))
			})

			It("answers HEAD like GET, without body, cookie and row", func() {
				for range 3 {
					response, body := way.Do(shaped(http.MethodHead, page()))
					Expect(response.StatusCode).To(Equal(http.StatusOK))
					Expect(response.Header.Get("Content-Type")).To(Equal("text/html; charset=utf-8"))
					Expect(body).To(BeEmpty())
					Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
				}
				Expect(ask(http.MethodHead, page(), header("User-Agent", "")).StatusCode).To(Equal(http.StatusOK))
				Expect(ask(http.MethodHead, way.Public+"/t/"+world.NewID()).StatusCode).To(Equal(http.StatusNotFound))
				Expect(rows()).To(BeZero())
				ask(http.MethodGet, page())
				Expect(rows()).To(Equal(1))
			})

			DescribeTable("is not given to a browser that looks ahead",
				func(name, value string) {
					response, body := way.Do(shaped(http.MethodGet, page(), header(name, value)))
					Expect(response.StatusCode).To(Equal(http.StatusServiceUnavailable))
					Expect(response.Header.Get("Cache-Control")).To(ContainSubstring("no-store"))
					Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
					Expect(body).To(BeEmpty())
					Expect(way.Count(oak, nil).Excluded).To(HaveKeyWithValue("prefetch", 1))
				},
				Entry("Chromium", "Sec-Purpose", "prefetch"),
				Entry("Chromium, to show it at once", "Sec-Purpose", "prefetch;prerender"),
				Entry("older Chromium", "Purpose", "prefetch"),
				Entry("Firefox", "X-Moz", "prefetch"),
			)

			DescribeTable("of a code that no tree has is a helpful 404",
				func(code string) {
					response, body := way.Do(shaped(http.MethodGet, way.Public+"/t/"+code, header("Cookie", "visitor_id=00000000-0000-4000-8000-000000000000")))
					Expect(response.StatusCode).To(Equal(http.StatusNotFound))
					Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
					Expect(response.Header.Get("Cache-Control")).To(Equal("private, no-store"))
					Expect(string(body)).To(ContainSubstring("We do not know this tree"))
				},
				Entry("an unknown one", "none-such"),
				Entry("a broken byte", "%C0"),
				Entry("half a character", "abc%EF%BF"),
				Entry("an invisible character", "abc%E2%80%8B"),
				Entry("NUL", "%00"), Entry("a line break", "a%0Ab"), Entry("a slash", "a%2Fb"), Entry("nothing", ""),
				Entry("sixty-five characters", strings.Repeat("a", 65)), Entry("the word of ours", "metrics"),
			)

			It("may lead elsewhere, and counts before it does", func() {
				status, _ := patch(map[string]any{"target_url": "https://www.example.org/oak?from=sign"})
				Expect(status).To(Equal(http.StatusOK))
				response := ask(http.MethodGet, page())
				Expect(response.StatusCode).To(Equal(http.StatusFound))
				Expect(response.Header.Get("Location")).To(Equal("https://www.example.org/oak?from=sign"))
				Expect(response.Header.Get("Cache-Control")).To(Equal("private, no-store"))
				Expect(visitorOf(response)).NotTo(BeNil())
				Expect(ask(http.MethodHead, page()).StatusCode).To(Equal(http.StatusFound))
				Expect(rows()).To(Equal(1))
				status, told := patch(map[string]any{"target_url": nil})
				Expect(status).To(Equal(http.StatusOK))
				Expect(told["tree"]).To(HaveKeyWithValue("target_url", BeNil()))
				Expect(ask(http.MethodGet, page()).StatusCode).To(Equal(http.StatusOK))
			})

			It("leads only to the web", func() {
				for _, target := range []string{
					"javascript:alert(1)", "data:text/html,x", " JaVaScRiPt:alert(1)", "//evil.example", "https:example.org",
					"file:///etc/passwd", "/relative", "ftp://example.org", "https://", "https://user:pass@example.org/",
					`https:\\evil.example`, "https://example.org/\n", "http://exa mple.org", "https://ex\u200bample.org", strings.Repeat("a", 3000),
				} {
					status, told := patch(map[string]any{"target_url": target})
					Expect(status).To(Equal(http.StatusBadRequest), target)
					Expect(told["error"]).To(HaveKeyWithValue("message", ContainSubstring("target_url")))
					status = way.Ask(http.MethodPost, "/v1/trees", map[string]any{"id": world.NewID(), "target_url": target}, nil)
					Expect(status).To(Equal(http.StatusBadRequest), target)
				}
				Expect(ask(http.MethodGet, page()).StatusCode).To(Equal(http.StatusOK))
			})

			It("tells sites that show their own page what the visitor is", func() {
				report := func(body string, shapes ...shape) (*http.Response, string) {
					GinkgoHelper()
					request, err := http.NewRequest(http.MethodPost, way.Public+"/v1/trees/"+oak+"/scans", strings.NewReader(body))
					Expect(err).NotTo(HaveOccurred())
					for _, change := range append([]shape{header("User-Agent", world.Android), header("Origin", way.Public)}, shapes...) {
						change(request)
					}
					response, told := way.Do(request)
					return response, string(told)
				}
				response, told := report("")
				Expect(told).To(MatchJSON(`{"status_for_this_tree":"new visitor"}`))
				cookie := visitorOf(response)
				Expect(cookie.HttpOnly).To(BeTrue())
				_, told = report(`{"webdriver":false}`, header("Cookie", "visitor_id="+cookie.Value))
				Expect(told).To(MatchJSON(`{"status_for_this_tree":"returning visitor"}`))
				response, _ = report(`{"webdriver":true}`)
				Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
				response, told = report(`{"webdriver":"yes"}`)
				Expect(response.StatusCode).To(Equal(http.StatusBadRequest))
				Expect(told).To(ContainSubstring("webdriver"))
				response, _ = report("", header("Origin", "https://evil.example"))
				Expect(response.StatusCode).To(Equal(http.StatusForbidden))
				c := way.Count(oak, nil)
				Expect([]int{c.Total, c.Unique, c.Excluded["bot"]}).To(Equal([]int{2, 1, 1}))
			})

			Context("where GPC is respected", func() {
				BeforeEach(func() { config.RespectGPC = true })

				It("counts who asks not to be recognised as somebody new, and sets no cookie", func() {
					known := visitorOf(ask(http.MethodGet, page())).Value
					for range 2 {
						response := ask(http.MethodGet, page(), header("Sec-GPC", "1"), header("Cookie", "visitor_id="+known))
						Expect(response.StatusCode).To(Equal(http.StatusOK))
						Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
					}
					c := way.Count(oak, nil)
					Expect([]int{c.Total, c.Unique, c.Repeated}).To(Equal([]int{3, 3, 0}))
				})
			})

			Context("where appends are off", func() {
				BeforeEach(func() { config.Appends = false })

				It("counts all the same", func() {
					ask(http.MethodGet, page(), header("Cookie", "bwlai_vk="+world.NewID()))
					Expect(way.Count(oak, nil).Total).To(Equal(1))
				})
			})

			It("is counted whoever fetches the picture of its code", func() {
				for _, picture := range []string{"qr.svg", "qr.png"} {
					request, err := http.NewRequest(http.MethodGet, way.Admin+"/v1/trees/"+oak+"/"+picture+"?base=https://www.example.org", nil)
					Expect(err).NotTo(HaveOccurred())
					request.Header.Set("Authorization", "Bearer "+way.Token)
					response, _ := way.Do(request)
					Expect(response.StatusCode).To(Equal(http.StatusOK))
					Expect(response.Header.Get("Cache-Control")).To(ContainSubstring("max-age"))
					Expect(response.Header).NotTo(HaveKey("Set-Cookie"))
					request.Header.Set("If-None-Match", response.Header.Get("ETag"))
					response, _ = way.Do(request)
					Expect(response.StatusCode).To(Equal(http.StatusNotModified))
					var told map[string]any
					Expect(way.Ask(http.MethodGet, "/v1/trees/"+oak+"/"+picture, nil, &told)).To(Equal(http.StatusUnprocessableEntity))
					Expect(told["error"]).To(HaveKeyWithValue("message", ContainSubstring("base")))
				}
				ask(http.MethodGet, page())
				Expect(rows()).To(Equal(1))
			})

			It("is counted by the days of the zone that is asked for", func() {
				now := time.Now()
				shift := time.Date(2027, 10, 31, 0, 0, 0, 0, time.FixedZone("", 2*60*60)).Sub(now)
				clock.Move(shift)
				at := now.Add(shift)
				for _, moment := range []string{ // the night in which summer time ends
					"2027-10-31T00:30:00+02:00", "2027-10-31T01:30:00+02:00", "2027-10-31T02:30:00+02:00",
					"2027-10-31T02:30:00+01:00", "2027-10-31T23:30:00+01:00",
				} {
					then, err := time.Parse(time.RFC3339, moment)
					Expect(err).NotTo(HaveOccurred())
					clock.Move(then.Sub(at))
					at = then
					ask(http.MethodGet, page())
				}
				c := way.Count(oak, url.Values{"tz": {"Europe/Bratislava"}, "from": {"2027-10-30"}, "to": {"2027-11-01"}})
				Expect(c.Days).To(HaveLen(3))
				for i, day := range []string{"2027-10-30", "2027-10-31", "2027-11-01"} {
					Expect(c.Days[i].Day).To(Equal(day))
					Expect(c.Days[i].Total).To(Equal([]int{0, 5, 0}[i]))
				}
				Expect(way.Count(oak, url.Values{"from": {"2027-10-30"}, "to": {"2027-10-30"}}).Total).To(Equal(2), "in UTC two were the evening before")
			})

			DescribeTable("has numbers for questions that make sense only",
				func(name, value string) {
					for _, path := range []string{"/v1/trees/" + oak + "/metrics", "/v1/trees/metrics"} {
						var told struct {
							Error struct{ Code, Message string }
						}
						Expect(way.Ask(http.MethodGet, path+"?"+url.Values{name: {value}}.Encode(), nil, &told)).To(Equal(http.StatusBadRequest))
						Expect(told.Error.Message).To(HavePrefix(name + ": "))
						Expect(told.Error.Message).NotTo(ContainSubstring(value))
					}
				},
				Entry("no zone", "tz", "Mars/Olympus"), Entry("the server's own zone", "tz", "Local"), Entry("a way out", "tz", "../../etc/passwd"),
				Entry("no date", "from", "yesterday"), Entry("no day of the calendar", "to", "2026-02-30"), Entry("no zone in a time", "from", "2026-02-03T10:00:00"),
				Entry("too long ago", "from", "1902-01-01"),
				Entry("no duration", "fold", "ten"), Entry("a negative one", "fold", "-1s"), Entry("a day", "fold", "24h"),
				Entry("no format", "format", "xml"),
			)

			It("has its numbers as a table too", func() {
				ask(http.MethodGet, page())
				ask(http.MethodGet, page(), header("User-Agent", "curl/8.5"))
				for _, path := range []string{"/v1/trees/" + oak + "/metrics", "/v1/trees/metrics"} {
					for _, asked := range []shape{header("Accept", "text/csv"), func(r *http.Request) { r.URL.RawQuery = "format=csv" }} {
						request, err := http.NewRequest(http.MethodGet, way.Admin+path, nil)
						Expect(err).NotTo(HaveOccurred())
						request.Header.Set("Authorization", "Bearer "+way.Token)
						asked(request)
						response, body := way.Do(request)
						Expect(response.Header.Get("Content-Type")).To(Equal("text/csv; charset=utf-8"))
						lines, err := csv.NewReader(strings.NewReader(string(body))).ReadAll()
						Expect(err).NotTo(HaveOccurred())
						Expect(lines[0]).To(Equal([]string{
							"tree", "day", "total_scans", "unique_visitors", "repeated_scans", "new_visitors", "returning_visitors", "all_rows",
							"excluded_bot", "excluded_prefetch", "excluded_flood",
						}))
						Expect(lines[1]).To(Equal([]string{oak, "total", "1", "1", "0", "1", "0", "2", "1", "0", "0"}))
						Expect(lines[2][1]).To(Equal(clock.Now().Format(time.DateOnly)))
					}
				}
			})

			It("is one of many, whose numbers are read page by page", func() {
				want := []string{oak}
				for range 4 {
					id := world.NewID()
					way.Plant(id)
					want = append(want, id)
				}
				ask(http.MethodGet, page())
				var seen []string
				after, total := "", 0
				for {
					var part struct {
						Trees []struct {
							Tree  string `json:"tree"`
							Total int    `json:"total_scans"`
						} `json:"trees"`
						Next string `json:"next"`
					}
					Expect(way.Ask(http.MethodGet, "/v1/trees/metrics?limit=2&cursor="+url.QueryEscape(after), nil, &part)).To(Equal(http.StatusOK))
					for _, one := range part.Trees {
						seen = append(seen, one.Tree)
						total += one.Total
					}
					if after = part.Next; after == "" {
						break
					}
				}
				Expect(seen).To(ConsistOf(want))
				Expect(total).To(Equal(1))
			})
		})
	}
})
