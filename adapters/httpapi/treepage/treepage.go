// Package treepage writes the page that a person sees at a tree: one request, no
// script, no font, no picture, a few kilobytes, in the language that the browser
// asks for.
//
// Decisions taken here:
//
//   - A language is one file in locales/, named after its tag. One that misses a text
//     stops the start, so that no page is ever half translated.
//   - The style stands in the page and is named by its hash in the
//     Content-Security-Policy, which allows nothing else.
//   - The map opens by a geo: address (RFC 5870), so that the visitor's own device
//     chooses the map and nobody else learns of the visit.
package treepage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"strconv"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"continuity/domain/scan"
)

//go:embed locales/*.json page.html page.css
var files embed.FS

// texts are the words that a language must have.
var texts = []string{
	"first_visit", "welcome_back", "species", "place", "number", "open_map",
	"missing_title", "missing_text", "busy_title", "busy_text",
}

// Pages writes pages.
type Pages struct {
	layout    *template.Template
	style     template.CSS
	matcher   language.Matcher
	languages []spoken
}

// spoken is one language with its words.
type spoken struct {
	tag   string
	words map[string]string
}

// Policy is the Content-Security-Policy of every page.
var Policy = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-" +
	styleHash() + "'"

func styleHash() string {
	sum := sha256.Sum256(read("page.css"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// New reads the pages and the languages, which are parts of the program.
func New() *Pages {
	p := &Pages{
		layout: template.Must(template.New("page").Parse(string(read("page.html")))),
		style:  template.CSS(read("page.css")), //nolint:gosec // a file of ours
	}
	if err := p.learn(); err != nil {
		panic("treepage: " + err.Error())
	}
	return p
}

func read(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic("treepage: " + err.Error())
	}
	return text
}

// learn reads every language. English comes first: it is spoken to whoever asks
// for none that is there.
func (p *Pages) learn() error {
	bundle := i18n.NewBundle(language.English)
	names, err := fs.Glob(files, "locales/*.json")
	if err != nil {
		return fmt.Errorf("list the languages: %w", err)
	}
	for _, name := range names {
		if _, err := bundle.LoadMessageFileFS(files, name); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
	}
	tags := bundle.LanguageTags()
	for _, tag := range tags {
		words, err := wordsOf(bundle, tag)
		if err != nil {
			return err
		}
		p.languages = append(p.languages, spoken{tag: tag.String(), words: words})
	}
	p.matcher = language.NewMatcher(tags)
	return nil
}

func wordsOf(bundle *i18n.Bundle, tag language.Tag) (map[string]string, error) {
	localizer, words := i18n.NewLocalizer(bundle, tag.String()), map[string]string{}
	for _, id := range texts {
		text, of, err := localizer.LocalizeWithTag(&i18n.LocalizeConfig{MessageID: id})
		if err != nil || of != tag || text == "" {
			return nil, fmt.Errorf("the language %s has no text %q", tag, id)
		}
		words[id] = text
	}
	return words, nil
}

// mostAccept bounds how much of an Accept-Language is looked at, in bytes.
const mostAccept = 512

// speak is the language that serves an Accept-Language best.
func (p *Pages) speak(accept string) spoken {
	if len(accept) > mostAccept {
		accept = ""
	}
	_, index := language.MatchStrings(p.matcher, accept)
	return p.languages[index]
}

// page is what the layout needs.
type page struct {
	Lang, Title, Greeting, Text string
	Facts                       []fact
	Style                       template.CSS
}

type fact struct {
	Term, Value string
	Map         *link
}

type link struct {
	Address template.URL
	Text    string
}

// Tree is the page of a tree, and the language that it is in. A status greets; an
// empty one does not.
func (p *Pages) Tree(accept string, tree scan.Tree, status scan.Status) (text []byte, lang string) {
	in := p.speak(accept)
	shown := page{Title: tree.Name}
	switch status {
	case scan.NewVisitor:
		shown.Greeting = in.words["first_visit"]
	case scan.ReturningVisitor:
		shown.Greeting = in.words["welcome_back"]
	}
	if tree.Species != "" {
		shown.Facts = append(shown.Facts, fact{Term: in.words["species"], Value: tree.Species})
	}
	if tree.Place != nil {
		shown.Facts = append(shown.Facts, in.placed(*tree.Place))
	}
	shown.Facts = append(shown.Facts, fact{Term: in.words["number"], Value: string(tree.ID)})
	if shown.Title == "" {
		shown.Title = string(tree.ID)
	}
	return p.write(shown, in)
}

func (s spoken) placed(at scan.Place) fact {
	lat, lon := degrees(at.Lat), degrees(at.Lon)
	return fact{
		Term: s.words["place"], Value: lat + ", " + lon,
		Map: &link{Address: template.URL("geo:" + lat + "," + lon), Text: s.words["open_map"]}, //nolint:gosec // two numbers
	}
}

// degrees has six decimals at most, which is a tenth of a metre.
func degrees(d float64) string {
	const precision = 1e6
	return strconv.FormatFloat(float64(int64(d*precision))/precision, 'f', -1, 64)
}

// Missing is the page of a code that leads to no tree.
func (p *Pages) Missing(accept string) (text []byte, lang string) {
	in := p.speak(accept)
	return p.write(page{Title: in.words["missing_title"], Text: in.words["missing_text"]}, in)
}

// Busy is the page of a service that cannot answer now.
func (p *Pages) Busy(accept string) (text []byte, lang string) {
	in := p.speak(accept)
	return p.write(page{Title: in.words["busy_title"], Text: in.words["busy_text"]}, in)
}

func (p *Pages) write(shown page, in spoken) (text []byte, lang string) {
	shown.Lang, shown.Style = in.tag, p.style
	var out bytes.Buffer
	if err := p.layout.Execute(&out, shown); err != nil {
		panic("treepage: " + err.Error())
	}
	return out.Bytes(), in.tag
}
