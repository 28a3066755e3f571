package world

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/gomega"
)

// HTTP is the way over the network, as browsers and owners go it.
type HTTP struct {
	Public, Admin string            // URLs without a final slash
	Token         string            // with every scope that is of no destination
	Destinations  map[string]string // tokens of the scope handoffs, by their destinations
	CookieName    string
	client        http.Client
}

// NewHTTP goes to a service at these URLs.
func NewHTTP(public, admin, token string) *HTTP {
	return &HTTP{Public: public, Admin: admin, Token: token, CookieName: "bwlai_vk", client: http.Client{Timeout: 30 * time.Second, Transport: Contract}}
}

// Post sends a body as the client does and gives the answer, whose body is read.
func (h *HTTP) Post(path string, keys []string, body any) (*http.Response, []byte) {
	return h.PostFrom(h.Public, path, keys, body)
}

// PostFrom is Post by a page of another origin.
func (h *HTTP) PostFrom(origin, path string, keys []string, body any) (*http.Response, []byte) {
	raw, err := json.Marshal(body)
	Expect(err).NotTo(HaveOccurred())
	request, err := http.NewRequest(http.MethodPost, h.Public+path, bytes.NewReader(raw))
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Content-Type", "text/plain;charset=UTF-8")
	request.Header.Set("Origin", origin)
	var cookies []string
	for _, key := range keys {
		cookies = append(cookies, h.CookieName+"="+key)
	}
	if len(cookies) > 0 {
		request.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	return h.Do(request)
}

// Do sends any request.
func (h *HTTP) Do(request *http.Request) (*http.Response, []byte) {
	response, err := h.client.Do(request)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	return response, body
}

// Ask sends a private request and reads its answer into into.
func (h *HTTP) Ask(method, path string, body, into any) int {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		Expect(err).NotTo(HaveOccurred())
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequest(method, h.Admin+path, reader)
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Authorization", "Bearer "+h.Token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, raw := h.Do(request)
	if into != nil && len(raw) > 0 {
		Expect(json.Unmarshal(raw, into)).To(Succeed(), string(raw))
	}
	return response.StatusCode
}

func (h *HTTP) reply(response *http.Response, body []byte) Reply {
	r := Reply{Stored: response.StatusCode == http.StatusNoContent}
	for _, cookie := range response.Cookies() {
		if cookie.Name != h.CookieName || cookie.Path != "/" {
			continue
		}
		r.Key, r.Expired = cookie.Value, cookie.MaxAge < 0
	}
	r.Refused = refusal(response.StatusCode, body)
	return r
}

func refusal(status int, body []byte) string {
	if status < http.StatusBadRequest {
		return ""
	}
	var told struct {
		Error struct{ Code, Message string }
	}
	Expect(json.Unmarshal(body, &told)).To(Succeed(), string(body))
	Expect(told.Error.Message).NotTo(BeEmpty())
	return told.Error.Code
}

type wireEvent struct {
	ID       string         `json:"id"`
	At       int64          `json:"at,omitempty"`
	Session  string         `json:"session,omitempty"`
	Kind     string         `json:"kind,omitempty"`
	URL      string         `json:"url,omitempty"`
	Title    string         `json:"title,omitempty"`
	Referrer string         `json:"referrer,omitempty"`
	Props    map[string]any `json:"props,omitempty"`
}

func wire(b Beacon) map[string]any {
	body := map[string]any{}
	if b.Session != "" {
		body["session"] = b.Session
	}
	if !b.SentAt.IsZero() {
		body["sent_at"] = b.SentAt.UnixMilli()
	}
	events := make([]wireEvent, len(b.Events))
	for i, e := range b.Events {
		events[i] = wireEvent{ID: e.ID, Session: e.Session, Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer, Props: e.Props}
		if !e.At.IsZero() {
			events[i].At = e.At.UnixMilli()
		}
	}
	body["events"] = events
	return body
}

func wireForm(f Form) map[string]any {
	body := wire(f.Beacon)
	body["id"], body["form"] = f.ID, f.Form
	body["identity"] = map[string]any{"email": f.Email, "name": f.Name, "phone": f.Phone}
	if f.Fields != nil {
		body["fields"] = f.Fields
	}
	return body
}

func (h *HTTP) Append(keys []string, b Beacon) Reply {
	return h.reply(h.Post("/v1/append", keys, wire(b)))
}

func (h *HTTP) Submit(keys []string, f Form) Reply {
	return h.reply(h.Post("/v1/submissions", keys, wireForm(f)))
}

func (h *HTTP) Reset(keys []string) Reply { return h.reply(h.Post("/v1/reset", keys, nil)) }

func (h *HTTP) Backend(key string, f Form) Reply {
	body := wireForm(f)
	if key != "" {
		body["visitor_key"] = key
	}
	var answer json.RawMessage
	status := h.Ask(http.MethodPost, "/v1/submissions", body, &answer)
	return Reply{Stored: status == http.StatusNoContent, Refused: refusal(status, answer)}
}

type wireLead struct {
	ID          string    `json:"id"`
	Email       string    `json:"email"`
	Name        string    `json:"name"`
	Phone       string    `json:"phone"`
	Status      string    `json:"lead_status"`
	FirstSeen   time.Time `json:"first_seen"`
	LastSeen    time.Time `json:"last_seen"`
	Anchors     int       `json:"anchors"`
	Submissions int       `json:"submissions"`
}

func (h *HTTP) Find(email string) (Lead, bool) {
	var body struct{ Lead wireLead }
	status := h.Ask(http.MethodPost, "/v1/leads/find", map[string]string{"email": email}, &body)
	if status == http.StatusNotFound {
		return Lead{}, false
	}
	Expect(status).To(Equal(http.StatusOK))
	return Lead(body.Lead), true
}

func (h *HTTP) Journey(lead string) (entries []Step) {
	after := ""
	for {
		var body struct {
			Events []struct {
				Anchor     string    `json:"anchor_id"`
				ID         string    `json:"event_id"`
				OccurredAt time.Time `json:"occurred_at"`
				ReceivedAt time.Time `json:"received_at"`
				Clamped    bool      `json:"clamped"`
				Source     string    `json:"source"`
				Kind       string    `json:"kind"`
				URL        string    `json:"url"`
				Title      string    `json:"title"`
				Referrer   string    `json:"referrer"`
				Ownership  string    `json:"ownership"`
				Submission string    `json:"submission_id"`
			} `json:"events"`
			Next string `json:"next"`
		}
		status := h.Ask(http.MethodGet, "/v1/leads/"+lead+"/journey?cursor="+url.QueryEscape(after), nil, &body)
		Expect(status).To(Equal(http.StatusOK))
		for _, e := range body.Events {
			entries = append(entries, Step{
				Event:  Event{ID: e.ID, Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer},
				Anchor: e.Anchor, Ownership: e.Ownership, Submission: e.Submission, Source: e.Source,
				OccurredAt: e.OccurredAt, ReceivedAt: e.ReceivedAt, Clamped: e.Clamped,
			})
		}
		if after = body.Next; after == "" {
			return entries
		}
	}
}

func (h *HTTP) Submissions(lead string) (all []Submission) {
	var body struct {
		Submissions []struct {
			ID         string    `json:"id"`
			Anchor     string    `json:"anchor_id"`
			Form       string    `json:"form"`
			Provenance string    `json:"provenance"`
			At         time.Time `json:"at"`
		} `json:"submissions"`
	}
	Expect(h.Ask(http.MethodGet, "/v1/leads/"+lead+"/submissions", nil, &body)).To(Equal(http.StatusOK))
	for _, s := range body.Submissions {
		all = append(all, Submission(s))
	}
	return all
}

func (h *HTTP) Candidates(anchor string) (all []Candidate) {
	after := ""
	for {
		var body struct {
			Candidates []struct {
				ID         string    `json:"id"`
				Anchor     string    `json:"anchor_id"`
				Submission string    `json:"submission_id"`
				State      string    `json:"state"`
				Leads      [2]string `json:"lead_ids"`
			} `json:"candidates"`
			Next string `json:"next"`
		}
		Expect(h.Ask(http.MethodGet, "/v1/candidates?cursor="+url.QueryEscape(after), nil, &body)).To(Equal(http.StatusOK))
		for _, c := range body.Candidates {
			if c.Anchor == anchor {
				all = append(all, Candidate(c))
			}
		}
		if after = body.Next; after == "" {
			return all
		}
	}
}

func (h *HTTP) Anchor(id string) Anchor {
	var body struct {
		Anchor struct {
			ID         string `json:"id"`
			Lead       string `json:"lead_id"`
			Provenance string `json:"link_provenance"`
			Status     string `json:"status"`
			Shared     bool   `json:"shared_flag"`
		} `json:"anchor"`
	}
	Expect(h.Ask(http.MethodGet, "/v1/anchors/"+id, nil, &body)).To(Equal(http.StatusOK))
	return Anchor(body.Anchor)
}

func (h *HTTP) Resolve(anchor, lead string) Reply {
	body := map[string]any{"keep_shared": true}
	if lead != "" {
		body = map[string]any{"lead_id": lead}
	}
	var answer json.RawMessage
	status := h.Ask(http.MethodPost, "/v1/anchors/"+anchor+"/resolve", body, &answer)
	return Reply{Stored: status == http.StatusOK, Refused: refusal(status, answer)}
}
