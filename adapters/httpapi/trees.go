package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/gorilla/mux"

	"continuity/domain/fault"
	"continuity/domain/scan"
	"continuity/ports/access"
	"continuity/ports/scanning"
)

// treesAPI speaks for the scanning port, to the owners of the trees.
type treesAPI struct {
	service *scanning.Service
	base    string
}

// trees are the routes of the trees. The word metrics is no tree's id.
func (p Private) trees(router *mux.Router, gate accessGate) {
	api := treesAPI{service: p.Scanning, base: p.PublicURL}
	needs := func(h handler) http.Handler { return gate.needs(access.Trees, h) }
	router.Handle("/v1/trees", verbs{http.MethodGet: needs(api.list), http.MethodPost: needs(api.add)})
	router.Handle("/v1/trees/metrics", verbs{http.MethodGet: needs(api.allMetrics)})
	router.Handle("/v1/trees/{tree}", verbs{http.MethodGet: needs(api.tree), http.MethodPatch: needs(api.change)})
	router.Handle("/v1/trees/{tree}/metrics", verbs{http.MethodGet: needs(api.metrics)})
	router.Handle("/v1/trees/{tree}/qr.svg", verbs{http.MethodGet: needs(api.code(scanning.SVG, "image/svg+xml"))})
	router.Handle("/v1/trees/{tree}/qr.png", verbs{http.MethodGet: needs(api.code(scanning.PNG, "image/png"))})
}

type (
	treeView struct {
		ID        string   `json:"id"`
		Name      string   `json:"name"`
		Species   string   `json:"species"`
		Lat       *float64 `json:"lat"`
		Lon       *float64 `json:"lon"`
		TargetURL *string  `json:"target_url"`
	}
	treeBody struct {
		Tree treeView `json:"tree"`
	}
	treesView struct {
		Trees []treeView `json:"trees"`
		Next  string     `json:"next,omitempty"`
	}
)

func viewTree(t scan.Tree) treeView {
	view := treeView{ID: string(t.ID), Name: t.Name, Species: t.Species, TargetURL: textOrNull(t.Target)}
	if t.Place != nil {
		view.Lat, view.Lon = &t.Place.Lat, &t.Place.Lon
	}
	return view
}

func treeID(r *http.Request) (scan.TreeID, error) {
	id, ok := scan.ParseTreeID(mux.Vars(r)["tree"])
	if !ok {
		return "", fault.New(fault.NotFound, "", "no such tree")
	}
	return id, nil
}

func (a treesAPI) list(w http.ResponseWriter, r *http.Request) error {
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	listed, err := a.service.Trees(r.Context(), scanning.Page(page))
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, treesView{Trees: each(listed.Trees, viewTree), Next: listed.Next})
}

func (a treesAPI) add(w http.ResponseWriter, r *http.Request) error {
	said, err := decode(w, r, decodeTree)
	if err != nil {
		return err
	}
	tree := scan.Tree{ID: said.id}
	said.apply(&tree)
	if tree, err = a.service.Add(r.Context(), tree); err != nil {
		return err
	}
	return respond(w, http.StatusCreated, treeBody{Tree: viewTree(tree)})
}

func (a treesAPI) tree(w http.ResponseWriter, r *http.Request) error {
	id, err := treeID(r)
	if err != nil {
		return err
	}
	tree, err := a.service.Look(r.Context(), id)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, treeBody{Tree: viewTree(tree)})
}

func (a treesAPI) change(w http.ResponseWriter, r *http.Request) error {
	id, err := treeID(r)
	if err != nil {
		return err
	}
	said, err := decode(w, r, decodeTree)
	if err != nil {
		return err
	}
	if said.named && said.id != id {
		return fault.New(fault.Invalid, "id", "cannot be changed: it stands on the tree")
	}
	tree, err := a.service.Change(r.Context(), id, said.apply)
	if err != nil {
		return err
	}
	return respond(w, http.StatusOK, treeBody{Tree: viewTree(tree)})
}

// codeAge is how long a code's picture may be kept. It changes with the base only.
const codeAge = "private, max-age=86400"

// code is the picture of a tree's code. It is no scan, whoever asks for it.
func (a treesAPI) code(form scanning.Form, media string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, err := treeID(r)
		if err != nil {
			return err
		}
		base := a.base
		if named := r.URL.Query().Get("base"); named != "" {
			base = named
		}
		drawn, err := a.service.Code(r.Context(), id, base, form)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(drawn)
		header := w.Header()
		header.Set("Cache-Control", codeAge)
		header.Set("Content-Type", media)
		header.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
		header.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(drawn))
		return nil
	}
}
