// Package demo is a small site to try the service with: a home page, two articles
// and a contact form. It is served only when asked for, on the public interface,
// and stores nothing itself: what happens on it goes through the service like the
// visits of any other site. Beside it, on an origin of its own, is a portal to which
// the site hands its visitors off.
package demo

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"

	"continuity/domain/handoff"
)

//go:embed pages
var files embed.FS

// page is one of the site's own; its body stands in pages/.
type page struct {
	Path, Title, body string
	Script            string // the client that the page loads
	Content           template.HTML
	Portal            handoff.Destination
}

var pages = []page{
	{Path: "/", Title: "The old orchard", body: "home.html"},
	{Path: "/pruning", Title: "Pruning in February", body: "pruning.html"},
	{Path: "/cider", Title: "What to do with windfalls", body: "cider.html"},
	{Path: "/contact", Title: "Visit us", body: "contact.html"},
	{Path: "/thanks", Title: "Thank you", body: "thanks.html"},
}

// Pages are the site's, by their paths, with links to the portal at that host. They
// set no cookie and are asked for anew each time. script is the client that they load.
func Pages(script string, portal handoff.Destination) map[string]http.Handler {
	mux, served := http.NewServeMux(), map[string]http.Handler{}
	layout := template.Must(template.ParseFS(files, "pages/layout.html"))
	serve := func(path, media string, text []byte) {
		mux.Handle("GET "+exactly(path), static(media, text))
		served[path] = mux
	}
	for _, p := range pages {
		p.Script, p.Portal = script, portal
		serve(p.Path, "text/html; charset=utf-8", p.render(layout))
	}
	serve("/style.css", "text/css; charset=utf-8", read("style.css"))
	// The form is sent here as well, as on a site that had it before; by then its
	// content is on its way to the service.
	mux.Handle("POST /thanks", http.RedirectHandler("/thanks", http.StatusSeeOther))
	return served
}

// exactly keeps / from matching everything.
func exactly(path string) string {
	if path == "/" {
		return "/{$}"
	}
	return path
}

func (p page) render(layout *template.Template) []byte {
	p.Content = template.HTML(read(p.body)) //nolint:gosec // a file of ours
	var text bytes.Buffer
	if err := layout.Execute(&text, p); err != nil {
		panic("render a page of the demonstration: " + err.Error())
	}
	return text.Bytes()
}

func read(name string) []byte {
	text, err := files.ReadFile("pages/" + name)
	if err != nil {
		panic("read a file of the demonstration: " + err.Error())
	}
	return text
}

func static(media string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text)
	})
}
