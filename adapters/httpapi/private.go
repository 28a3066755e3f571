package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"continuity/domain/fault"
	"continuity/ports/access"
	"continuity/ports/capture"
	"continuity/ports/handingoff"
	"continuity/ports/privacy"
	"continuity/ports/reporting"
	"continuity/ports/scanning"
)

// Private is what the private interface needs.
type Private struct {
	Capture   *capture.Service
	Handoffs  *handingoff.Service
	Reporting *reporting.Service
	Privacy   *privacy.Service
	Access    *access.Service
	Scanning  *scanning.Service
	// PublicURL is what codes lead to, unless a request names another; empty: none.
	PublicURL string
	// Ready tells whether requests can be served now.
	Ready   func(context.Context) error
	Proxies Proxies
	Log     *slog.Logger
}

// Handler is the private interface (§6).
func (p Private) Handler() http.Handler {
	gate := accessGate{p.Access}
	read := func(h handler) http.Handler { return verbs{http.MethodGet: gate.noted(access.LeadsRead, h)} }
	post := func(scope access.Scope, h handler) http.Handler {
		return verbs{http.MethodPost: gate.needs(scope, h)}
	}
	forms, report, private := captureAPI{service: p.Capture}, reportingAPI{p.Reporting, gate}, privacyAPI{p.Privacy, gate}
	router := newRouter()
	router.Handle("/v1/submissions", post(access.Submissions, forms.submitFromBackend))
	handoffs := handoffAPI{service: p.Handoffs}
	router.Handle("/v1/handoffs/redeem", post(access.Handoffs, handoffs.redeem))
	router.Handle("/v1/handoffs/confirm", post(access.Handoffs, handoffs.confirm))
	router.Handle("/v1/leads", read(report.leads))
	router.Handle("/v1/leads/find", post(access.LeadsRead, report.find))
	router.Handle("/v1/leads/{id}", verbs{
		http.MethodGet:   gate.noted(access.LeadsRead, report.lead),
		http.MethodPatch: gate.noted(access.LeadsWrite, report.setStatus),
	})
	router.Handle("/v1/leads/{id}/journey", read(report.journey))
	router.Handle("/v1/leads/{id}/submissions", read(report.submissions))
	router.Handle("/v1/candidates", read(report.candidates))
	router.Handle("/v1/anchors/{id}", read(report.anchor))
	router.Handle("/v1/anchors/{id}/resolve", verbs{http.MethodPost: gate.noted(access.LeadsWrite, report.resolve)})
	router.Handle("/v1/privacy/export", post(access.Privacy, private.export))
	router.Handle("/v1/privacy/erase", post(access.Privacy, private.erase))
	router.Handle("/v1/privacy/receipts", verbs{http.MethodGet: gate.needs(access.Privacy, private.receipts)})
	router.Handle("/v1/audit", verbs{http.MethodGet: gate.noted(access.Privacy, auditAPI{p.Access}.notes)})
	p.trees(router, gate)
	router.Handle("/healthz", verbs{http.MethodGet: handler(healthy)})
	router.Handle("/readyz", verbs{http.MethodGet: handler(p.ready)})
	return watch(p.Log, p.Proxies, router)
}

type healthView struct {
	Status string `json:"status"`
}

func healthy(w http.ResponseWriter, _ *http.Request) error {
	return respond(w, http.StatusOK, healthView{Status: "ok"})
}

func (p Private) ready(w http.ResponseWriter, r *http.Request) error {
	if err := p.Ready(r.Context()); err != nil {
		p.Log.Warn("not ready", "error", err)
		return fault.New(fault.Unavailable, "", "not ready")
	}
	return respond(w, http.StatusOK, healthView{Status: "ready"})
}
