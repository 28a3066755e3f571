package world

import (
	"net/http"

	. "github.com/onsi/gomega"

	"continuity/domain/identity"
	"continuity/ports/privacy"
)

// recorder is a dossier that keeps names.
type recorder struct{ Record }

func (r *recorder) Lead(l identity.Lead) error {
	r.Email = string(l.Person.Email)
	return nil
}

func (r *recorder) Device(d privacy.Device) error {
	if d.Removed {
		r.Anchors = append(r.Anchors, idText(d.ID))
	} else {
		r.Stripped = append(r.Stripped, idText(d.ID))
	}
	return nil
}

func (r *recorder) Submission(s identity.Submission) error {
	r.Submissions = append(r.Submissions, string(s.Client))
	return nil
}

func (r *recorder) Candidate(identity.Candidate) error {
	r.Candidates++
	return nil
}

func (r *recorder) Event(e privacy.Entry) error {
	r.Events = append(r.Events, string(e.ID))
	return nil
}

func (i inProcess) Export(email string) Record {
	r := &recorder{}
	Expect(i.app.Privacy.Export(ctx, email, r)).To(Succeed())
	return r.Record
}

func (i inProcess) Erase(email string, dryRun bool) Receipt {
	receipt, err := i.app.Privacy.Erase(ctx, email, dryRun)
	Expect(err).NotTo(HaveOccurred())
	return Receipt{
		ID: idText(receipt.ID), Leads: receipt.Leads, Submissions: receipt.Submissions, Events: receipt.Events,
		Anchors: receipt.Anchors, Candidates: receipt.Candidates,
	}
}

func (h *HTTP) Export(email string) (r Record) {
	type row struct {
		ID    string `json:"id"`
		Event string `json:"event_id"`
	}
	var body struct {
		Lead        *struct{ Email string }
		Anchors     []row
		Stripped    []row `json:"stripped_anchors"`
		Submissions []row
		Candidates  []row
		Events      []row
	}
	Expect(h.Ask(http.MethodPost, "/v1/privacy/export", map[string]string{"email": email}, &body)).To(Equal(http.StatusOK))
	if body.Lead != nil {
		r.Email = body.Lead.Email
	}
	for _, list := range []struct {
		from []row
		to   *[]string
	}{{body.Anchors, &r.Anchors}, {body.Stripped, &r.Stripped}, {body.Submissions, &r.Submissions}} {
		for _, row := range list.from {
			*list.to = append(*list.to, row.ID)
		}
	}
	for _, row := range body.Events {
		r.Events = append(r.Events, row.Event)
	}
	r.Candidates = len(body.Candidates)
	return r
}

func (h *HTTP) Erase(email string, dryRun bool) Receipt {
	var body struct{ Receipt Receipt }
	wanted := map[string]any{"email": email, "dry_run": dryRun}
	Expect(h.Ask(http.MethodPost, "/v1/privacy/erase", wanted, &body)).To(Equal(http.StatusOK))
	return body.Receipt
}
