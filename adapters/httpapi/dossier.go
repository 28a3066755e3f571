package httpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"continuity/domain/identity"
	"continuity/ports/privacy"
)

var _ privacy.Dossier = (*Dossier)(nil)

// Dossier writes a person's record as it is told, as one JSON document or as a page
// for people: an object with a list for each kind of row, of which none is left out.
// Close ends it; a Dossier that was told nothing is the record of nobody.
type Dossier struct {
	to    *bufio.Writer
	words dossierWords
	at    int // the section that is open
	items int // in it
	lead  bool
}

// sections are the lists of a dossier in order, after the lead itself.
var sections = []string{"anchors", "stripped_anchors", "submissions", "candidates", "events"}

// dossierWords are what a form puts around and between the rows.
type dossierWords struct {
	begin, end string
	nobody     string
	open       func(section string) string
	between    string
	close      string
	row        func(view any) ([]byte, error)
}

// NewDossier writes JSON to w or, where page is set, HTML. The lead's identity stands
// in its submissions too, each as it was sent.
func NewDossier(w io.Writer, page bool) *Dossier {
	words := jsonWords
	if page {
		words = pageWords
	}
	return &Dossier{to: bufio.NewWriterSize(w, 32<<10), words: words, at: -1}
}

var jsonWords = dossierWords{
	begin: `{"lead":`, end: "}\n", nobody: "null", between: ",", close: "]",
	open: func(section string) string { return `,"` + section + `":[` },
	row:  marshal,
}

func marshal(view any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(view)
	return bytes.TrimSpace(text.Bytes()), err
}

type (
	dossierLead struct {
		ID         string    `json:"id"`
		Email      string    `json:"email"`
		Name       string    `json:"name"`
		Phone      string    `json:"phone"`
		LeadStatus string    `json:"lead_status"`
		FirstSeen  timestamp `json:"first_seen"`
		LastSeen   timestamp `json:"last_seen"`
		ExpiresAt  timestamp `json:"expires_at"`
	}
	dossierSubmission struct {
		submissionView
		Email string `json:"email"`
		Name  string `json:"name"`
		Phone string `json:"phone"`
	}
	// dossierCandidate does not tell who the other person is.
	dossierCandidate struct {
		ID       string    `json:"id"`
		AnchorID string    `json:"anchor_id"`
		State    string    `json:"state"`
		At       timestamp `json:"at"`
	}
)

// Lead begins the record.
func (d *Dossier) Lead(l identity.Lead) error {
	if d.lead {
		return fmt.Errorf("an address has two leads, of which %d is the second", l.ID)
	}
	return d.begin(dossierLead{
		ID: idText(l.ID), Email: string(l.Person.Email), Name: l.Person.Name, Phone: l.Person.Phone,
		LeadStatus: l.Status, FirstSeen: timestamp(l.FirstSeen), LastSeen: timestamp(l.LastSeen),
		ExpiresAt: timestamp(l.ExpiresAt),
	})
}

// Device is privacy.Dossier's promise.
func (d *Dossier) Device(device privacy.Device) error {
	view := viewAnchor(device.Anchor)
	if device.Removed {
		return d.row("anchors", view)
	}
	return d.row("stripped_anchors", view)
}

// Submission is privacy.Dossier's promise.
func (d *Dossier) Submission(s identity.Submission) error {
	return d.row("submissions", dossierSubmission{
		submissionView: viewSubmission(s), Email: string(s.Person.Email), Name: s.Person.Name, Phone: s.Person.Phone,
	})
}

// Candidate is privacy.Dossier's promise.
func (d *Dossier) Candidate(c identity.Candidate) error {
	return d.row("candidates", dossierCandidate{
		ID: idText(c.ID), AnchorID: idText(c.Anchor), State: string(c.State), At: timestamp(c.At),
	})
}

// Event is privacy.Dossier's promise.
func (d *Dossier) Event(e privacy.Entry) error {
	return d.row("events", viewEntry(reportingEntry(e)))
}

// Close ends the document. It does not close what it was written to.
func (d *Dossier) Close() error {
	if err := d.enter(len(sections)); err != nil {
		return err
	}
	if _, err := d.to.WriteString(d.words.end); err != nil {
		return err
	}
	return d.to.Flush()
}

// begin writes the lead, or that there is none.
func (d *Dossier) begin(lead any) error {
	d.lead = true
	text := []byte(d.words.nobody)
	if lead != nil {
		var err error
		if text, err = d.words.row(lead); err != nil {
			return err
		}
	}
	_, err := d.to.WriteString(d.words.begin + string(text))
	return err
}

func (d *Dossier) row(section string, view any) error {
	for i, name := range sections {
		if name != section {
			continue
		}
		if err := d.enter(i); err != nil {
			return err
		}
	}
	text, err := d.words.row(view)
	if err != nil {
		return err
	}
	if d.items++; d.items > 1 {
		text = append([]byte(d.words.between), text...)
	}
	_, err = d.to.Write(text)
	return err
}

// enter opens a section, and closes those before it.
func (d *Dossier) enter(section int) error {
	if !d.lead {
		if err := d.begin(nil); err != nil {
			return err
		}
	}
	if section < d.at {
		return fmt.Errorf("a dossier is told %s after %s", sections[section], sections[d.at])
	}
	for ; d.at < section; d.items = 0 {
		text := ""
		if d.at >= 0 {
			text = d.words.close
		}
		if d.at++; d.at < len(sections) {
			text += d.words.open(sections[d.at])
		}
		if _, err := d.to.WriteString(text); err != nil {
			return err
		}
	}
	return nil
}

var pageWords = dossierWords{
	begin: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex">` +
		`<title>Personal data</title><style>body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}` +
		`dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1em;border-top:1px solid #ccc}` +
		`dd{margin:0;overflow-wrap:anywhere}</style><h1>Personal data</h1>`,
	end: "</html>\n", nobody: "<p>Nothing is kept about this address.</p>", close: "</section>",
	open: func(section string) string {
		name := strings.ReplaceAll(section, "_", " ")
		return "<section><h2>" + strings.ToUpper(name[:1]) + name[1:] + "</h2>"
	},
	row: definitions,
}

// definitions are a row's fields for people, in the order that JSON has them in.
func definitions(view any) ([]byte, error) {
	text, err := marshal(view)
	if err != nil {
		return nil, err
	}
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	var page bytes.Buffer
	page.WriteString("<dl>")
	for dec.PeekKind() == jsontext.KindString {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		field := strings.ReplaceAll(name.String(), "_", " ")
		value, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		shown := string(value)
		if value.Kind() == jsontext.KindString {
			shown = unquote(value)
		}
		fmt.Fprintf(&page, "<dt>%s<dd>%s", html.EscapeString(field), html.EscapeString(shown))
	}
	page.WriteString("</dl>")
	return page.Bytes(), nil
}
