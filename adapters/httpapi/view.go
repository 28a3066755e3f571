package httpapi

import (
	"encoding/json"
	"strconv"
	"time"

	"continuity/domain/identity"
	"continuity/domain/journey"
	"continuity/ports/reporting"
)

// The shapes of §6. They belong to this adapter alone: a domain value carries no tags.
type (
	leadView struct {
		ID          string    `json:"id"`
		Email       string    `json:"email"`
		Name        string    `json:"name"`
		Phone       string    `json:"phone"`
		LeadStatus  string    `json:"lead_status"`
		FirstSeen   timestamp `json:"first_seen"`
		LastSeen    timestamp `json:"last_seen"`
		Anchors     int       `json:"anchors"`
		Submissions int       `json:"submissions"`
	}
	leadBody struct {
		Lead leadView `json:"lead"`
	}
	leadsView struct {
		Leads []leadView `json:"leads"`
		Next  string     `json:"next,omitempty"`
	}
	journeyView struct {
		Lead   leadView    `json:"lead"`
		Events []entryView `json:"events"`
		Next   string      `json:"next,omitempty"`
	}
	entryView struct {
		AnchorID     string          `json:"anchor_id"`
		EventID      string          `json:"event_id"`
		OccurredAt   timestamp       `json:"occurred_at"`
		ReceivedAt   timestamp       `json:"received_at"`
		Clamped      bool            `json:"clamped,omitempty"` // occurred_at is ours, the client's was unusable (R11)
		Source       string          `json:"source"`
		Kind         string          `json:"kind"`
		URL          string          `json:"url"`
		Title        string          `json:"title"`
		Referrer     string          `json:"referrer"`
		Campaign     json.RawMessage `json:"campaign"`
		Props        json.RawMessage `json:"props"`
		Ownership    string          `json:"ownership"`
		SubmissionID *string         `json:"submission_id"`
	}
	mintedView struct {
		Token     string    `json:"token"`
		ExpiresAt timestamp `json:"expires_at"`
	}
	redeemedView struct {
		Events []carriedView `json:"events"`
	}
	carriedView struct {
		EventID    string          `json:"event_id"`
		OccurredAt timestamp       `json:"occurred_at"`
		ReceivedAt timestamp       `json:"received_at"`
		Source     string          `json:"source"`
		Kind       string          `json:"kind"`
		URL        string          `json:"url"`
		Title      string          `json:"title"`
		Referrer   string          `json:"referrer"`
		Campaign   json.RawMessage `json:"campaign"`
		Props      json.RawMessage `json:"props"`
	}
	submissionView struct {
		ID         string          `json:"id"`
		AnchorID   *string         `json:"anchor_id"`
		Form       string          `json:"form"`
		Fields     json.RawMessage `json:"fields"`
		Provenance string          `json:"provenance"`
		At         timestamp       `json:"at"`
	}
	submissionsView struct {
		Submissions []submissionView `json:"submissions"`
	}
	candidateView struct {
		ID           string    `json:"id"`
		AnchorID     string    `json:"anchor_id"`
		LeadIDs      [2]string `json:"lead_ids"`
		SubmissionID *string   `json:"submission_id"`
		State        string    `json:"state"`
		At           timestamp `json:"at"`
	}
	candidatesView struct {
		Candidates []candidateView `json:"candidates"`
		Next       string          `json:"next,omitempty"`
	}
	anchorView struct {
		ID             string    `json:"id"`
		LeadID         *string   `json:"lead_id"`
		LinkProvenance *string   `json:"link_provenance"`
		SharedFlag     bool      `json:"shared_flag"`
		Status         string    `json:"status"`
		CreatedAt      timestamp `json:"created_at"`
		LastSeenAt     timestamp `json:"last_seen_at"`
		ExpiresAt      timestamp `json:"expires_at"`
	}
	anchorBody struct {
		Anchor anchorView `json:"anchor"`
	}
)

// timestamp is written as RFC 3339 in UTC with milliseconds; zero is null.
type timestamp time.Time

// MarshalJSON keeps the milliseconds even where they are zero.
func (t timestamp) MarshalJSON() ([]byte, error) {
	if time.Time(t).IsZero() {
		return []byte("null"), nil
	}
	return []byte(time.Time(t).UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

func viewLead(l reporting.Lead) leadView {
	return leadView{
		ID: idText(l.ID), Email: string(l.Person.Email), Name: l.Person.Name, Phone: l.Person.Phone,
		LeadStatus: l.Status, FirstSeen: timestamp(l.FirstSeen), LastSeen: timestamp(l.LastSeen),
		Anchors: l.Anchors, Submissions: l.Submissions,
	}
}

func viewEntry(e reporting.Entry) entryView {
	return entryView{
		AnchorID: idText(e.Anchor), EventID: string(e.ID),
		OccurredAt: timestamp(e.OccurredAt), ReceivedAt: timestamp(e.ReceivedAt), Clamped: e.Clamped,
		Source: string(e.Source), Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer,
		Campaign: objectText(e.Campaign), Props: objectText(e.Props),
		Ownership: string(e.Ownership), SubmissionID: textOrNull(e.Submission),
	}
}

// viewCarried leaves out what says whose an event is, and which device's.
func viewCarried(e journey.Event) carriedView {
	return carriedView{
		EventID: string(e.ID), OccurredAt: timestamp(e.OccurredAt), ReceivedAt: timestamp(e.ReceivedAt),
		Source: string(e.Source), Kind: e.Kind, URL: e.URL, Title: e.Title, Referrer: e.Referrer,
		Campaign: objectText(e.Campaign), Props: objectText(e.Props),
	}
}

func viewSubmission(s identity.Submission) submissionView {
	return submissionView{
		ID: string(s.Client), AnchorID: idOrNull(s.Anchor), Form: s.Form, Fields: objectText(s.Fields),
		Provenance: string(s.Provenance), At: timestamp(s.At),
	}
}

func viewCandidate(c reporting.Candidate) candidateView {
	return candidateView{
		ID: idText(c.ID), AnchorID: idText(c.Anchor), LeadIDs: [2]string{idText(c.First), idText(c.Second)},
		SubmissionID: textOrNull(c.Client), State: string(c.State), At: timestamp(c.At),
	}
}

func viewAnchor(a identity.Anchor) anchorView {
	return anchorView{
		ID: idText(a.ID), LeadID: idOrNull(a.Lead), LinkProvenance: textOrNull(a.Provenance),
		SharedFlag: a.Shared, Status: string(a.Status), CreatedAt: timestamp(a.CreatedAt),
		LastSeenAt: timestamp(a.LastSeenAt), ExpiresAt: timestamp(a.ExpiresAt),
	}
}

// each is never nil, so that an empty list is [] and not null.
func each[From, To any](items []From, view func(From) To) []To {
	views := make([]To, len(items))
	for i, item := range items {
		views[i] = view(item)
	}
	return views
}

func idText[ID ~int64](id ID) string { return strconv.FormatInt(int64(id), 10) }

func idOrNull[ID ~int64](id ID) *string {
	if id == 0 {
		return nil
	}
	text := idText(id)
	return &text
}

func textOrNull[Text ~string](text Text) *string {
	if text == "" {
		return nil
	}
	plain := string(text)
	return &plain
}

func objectText(object string) json.RawMessage {
	if object == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(object)
}
