package httpapi

import (
	"net/http"

	"continuity/domain/fault"
	"continuity/ports/access"
)

// auditAPI speaks for the access port about the audit log.
type auditAPI struct{ service *access.Service }

type (
	noteView struct {
		ID      string    `json:"id"`
		At      timestamp `json:"at"`
		Who     string    `json:"who"`
		What    string    `json:"what"`
		Subject string    `json:"subject"`
	}
	notesView struct {
		Audit []noteView `json:"audit"`
		Next  string     `json:"next,omitempty"`
	}
)

func viewNote(n access.Note) noteView {
	return noteView{ID: idText(n.ID), At: timestamp(n.At), Who: n.Who, What: n.What, Subject: n.Subject}
}

func (a auditAPI) notes(w http.ResponseWriter, r *http.Request) error {
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	if page.Limit == 0 {
		page.Limit = 100
	}
	var before int64
	if page.After != "" {
		var ok bool
		if before, ok = parseID(page.After); !ok {
			return fault.New(fault.Invalid, "cursor", "is no cursor that a page gave")
		}
	}
	notes, err := a.service.Notes(r.Context(), before, page.Limit)
	if err != nil {
		return err
	}
	view := notesView{Audit: each(notes, viewNote)}
	if len(notes) == page.Limit {
		view.Next = view.Audit[len(notes)-1].ID
	}
	return respond(w, http.StatusOK, view)
}
