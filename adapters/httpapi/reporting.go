package httpapi

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/gorilla/mux"

	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/ports/reporting"
)

// reportingAPI speaks for the reporting port.
type reportingAPI struct {
	service *reporting.Service
	gate    accessGate
}

func (a reportingAPI) leads(w http.ResponseWriter, r *http.Request) error {
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	leads, err := a.service.Leads(r.Context(), page)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, leadsView{Leads: each(leads.Items, viewLead), Next: leads.Next})
}

func (a reportingAPI) find(w http.ResponseWriter, r *http.Request) error {
	email, err := decode(w, r, decodeText("email"))
	if err != nil {
		return err
	}
	lead, err := a.service.Find(r.Context(), email)
	if err != nil {
		return err
	}
	if err := a.gate.note(r, "lead "+idText(lead.ID)); err != nil {
		return err
	}
	return respond(w, http.StatusOK, leadBody{Lead: viewLead(lead)})
}

func (a reportingAPI) lead(w http.ResponseWriter, r *http.Request) error {
	id, err := leadID(r)
	if err != nil {
		return err
	}
	lead, err := a.service.Lead(r.Context(), id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, leadBody{Lead: viewLead(lead)})
}

func (a reportingAPI) setStatus(w http.ResponseWriter, r *http.Request) error {
	id, err := leadID(r)
	if err != nil {
		return err
	}
	status, err := decode(w, r, decodeText("lead_status"))
	if err != nil {
		return err
	}
	lead, err := a.service.SetLeadStatus(r.Context(), id, status)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, leadBody{Lead: viewLead(lead)})
}

func (a reportingAPI) journey(w http.ResponseWriter, r *http.Request) error {
	id, err := leadID(r)
	if err != nil {
		return err
	}
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	lead, entries, err := a.service.Journey(r.Context(), id, page)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, journeyView{
		Lead: viewLead(lead), Events: each(entries.Items, viewEntry), Next: entries.Next,
	})
}

func (a reportingAPI) submissions(w http.ResponseWriter, r *http.Request) error {
	id, err := leadID(r)
	if err != nil {
		return err
	}
	submissions, err := a.service.Submissions(r.Context(), id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, submissionsView{Submissions: each(submissions, viewSubmission)})
}

func (a reportingAPI) candidates(w http.ResponseWriter, r *http.Request) error {
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	candidates, err := a.service.Candidates(r.Context(), page)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, candidatesView{
		Candidates: each(candidates.Items, viewCandidate), Next: candidates.Next,
	})
}

func (a reportingAPI) anchor(w http.ResponseWriter, r *http.Request) error {
	id, err := anchorID(r)
	if err != nil {
		return err
	}
	anchor, err := a.service.Anchor(r.Context(), id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, anchorBody{Anchor: viewAnchor(anchor)})
}

func (a reportingAPI) resolve(w http.ResponseWriter, r *http.Request) error {
	id, err := anchorID(r)
	if err != nil {
		return err
	}
	verdict, err := decode(w, r, decodeVerdict)
	if err != nil {
		return err
	}
	verdict.By = caller(r)
	anchor, err := a.service.Resolve(r.Context(), id, verdict)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, anchorBody{Anchor: viewAnchor(anchor)})
}

// pageOf reads the cursor and the size of a page. The cursor is the next of the
// page before, and may also be handed back under that name, or as after.
func pageOf(r *http.Request) (reporting.Page, error) {
	query := r.URL.Query()
	page := reporting.Page{After: cmp.Or(query.Get("cursor"), query.Get("next"), query.Get("after"))}
	if !query.Has("limit") {
		return page, nil
	}
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil || limit < 1 {
		return page, fault.New(fault.Invalid, "limit", "must be a number from 1 to 1000")
	}
	page.Limit = limit
	return page, nil
}

func leadID(r *http.Request) (identity.LeadID, error) {
	id, ok := parseID(mux.Vars(r)["id"])
	if !ok {
		return 0, fault.New(fault.NotFound, "", "no such lead")
	}
	return identity.LeadID(id), nil
}

func anchorID(r *http.Request) (identity.AnchorID, error) {
	id, ok := parseID(mux.Vars(r)["id"])
	if !ok {
		return 0, fault.New(fault.NotFound, "", "no such anchor")
	}
	return identity.AnchorID(id), nil
}

// parseID reads an id of ours; each has one spelling.
func parseID(text string) (int64, bool) {
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil && id > 0 && strconv.FormatInt(id, 10) == text
}
