package world

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	. "github.com/onsi/gomega"

	"continuity/cmd/app"
	"continuity/domain/fault"
	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/capture"
	"continuity/ports/reporting"
)

// inProcess asks the services themselves.
type inProcess struct{ app *app.App }

var ctx = context.Background()

func visit(keys []string) (v capture.Visit) {
	for _, text := range keys {
		if key, ok := identity.ParseKey(text); ok {
			v.Keys = append(v.Keys, key)
		}
	}
	return v
}

func beacon(b Beacon) capture.Beacon {
	session, _ := journey.ParseSession(b.Session)
	told := capture.Beacon{Session: session, SentAt: clientTime(b.SentAt)}
	for _, e := range b.Events {
		told.Events = append(told.Events, journey.Draft{
			ID: e.ID, At: clientTime(e.At), Session: e.Session, HasSession: e.Session != "",
			Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer, Props: e.Props,
		})
	}
	return told
}

func clientTime(t time.Time) journey.ClientTime {
	if t.IsZero() {
		return journey.ClientTime{}
	}
	return journey.ClientTimeFromNumber(strconv.FormatInt(t.UnixMilli(), 10))
}

func reply(answer capture.Answer, err error) Reply {
	if err != nil {
		return Reply{Refused: string(fault.CodeOf(err))}
	}
	r := Reply{Stored: answer.Stored, Expired: answer.Expire}
	if answer.Issue != nil {
		r.Key = answer.Issue.String()
	}
	return r
}

func (i inProcess) Append(keys []string, b Beacon) Reply {
	return reply(i.app.Capture.Append(ctx, visit(keys), beacon(b)))
}

func (i inProcess) Submit(keys []string, f Form) Reply { return i.submit(keys, f, true) }

func (i inProcess) Backend(key string, f Form) Reply {
	r := i.submit([]string{key}, f, false)
	r.Key = ""
	return r
}

func (i inProcess) submit(keys []string, f Form, device bool) Reply {
	fields, err := json.Marshal(f.Fields)
	Expect(err).NotTo(HaveOccurred())
	answer, err := i.app.Capture.Submit(ctx, visit(keys), capture.Form{
		ID: identity.ClientID(f.ID), Form: f.Form, Email: f.Email, Name: f.Name, Phone: f.Phone, Fields: string(fields),
	}, beacon(f.Beacon), device)
	r := reply(answer, err)
	r.Stored = err == nil
	return r
}

func (i inProcess) Reset(keys []string) Reply {
	return reply(i.app.Capture.Reset(ctx, visit(keys)))
}

func (i inProcess) Find(email string) (Lead, bool) {
	lead, err := i.app.Reporting.Find(ctx, email)
	if fault.CodeOf(err) == fault.NotFound {
		return Lead{}, false
	}
	Expect(err).NotTo(HaveOccurred())
	return Lead{
		ID: idText(lead.ID), Email: string(lead.Person.Email), Name: lead.Person.Name, Phone: lead.Person.Phone,
		Status: lead.Status, FirstSeen: lead.FirstSeen, LastSeen: lead.LastSeen,
		Anchors: lead.Anchors, Submissions: lead.Submissions,
	}, true
}

func (i inProcess) Journey(lead string) (entries []Step) {
	page := reporting.Page{}
	for {
		_, got, err := i.app.Reporting.Journey(ctx, idOf[identity.LeadID](lead), page)
		Expect(err).NotTo(HaveOccurred())
		for _, e := range got.Items {
			entries = append(entries, Step{
				Event:  Event{ID: string(e.ID), Session: string(e.Session), Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer},
				Anchor: idText(e.Anchor), Ownership: string(e.Ownership), Submission: string(e.Submission),
				Source: string(e.Source), OccurredAt: e.OccurredAt, ReceivedAt: e.ReceivedAt, Clamped: e.Clamped,
			})
		}
		if page.After = got.Next; page.After == "" {
			return entries
		}
	}
}

func (i inProcess) Submissions(lead string) (all []Submission) {
	got, err := i.app.Reporting.Submissions(ctx, idOf[identity.LeadID](lead))
	Expect(err).NotTo(HaveOccurred())
	for _, s := range got {
		all = append(all, Submission{
			ID: string(s.Client), Anchor: idText(s.Anchor), Form: s.Form, Provenance: string(s.Provenance), At: s.At,
		})
	}
	return all
}

func (i inProcess) Candidates(anchor string) (all []Candidate) {
	page := reporting.Page{}
	for {
		got, err := i.app.Reporting.Candidates(ctx, page)
		Expect(err).NotTo(HaveOccurred())
		for _, c := range got.Items {
			if idText(c.Anchor) == anchor {
				all = append(all, Candidate{
					ID: idText(c.ID), Anchor: anchor, Submission: string(c.Client), State: string(c.State),
					Leads: [2]string{idText(c.First), idText(c.Second)},
				})
			}
		}
		if page.After = got.Next; page.After == "" {
			return all
		}
	}
}

func (i inProcess) Anchor(id string) Anchor {
	a, err := i.app.Reporting.Anchor(ctx, idOf[identity.AnchorID](id))
	Expect(err).NotTo(HaveOccurred())
	return Anchor{
		ID: id, Lead: idText(a.Lead), Provenance: string(a.Provenance), Status: string(a.Status), Shared: a.Shared,
	}
}

func (i inProcess) Resolve(anchor, lead string) Reply {
	verdict := reporting.Verdict{KeepShared: lead == "", Lead: idOf[identity.LeadID](lead), By: "a story"}
	_, err := i.app.Reporting.Resolve(ctx, idOf[identity.AnchorID](anchor), verdict)
	return reply(capture.Answer{Stored: err == nil}, err)
}

// idText is empty for no id.
func idText[ID ~int64](id ID) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(int64(id), 10)
}

func idOf[ID ~int64](text string) ID {
	if text == "" {
		return 0
	}
	id, err := strconv.ParseInt(text, 10, 64)
	Expect(err).NotTo(HaveOccurred())
	return ID(id)
}
