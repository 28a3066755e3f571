package httpapi

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/gorilla/mux"

	"continuity/adapters/httpapi/treepage"
	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/scanning"
)

// VisitorCookie names the cookie that a scan is counted by (R12).
const (
	VisitorCookie    = "visitor_id"
	visitorCookieAge = 400 * 24 * time.Hour // browsers keep none longer
)

// scanningAPI speaks for the scanning port, to visitors.
type scanningAPI struct {
	service    *scanning.Service
	pages      *treepage.Pages
	keys       Cookie
	visitors   Cookie
	respectGPC bool
	proxies    Proxies
	limits     limiting
	log        *slog.Logger
}

func (p Public) scanning(limits limiting) scanningAPI {
	return scanningAPI{
		service: p.Scanning, pages: treepage.New(), keys: p.Cookie,
		visitors: Cookie{
			Name: VisitorCookie, Domain: p.Cookie.Domain, MaxAge: visitorCookieAge, InsecureLoopback: p.Cookie.InsecureLoopback,
		},
		respectGPC: p.RespectGPC, proxies: p.Proxies, limits: limits, log: p.Log,
	}
}

// page is a tree's page, or the way to its target.
func (a scanningAPI) page(w http.ResponseWriter, r *http.Request) {
	id, ok := scan.ParseTreeID(mux.Vars(r)["tree"])
	if !ok {
		a.refuse(w, r, fault.New(fault.NotFound, "", "no such tree"))
		return
	}
	answer, err := a.load(w, r, id)
	if err != nil {
		a.refuse(w, r, err)
		return
	}
	if answer.Excluded == scan.Prefetch {
		lookedAhead(w)
		return
	}
	a.issue(w, r, answer)
	if target := answer.Tree.Target; target != "" && scan.CheckTarget("target_url", target) == nil {
		w.Header().Set("Cache-Control", neverCached)
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
		return
	}
	status := answer.Status
	if answer.Excluded != "" {
		status = "" // a preview must not greet whoever reads it later
	}
	text, lang := a.pages.Tree(r.Header.Get("Accept-Language"), answer.Tree, status)
	show(w, http.StatusOK, text, lang)
}

// load records the scan. HEAD only looks.
func (a scanningAPI) load(w http.ResponseWriter, r *http.Request, id scan.TreeID) (scanning.Answer, error) {
	visit := a.visit(r)
	if r.Method != http.MethodHead {
		return a.count(w, r, id, visit)
	}
	tree, err := a.service.Look(r.Context(), id)
	answer := scanning.Answer{Tree: tree}
	if visit.Ahead {
		answer.Excluded = scan.Prefetch
	}
	return answer, err
}

// count records the scan. What is too much is shown the tree like the rest, and only
// not counted as people.
func (a scanningAPI) count(w http.ResponseWriter, r *http.Request, id scan.TreeID, visit scanning.Visit) (scanning.Answer, error) {
	visit.Flood = !visit.Ahead && a.limits.floods(w, r, visit.Visitors)
	answer, err := a.service.Scan(r.Context(), id, visit)
	if answer.Issue != nil {
		a.limits.welcome(*answer.Issue)
	}
	return answer, err
}

// report is a page load of a tree on somebody's own page.
func (a scanningAPI) report(w http.ResponseWriter, r *http.Request) error {
	id, ok := scan.ParseTreeID(mux.Vars(r)["tree"])
	if !ok {
		return fault.New(fault.NotFound, "", "no such tree")
	}
	visit := a.visit(r)
	if r.ContentLength != 0 {
		driven, err := decode(w, r, decodeDriven)
		if err != nil {
			return err
		}
		visit.Driven = driven
	}
	answer, err := a.count(w, r, id, visit)
	if err != nil {
		return err
	}
	if answer.Excluded == scan.Prefetch {
		lookedAhead(w)
		return nil
	}
	a.issue(w, r, answer)
	return respond(w, http.StatusOK, statusView{Status: string(answer.Status)})
}

type statusView struct {
	Status string `json:"status_for_this_tree"`
}

// decodeDriven reads whether the page saw navigator.webdriver.
func decodeDriven(w *walker) (driven bool, err error) {
	err = w.document(func(name string) error {
		if name != "webdriver" {
			return w.skip()
		}
		switch w.dec.PeekKind() {
		case jsontext.KindTrue:
			driven = true
		case jsontext.KindFalse, jsontext.KindNull:
		default:
			if err := w.skip(); err != nil {
				return err
			}
			return fault.New(fault.Invalid, "webdriver", "must be true or false")
		}
		return w.token()
	})
	return driven, err
}

func (a scanningAPI) visit(r *http.Request) scanning.Visit {
	visit := scanning.Visit{
		Unrecognised: a.respectGPC && r.Header.Get("Sec-GPC") == "1",
		Address:      a.proxies.Client(r),
		Agent:        r.Header.Get("User-Agent"),
		Ahead:        ahead(r.Header),
	}
	visit.Keys, _ = a.keys.sentKeys(r)
	for _, value := range a.visitors.sent(r) {
		if id, ok := scan.ParseVisitorID(value); ok {
			visit.Visitors = append(visit.Visitors, id)
		}
	}
	return visit
}

// ahead says whether a browser loads the page before anybody asked for it.
func ahead(header http.Header) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		for _, value := range header.Values(name) {
			value = strings.ToLower(value)
			if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
				return true
			}
		}
	}
	return false
}

// lookedAhead is no answer that a browser would keep for the click: after a 503 it
// asks again.
func lookedAhead(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", neverCached)
	w.WriteHeader(http.StatusServiceUnavailable)
}

// issue sets the visitor's cookie, again at every scan.
func (a scanningAPI) issue(w http.ResponseWriter, r *http.Request, answer scanning.Answer) {
	if answer.Unbridged != nil {
		a.log.Error("a scan is missing from a journey", "error", answer.Unbridged)
	}
	if answer.Issue != nil {
		a.visitors.issue(w, r, answer.Issue.String())
		a.visitors.clearShadows(w, r, false)
	}
}

// refuse tells a person what is wrong, in words.
func (a scanningAPI) refuse(w http.ResponseWriter, r *http.Request, err error) {
	accept := r.Header.Get("Accept-Language")
	if fault.CodeOf(err) == fault.NotFound {
		text, lang := a.pages.Missing(accept)
		show(w, http.StatusNotFound, text, lang)
		return
	}
	if x, ok := w.(*exchange); ok {
		x.failure = err
	}
	w.Header().Set("Retry-After", "1")
	text, lang := a.pages.Busy(accept)
	show(w, http.StatusServiceUnavailable, text, lang)
}

func show(w http.ResponseWriter, status int, text []byte, lang string) {
	header := w.Header()
	header.Set("Cache-Control", neverCached)
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Language", lang)
	header.Set("Content-Security-Policy", treepage.Policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// A visitor who has gone is nobody to tell about it.
	_, _ = w.Write(text)
}
