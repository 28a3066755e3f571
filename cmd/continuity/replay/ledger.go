package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// ledger reads what the service holds, through its private side (§6).
type ledger struct {
	base     string
	token    string
	client   *http.Client
	patience time.Duration
}

type leadRow struct {
	ID          string `json:"id"`
	Email       string `json:"email"`
	Name        string `json:"name"`
	Anchors     int    `json:"anchors"`
	Submissions int    `json:"submissions"`
}

type journeyRow struct {
	AnchorID     string    `json:"anchor_id"`
	EventID      string    `json:"event_id"`
	OccurredAt   time.Time `json:"occurred_at"`
	Kind         string    `json:"kind"`
	URL          string    `json:"url"`
	Ownership    string    `json:"ownership"`
	SubmissionID string    `json:"submission_id"`
}

type submissionRow struct {
	ID     string         `json:"id"`
	Form   string         `json:"form"`
	Fields map[string]any `json:"fields"`
}

// reference is the client's own name for the submission.
func (s submissionRow) reference() string {
	text, _ := s.Fields[reference].(string) // anything else is no name of ours
	return text
}

type candidateRow struct {
	AnchorID string   `json:"anchor_id"`
	LeadIDs  []string `json:"lead_ids"`
	State    string   `json:"state"`
}

func (l *ledger) leads(ctx context.Context) ([]leadRow, error) {
	return everyPage[leadRow](ctx, l, "/v1/leads", "leads")
}

func (l *ledger) journey(ctx context.Context, lead string) ([]journeyRow, error) {
	return everyPage[journeyRow](ctx, l, "/v1/leads/"+url.PathEscape(lead)+"/journey", "events")
}

func (l *ledger) submissions(ctx context.Context, lead string) ([]submissionRow, error) {
	return everyPage[submissionRow](ctx, l, "/v1/leads/"+url.PathEscape(lead)+"/submissions", "submissions")
}

func (l *ledger) candidates(ctx context.Context) ([]candidateRow, error) {
	return everyPage[candidateRow](ctx, l, "/v1/candidates", "candidates")
}

// find is the lead with that address; ok is false when there is none.
func (l *ledger) find(ctx context.Context, email string) (lead leadRow, ok bool, err error) {
	question, err := json.Marshal(map[string]string{"email": email})
	if err != nil {
		return leadRow{}, false, fmt.Errorf("write the question: %w", err)
	}
	var answer struct {
		Lead leadRow `json:"lead"`
	}
	err = l.ask(ctx, http.MethodPost, "/v1/leads/find", question, &answer)
	if errors.Is(err, errNotFound) {
		return leadRow{}, false, nil
	}
	return answer.Lead, err == nil, err
}

// everyPage follows next until there is none. A cursor that comes twice is an error,
// or a service that hands it out would keep us for good.
func everyPage[T any](ctx context.Context, l *ledger, path, list string) ([]T, error) {
	var all []T
	seen := map[string]bool{}
	for cursor := ""; ; {
		at := path
		if cursor != "" {
			at += "?after=" + url.QueryEscape(cursor)
		}
		page := map[string]json.RawMessage{}
		if err := l.ask(ctx, http.MethodGet, at, nil, &page); err != nil {
			return nil, err
		}
		var rows []T
		if err := json.Unmarshal(page[list], &rows); err != nil {
			return nil, fmt.Errorf("GET %s: %s: %w", path, list, err)
		}
		all = append(all, rows...)
		cursor = ""
		if next := page["next"]; len(next) > 0 {
			if err := json.Unmarshal(next, &cursor); err != nil {
				return nil, fmt.Errorf("GET %s: next: %w", path, err)
			}
		}
		if cursor == "" {
			return all, nil
		}
		if seen[cursor] {
			return nil, fmt.Errorf("GET %s: the same cursor comes twice", path)
		}
		seen[cursor] = true
	}
}

var errNotFound = errors.New("not found")

const (
	largestAnswer = 64 << 20
	quoted        = 200 // octets of an error's answer that are shown
)

func (l *ledger) ask(ctx context.Context, method, path string, question []byte, answer any) error {
	ask := func() (*http.Request, error) {
		req, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader(question))
		if err != nil {
			return nil, fmt.Errorf("make the request: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+l.token)
		if question != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return req, nil
	}
	resp, err := patiently(ctx, l.client, l.patience, ask, func(string, bool) {})
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, largestAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	case resp.StatusCode == http.StatusNotFound:
		return fmt.Errorf("%s %s: %w", method, path, errNotFound)
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("%s %s: status %d: %.*s", method, path, resp.StatusCode, quoted, text)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
