package httpapi

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/privacy"
	"continuity/ports/reporting"
)

// privacyAPI speaks for the privacy port.
type privacyAPI struct {
	service *privacy.Service
	gate    accessGate
}

type (
	receiptView struct {
		ID          *string   `json:"id"` // null of a dry run, which leaves no receipt
		At          timestamp `json:"at"`
		Leads       int       `json:"leads"`
		Submissions int       `json:"submissions"`
		Events      int       `json:"events"`
		Anchors     int       `json:"anchors"`
		Candidates  int       `json:"candidates"`
	}
	receiptBody struct {
		Receipt receiptView `json:"receipt"`
	}
	receiptsView struct {
		Receipts []receiptView `json:"receipts"`
	}
)

// ViewReceipt is a receipt as §6 has it, for whoever else prints JSON.
func ViewReceipt(r privacy.Receipt) any { return receiptBody{Receipt: viewReceipt(r)} }

func viewReceipt(r privacy.Receipt) receiptView {
	return receiptView{
		ID: idOrNull(r.ID), At: timestamp(r.At), Leads: r.Leads, Submissions: r.Submissions,
		Events: r.Events, Anchors: r.Anchors, Candidates: r.Candidates,
	}
}

func reportingEntry(e privacy.Entry) reporting.Entry { return reporting.Entry(e) }

func (a privacyAPI) erase(w http.ResponseWriter, r *http.Request) error {
	wanted, err := decode(w, r, decodeErasure)
	if err != nil {
		return err
	}
	what := "erasure"
	if wanted.dryRun {
		what = "dry run"
	}
	if err := a.gate.note(r, what); err != nil {
		return err
	}
	receipt, err := a.service.Erase(r.Context(), wanted.email, wanted.dryRun)
	if err != nil {
		return err
	}
	if receipt.ID != 0 {
		if err := a.gate.note(r, "receipt "+idText(receipt.ID)); err != nil {
			return err
		}
	}
	return respond(w, http.StatusOK, receiptBody{Receipt: viewReceipt(receipt)})
}

func (a privacyAPI) receipts(w http.ResponseWriter, r *http.Request) error {
	receipts, err := a.service.Receipts(r.Context())
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, receiptsView{Receipts: each(receipts, viewReceipt)})
}

// export answers with JSON or, where the caller prefers it, with a page for people.
// It is written as it is read, so an error in the middle breaks the connection.
func (a privacyAPI) export(w http.ResponseWriter, r *http.Request) error {
	email, err := decode(w, r, decodeText("email"))
	if err != nil {
		return err
	}
	page := strings.HasPrefix(r.Header.Get("Accept"), "text/html")
	out := &longAnswer{w: w, media: "application/json; charset=utf-8"}
	if page {
		out.media = "text/html; charset=utf-8"
	}
	dossier := NewDossier(out, page)
	err = a.service.Export(r.Context(), email, &notedDossier{Dossier: dossier, note: func(l identity.Lead) error {
		return a.gate.note(r, "lead "+idText(l.ID))
	}})
	if err == nil {
		err = dossier.Close()
	}
	if err != nil && out.begun {
		if x, ok := w.(*exchange); ok {
			x.failure = err
		}
		panic(http.ErrAbortHandler)
	}
	return err
}

// notedDossier notes whose record it is before any of it is told.
type notedDossier struct {
	*Dossier
	note func(identity.Lead) error
}

// Lead is privacy.Dossier's promise.
func (d *notedDossier) Lead(l identity.Lead) error {
	if err := d.note(l); err != nil {
		return err
	}
	return d.Dossier.Lead(l)
}

// longAnswer begins an answer at its first byte, and lets it take as long as it
// needs while its reader goes on taking it.
type longAnswer struct {
	w     http.ResponseWriter
	media string
	begun bool
}

// Write gives every part the time that a whole answer has.
func (l *longAnswer) Write(p []byte) (int, error) {
	if !l.begun {
		l.begun = true
		header := l.w.Header()
		header.Set("Cache-Control", neverCached)
		header.Set("Content-Type", l.media)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		l.w.WriteHeader(http.StatusOK)
	}
	// Not every writer has a deadline; one without needs no more time.
	_ = http.NewResponseController(l.w).SetWriteDeadline(time.Now().Add(writeTimeout))
	return l.w.Write(p)
}

type erasure struct {
	email  string
	dryRun bool
}

func decodeErasure(w *walker) (wanted erasure, err error) {
	is := jsontext.KindNull
	err = w.document(func(name string) (err error) {
		switch name {
		case "email":
			wanted.email, is, err = w.text()
			return err
		case "dry_run":
			wanted.dryRun, err = w.flag("dry_run")
			return err
		}
		return w.skip()
	})
	if err == nil && is != jsontext.KindString {
		err = fault.New(fault.Invalid, "email", "must be a string")
	}
	return wanted, err
}
