package world

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

// Browsers, by what they say of themselves.
const (
	IPhone  = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
	Android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
)

// Phone is what a visitor scans codes with.
type Phone struct {
	Visitors []string // its cookies visitor_id, in the order they are sent
	Blocked  bool     // it keeps no cookie
	Agent    string
	GPC      bool
	Ahead    string // a Sec-Purpose
	Device   *Device
}

// Scanned is what a phone is told.
type Scanned struct {
	Missing  bool   // there is no such tree
	Status   string // new visitor, returning visitor, or nothing
	Issued   string // the id that the cookie was set to
	NotShown bool   // the answer is none, for somebody who only looks ahead
}

// Counted are the numbers of a tree, or of one of its days.
type Counted struct {
	Day       string         `json:"day"`
	Total     int            `json:"total_scans"`
	Unique    int            `json:"unique_visitors"`
	Repeated  int            `json:"repeated_scans"`
	New       int            `json:"new_visitors"`
	Returning int            `json:"returning_visitors"`
	Excluded  map[string]int `json:"excluded"`
	AllRows   int            `json:"all_rows"`
	Days      []Counted      `json:"days"`
}

// Forest is the part of a way in that is about trees.
type Forest interface {
	Plant(id string)
	scan(tree string, by *Phone) Scanned
	// Count asks for a tree's numbers; the question is that of the private interface.
	Count(tree string, question url.Values) Counted
}

// Forest is the way to this world's trees.
func (w *World) Forest() Forest {
	GinkgoHelper()
	forest, ok := w.Driver.(Forest)
	Expect(ok).To(BeTrue())
	return forest
}

// Scan loads a tree's page on a phone, which keeps the cookie unless it keeps none.
func (w *World) Scan(tree string, by *Phone) Scanned {
	GinkgoHelper()
	if by.Agent == "" {
		by.Agent = IPhone
	}
	told := w.Forest().scan(tree, by)
	if told.Issued != "" && !by.Blocked {
		by.Visitors = []string{told.Issued}
	}
	return told
}

// Plant makes a tree and tells its id.
func (w *World) Plant() string {
	GinkgoHelper()
	id := NewID()
	w.Forest().Plant(id)
	return id
}

// Count is the numbers of a tree, of all its time.
func (w *World) Count(tree string) Counted {
	GinkgoHelper()
	return w.Forest().Count(tree, nil)
}

// Plant makes a tree.
func (h *HTTP) Plant(id string) {
	GinkgoHelper()
	Expect(h.Ask(http.MethodPost, "/v1/trees", map[string]any{"id": id, "name": "Tree " + id}, nil)).To(Equal(http.StatusCreated))
}

func (h *HTTP) scan(tree string, by *Phone) Scanned {
	request, err := http.NewRequest(http.MethodGet, h.Public+"/t/"+tree, nil)
	Expect(err).NotTo(HaveOccurred())
	request.Header.Set("User-Agent", by.Agent)
	request.Header.Set("Accept-Language", "en")
	if by.GPC {
		request.Header.Set("Sec-GPC", "1")
	}
	if by.Ahead != "" {
		request.Header.Set("Sec-Purpose", by.Ahead)
	}
	var cookies []string
	for _, id := range by.Visitors {
		cookies = append(cookies, "visitor_id="+id)
	}
	if by.Device != nil {
		for _, key := range by.Device.Keys() {
			cookies = append(cookies, h.CookieName+"="+key)
		}
	}
	if len(cookies) > 0 {
		request.Header.Set("Cookie", strings.Join(cookies, "; "))
	}
	response, body := h.Do(request)
	Expect(response.Header.Get("Cache-Control")).To(Equal("private, no-store"))
	told := Scanned{
		Missing: response.StatusCode == http.StatusNotFound, NotShown: response.StatusCode == http.StatusServiceUnavailable,
	}
	switch {
	case strings.Contains(string(body), "first visit"):
		told.Status = "new visitor"
	case strings.Contains(string(body), "Welcome back"):
		told.Status = "returning visitor"
	}
	for _, cookie := range response.Cookies() {
		Expect(cookie.Name).To(Equal("visitor_id"), "no other cookie is touched")
		if cookie.Path == "/" {
			told.Issued = cookie.Value
		}
	}
	return told
}

// Count is a tree's numbers.
func (h *HTTP) Count(tree string, question url.Values) (counted Counted) {
	GinkgoHelper()
	Expect(h.Ask(http.MethodGet, "/v1/trees/"+tree+"/metrics?"+question.Encode(), nil, &counted)).To(Equal(http.StatusOK))
	return counted
}

func (i inProcess) Plant(id string) {
	GinkgoHelper()
	_, err := i.app.Scanning.Add(ctx, scan.Tree{ID: scan.TreeID(id), Name: "Tree " + id})
	Expect(err).NotTo(HaveOccurred())
}

func (i inProcess) scan(tree string, by *Phone) Scanned {
	load := scanning.Visit{Agent: by.Agent, Unrecognised: by.GPC, Ahead: by.Ahead != ""}
	for _, text := range by.Visitors {
		if id, ok := scan.ParseVisitorID(text); ok {
			load.Visitors = append(load.Visitors, id)
		}
	}
	if by.Device != nil {
		load.Keys = visit(by.Device.Keys()).Keys
	}
	answer, err := i.app.Scanning.Scan(ctx, scan.TreeID(tree), load)
	if fault.CodeOf(err) == fault.NotFound {
		return Scanned{Missing: true}
	}
	Expect(err).NotTo(HaveOccurred())
	Expect(answer.Unbridged).NotTo(HaveOccurred())
	told := Scanned{Status: string(answer.Status), NotShown: answer.Excluded == scan.Prefetch}
	if answer.Excluded != "" {
		told.Status = ""
	}
	if answer.Issue != nil {
		told.Issued = answer.Issue.String()
	}
	return told
}

func (i inProcess) Count(tree string, question url.Values) Counted {
	GinkgoHelper()
	of, err := scan.ParseRange(question.Get("from"), question.Get("to"), question.Get("fold"), zoneOf(question), i.app.Scanning.Now())
	Expect(err).NotTo(HaveOccurred())
	counted, err := i.app.Scanning.Metrics(ctx, scan.TreeID(tree), of)
	Expect(err).NotTo(HaveOccurred())
	told := countedOf(counted.Counts)
	for _, day := range counted.Days {
		one := countedOf(day.Counts)
		one.Day = day.Day
		told.Days = append(told.Days, one)
	}
	return told
}

func zoneOf(question url.Values) *time.Location {
	GinkgoHelper()
	zone, err := time.LoadLocation(question.Get("tz"))
	Expect(err).NotTo(HaveOccurred())
	return zone
}

func countedOf(c scan.Counts) Counted {
	told := Counted{
		Total: c.Total, Unique: c.Unique, Repeated: c.Repeated(), New: c.New, Returning: c.Returning,
		Excluded: map[string]int{}, AllRows: c.AllRows,
	}
	for _, reason := range scan.Exclusions {
		told.Excluded[string(reason)] = c.Excluded[reason]
	}
	return told
}
