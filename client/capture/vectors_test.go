package capture_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/client/capture"
)

// The vectors are one file for three runners: this one, and the two builds in a
// browser. With UPDATE_VECTORS set, this one writes what it saw, for a person to
// read before it counts.
const vectorFile = "testdata/vectors.json"

type vectors struct {
	Vectors []vector `json:"vectors"`
}

type vector struct {
	Name   string          `json:"name"`
	Steps  []step          `json:"steps"`
	Expect json.RawMessage `json:"expect,omitempty"`
}

type step struct {
	Op         string          `json:"op"`
	URL        string          `json:"url,omitempty"`
	Title      *string         `json:"title,omitempty"`
	Referrer   string          `json:"referrer,omitempty"`
	NewSession bool            `json:"new_session,omitempty"`
	MS         int64           `json:"ms,omitempty"`
	Status     int             `json:"status,omitempty"`
	Token      string          `json:"token,omitempty"`
	Mark       *string         `json:"mark,omitempty"`
	Href       string          `json:"href,omitempty"`
	Host       string          `json:"host,omitempty"`
	Kind       string          `json:"kind,omitempty"`
	Repeat     int             `json:"repeat,omitempty"`
	Props      json.RawMessage `json:"props,omitempty"`
	Form       string          `json:"form,omitempty"`
	Controls   []control       `json:"controls,omitempty"`
	Value      any             `json:"value,omitempty"`
	Key        string          `json:"key,omitempty"`
	Promise    bool            `json:"promise,omitempty"`
	Function   bool            `json:"function,omitempty"`
	Silent     bool            `json:"silent,omitempty"`
	Session    string          `json:"session,omitempty"`
	Count      int             `json:"count,omitempty"`
}

type control struct {
	Name         string `json:"name"`
	Type         string `json:"type"`
	Value        string `json:"value"`
	Autocomplete string `json:"autocomplete,omitempty"`
	Mark         string `json:"mark,omitempty"`
	Checked      bool   `json:"checked,omitempty"`
	Disabled     bool   `json:"disabled,omitempty"`
}

// outcome is what a vector left: what was sent and what lies in the storage.
type outcome struct {
	Requests []request         `json:"requests"`
	Local    map[string]string `json:"local"`
	Tab      map[string]string `json:"tab"`
}

func readVectors() vectors {
	raw, err := os.ReadFile(vectorFile)
	Expect(err).NotTo(HaveOccurred())
	var all vectors
	Expect(json.Unmarshal(raw, &all)).To(Succeed())
	return all
}

var _ = Describe("the vectors, in Go", func() {
	It("come out as they stand", func() {
		all := readVectors()
		for i, v := range all.Vectors {
			seen := shortened(play(v))
			if os.Getenv("UPDATE_VECTORS") != "" {
				all.Vectors[i].Expect = seen
				continue
			}
			Expect(string(seen)).To(MatchJSON(v.Expect), v.Name)
		}
		if os.Getenv("UPDATE_VECTORS") != "" {
			raw, err := json.MarshalIndent(all, "", " ")
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(vectorFile, append(raw, '\n'), 0o600)).To(Succeed())
		}
	})
})

// shortened puts a hash where a value is too long to read.
func shortened(o outcome) json.RawMessage {
	short := func(s string) string {
		if len(s) <= 6000 {
			return s
		}
		sum := sha256.Sum256([]byte(s))
		return fmt.Sprintf("%d bytes, sha256 %s", len(s), hex.EncodeToString(sum[:]))
	}
	for i := range o.Requests {
		o.Requests[i].Body = short(o.Requests[i].Body)
	}
	if len(o.Local) > 20 {
		all, _ := json.Marshal(o.Local)
		o.Local = map[string]string{"": short(string(all))}
	}
	raw, err := json.Marshal(o)
	Expect(err).NotTo(HaveOccurred())
	return raw
}

func play(v vector) outcome {
	w := newWorld()
	for i, s := range v.Steps {
		Expect(s.Op != "answer" || len(w.open) > 0).To(BeTrue(), "%s: step %d has nothing to answer", v.Name, i)
		w.step(s)
	}
	return outcome{append([]request{}, w.requests...), w.local.values, w.tab.values}
}

