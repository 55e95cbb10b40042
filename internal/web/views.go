package web

import (
	"context"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A ViewBackend keeps saved views.
type ViewBackend interface {
	// Views lists the saved views, the latest first.
	Views(ctx context.Context) ([]ViewView, error)
	// View returns a saved view by its name.
	View(ctx context.Context, name string) (ViewView, error)
	// SaveView stores an address under a name, DropView deletes it. Only the reader who saved a
	// view and administrators may change it.
	SaveView(ctx context.Context, name, address string) error
	DropView(ctx context.Context, name string) error
}

// A ViewView is a saved view, in replies of the API, too.
type ViewView struct {
	Name    string    `json:"name" doc:"name of the view: /s/NAME leads to it" example:"regressions of May"`
	URL     string    `json:"url" doc:"address of a page of this server, with its filter, order and columns" example:"/runs/01990a3e/cases?q=mrr%3C0.5"`
	By      string    `json:"by,omitempty" doc:"name of the token of who saved it; absent without tokens" example:"wong"`
	Updated time.Time `json:"updated" doc:"time when it was last saved" example:"2026-03-09T09:30:00Z"`
	// Own is set if the reader may change it.
	Own bool `json:"-"`
}

// Short is the address that leads to the view.
func (v ViewView) Short() string { return "/s/" + url.PathEscape(v.Name) }

// MaxViews bounds the number of saved views.
const MaxViews = 1000

// maxViewAddress bounds the address of a saved view, in bytes.
const maxViewAddress = 4000

var viewName = lazyregexp.New(`^[\p{L}\p{N}]([\p{L}\p{M}\p{N}._ -]{0,98}[\p{L}\p{M}\p{N}._-])?$`)

// ViewName reports whether a text can be the name of a saved view: up to 100 letters, digits,
// spaces, ".", "_" and "-", the first a letter or a digit, the last no space.
func ViewName(name string) bool { return viewName().MatchString(name) }

// ViewAddress returns the address that a saved view stores: that of a page of this server, ""
// if it is none.
func ViewAddress(address string) string {
	u, err := url.Parse(address)
	if len(address) > maxViewAddress || local(address) == "" || err != nil || u.IsAbs() || u.Host != "" ||
		path.Clean(u.EscapedPath()) != u.EscapedPath() {
		return ""
	}
	// Addresses without a page, and other saved views, which could lead in a circle.
	for _, not := range []string{"/api", "/static", "/s", "/views", "/signin", "/signout", "/metrics", "/docs"} {
		if u.Path == not || strings.HasPrefix(u.Path, not+"/") {
			return ""
		}
	}
	return u.RequestURI()
}

// views lists the saved views.
func (p *Pages) views(r *request) (view, error) {
	all, err := p.cfg.Backend.Views(r.Context())
	return view{Template: "views", Title: r.w.Names().ShellNames.SavedViews, Place: placeViews, Data: all}, err
}

// savedView leads to a saved view.
func (p *Pages) savedView(r *request) (view, error) {
	v, err := p.cfg.Backend.View(r.Context(), r.PathValue("name"))
	return view{Redirect: v.URL}, err
}

func (p *Pages) saveView(r *request) (view, error) {
	err := p.cfg.Backend.SaveView(r.Context(), strings.TrimSpace(r.PostFormValue("name")), r.PostFormValue("url"))
	return view{Redirect: "/views"}, err
}

func (p *Pages) dropView(r *request) (view, error) {
	return view{Redirect: "/views"}, p.cfg.Backend.DropView(r.Context(), r.PostFormValue("name"))
}

// findViews returns the saved views whose names contain a text.
func (p *Pages) findViews(r *request, text string) (findGroup, error) {
	g := findGroup{Name: r.w.Names().ShellNames.SavedViews}
	all, err := p.cfg.Backend.Views(r.Context())
	for _, v := range all {
		if len(g.Finds) < foundShown && strings.Contains(strings.ToLower(v.Name), strings.ToLower(text)) {
			g.Finds = append(g.Finds, find{Text: v.Name, Note: v.URL, Address: v.Short()})
		}
	}
	return g, err
}
