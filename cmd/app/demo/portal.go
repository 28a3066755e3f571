package demo

import (
	"context"
	"crypto/rand"
	"html/template"
	"net/http"

	"continuity/domain/fault"
	"continuity/domain/handoff"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/handingoff"
)

// Handoffs is what the portal's server asks of the service. A real one asks over
// the private interface, with a token of the scope handoffs.
type Handoffs interface {
	Redeem(ctx context.Context, at handoff.Destination, token string, claim handoff.ClaimID) ([]journey.Event, error)
	Confirm(ctx context.Context, at handoff.Destination, token string, claim handoff.ClaimID, form handingoff.Form) error
}

// portal is a site of somebody else's, on an origin of its own.
type portal struct {
	service  string // where the service is, as browsers reach it
	at       handoff.Destination
	handoffs Handoffs
	pages    *template.Template
}

// Portal plays a destination: its page claims the token that the link brought, and
// its form is confirmed by its server.
func Portal(service string, at handoff.Destination, handoffs Handoffs) http.Handler {
	p := portal{
		service: service, at: at, handoffs: handoffs,
		pages: template.Must(template.ParseFS(files, "pages/portal.html", "pages/received.html")),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.arrive)
	mux.HandleFunc("POST /apply", p.apply)
	mux.Handle("GET /portal.js", static("text/javascript; charset=utf-8", read("portal.js")))
	mux.Handle("GET /style.css", static("text/css; charset=utf-8", read("style.css")))
	return mux
}

func (p portal) arrive(w http.ResponseWriter, _ *http.Request) {
	p.show(w, http.StatusOK, "portal.html", map[string]any{"Service": p.service})
}

// apply keeps what was typed and then shows what the portal may know of the way here.
func (p portal) apply(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	token, claim := r.PostFormValue("token"), r.PostFormValue("claim")
	if claim == "" {
		claim = rand.Text() // a page without script: nobody claimed, and nothing is linked
	}
	err := p.handoffs.Confirm(r.Context(), p.at, token, handoff.ClaimID(claim), handingoff.Form{
		ID: identity.ClientID(rand.Text()), Form: "apply", Email: r.PostFormValue("email"), Name: r.PostFormValue("name"),
	})
	if err != nil {
		status, said := http.StatusInternalServerError, "Something went wrong. Please try again."
		if fault.CodeOf(err) == fault.Rejected {
			status, said = http.StatusUnprocessableEntity, "That is no e-mail address. Please go back and try again."
		}
		p.show(w, status, "received.html", map[string]any{"Said": said})
		return
	}
	events, err := p.handoffs.Redeem(r.Context(), p.at, token, handoff.ClaimID(claim))
	if err != nil {
		events = nil // nobody came with a link that was theirs
	}
	p.show(w, http.StatusOK, "received.html", map[string]any{"Said": "Thank you, we will write to you.", "Events": events})
}

func (p portal) show(w http.ResponseWriter, status int, page string, data any) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer") // the address may hold a token
	w.WriteHeader(status)
	// A browser that has gone is nobody to tell about it.
	_ = p.pages.ExecuteTemplate(w, page, data)
}