func (w *world) step(s step) {
	switch s.Op {
	case "page":
		if s.NewSession {
			clear(w.tab.values)
		}
		w.visit(capture.Page{URL: s.URL, Title: *s.Title, Referrer: s.Referrer})
	case "wait":
		w.wait(s.MS)
	case "clock":
		w.now += s.MS
	case "answer":
		w.answer(s.Status, s.Token)
	case "hook", "allow", "decide":
		w.consent(s)
	case "refuse":
		w.local.refuse, w.tab.refuse = true, true
	case "full":
		w.local.full, w.tab.full = true, true
	case "clear":
		clear(w.local.values)
		clear(w.tab.values)
	case "put":
		w.local.values[s.Key] = s.Value.(string)
	case "other":
		w.otherTab(s)
	default:
		w.page.step(s)
	}
}

// consent sets the hook as the site would. A promise decides for all who asked,
// unless the site has put something else in its place.
func (w *world) consent(s step) {
	value, _ := s.Value.(bool)
	now := func(answer func(bool)) { answer(value) }
	switch {
	case s.Promise:
		w.hook = func(answer func(bool)) { w.promised = append(w.promised, answer) }
		w.pending = true
	case s.Op == "decide":
		if w.pending {
			w.hook = now
		}
		for _, answer := range w.promised {
			answer(value)
		}
	default:
		w.hook, w.pending = now, false
	}
	if s.Op == "allow" && !s.Silent {
		w.page.client.Ask()
	}
}

func (w *world) otherTab(s step) {
	for i := range s.Count {
		id := strings.Repeat("B", 20) + fmt.Sprint(i) + "A"
		w.local.values[fmt.Sprintf("continuity.%d%s", w.now*1000+500+int64(i), id)] =
			fmt.Sprintf(`{"id":%q,"at":%d,"session":%q,"kind":"page_view"}`, id, w.now, s.Session)
	}
}

func (p *page) step(s step) {
	if s.Title != nil {
		p.document.Title = *s.Title
	}
	switch s.Op {
	case "push", "replace", "pop":
		p.document.URL = s.URL
		p.client.View()
	case "hidden":
		p.client.Hidden()
	case "leave":
		p.client.Leave()
	case "restored":
		p.client.Restored()
	case "online":
		p.client.Online()
	case "click":
		p.click(s)
	case "mint":
		p.client.Mint(s.Host, func(string) {})
	case "track":
		p.track(s)
	case "submit":
		p.client.Submit(s.Form, controls(s.Controls))
	case "reset":
		p.client.Reset()
	default:
		Fail("no step is called " + s.Op)
	}
}

func (p *page) click(s step) {
	if s.Mark != nil {
		p.client.Click(*s.Mark)
	}
	to, err := url.Parse(s.Href)
	Expect(err).NotTo(HaveOccurred())
	from, err := url.Parse(p.document.URL)
	Expect(err).NotTo(HaveOccurred())
	if (to.Scheme == "http" || to.Scheme == "https") && to.Host != from.Host {
		p.client.Outbound(s.Href)
	}
}

func (p *page) track(s step) {
	if s.Repeat == 0 {
		p.client.Track(s.Kind, properties(s.Props))
	}
	for i := range s.Repeat {
		p.client.Track(fmt.Sprint(s.Kind, i), properties(s.Props))
	}
}

func controls(described []control) []capture.Control {
	var all []capture.Control
	for _, c := range described {
		box := c.Type == "checkbox" || c.Type == "radio"
		kind := strings.Replace(c.Type, "select", "select-one", 1)
		value := c.Value
		if c.Type == "email" {
			value = strings.TrimSpace(value) // as browsers sanitise this type
		}
		all = append(all, capture.Control{Name: c.Name, Type: kind, Autocomplete: c.Autocomplete, Mark: c.Mark,
			Value: value, Off: c.Disabled || box && !c.Checked})
	}
	return all
}
