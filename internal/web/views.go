package web

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/assay-eval/assay/internal/lazyregexp"
)

// A ViewBackend keeps the views that readers saved.
type ViewBackend interface {
	// Views lists the saved views whose names have a text, the latest first, at most limit.
	Views(ctx context.Context, text string, limit int) ([]SavedView, error)
	// View returns a saved view by its name.
	View(ctx context.Context, name string) (SavedView, error)
	// SaveView keeps an address under a name, DropView forgets it. Only who saved a view may
	// change it, and an administrator.
	SaveView(ctx context.Context, name, address string) error
	DropView(ctx context.Context, name string) error
	// MayLabel reports whether the reader may label, and so save views.
	MayLabel(ctx context.Context) bool
}

// A SavedView is an address of a page under a name.
type SavedView struct {
	Name, Address string
	// By is the name of the token of who saved it; "" without one.
	By string
	At time.Time
	// Own is set if the reader may change it.
	Own bool
}

// MaxViews bounds the number of saved views.
const MaxViews = 1000

// MaxViewAddress bounds the address of a saved view, in bytes.
const MaxViewAddress = 4000

// viewName matches the names of saved views.
var viewName = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{M}\p{N}._ -]{0,99}$`)

// ViewName reports whether a text can be the name of a saved view: up to 100 letters, digits,
// spaces, ".", "_" and "-", the first a letter or a digit.
func ViewName(name string) bool {
	return viewName().MatchString(name) && strings.TrimSpace(name) == name
}

// ViewAddress returns an address as a saved view keeps it: that of a page of this server, ""
// if it is none.
func ViewAddress(address string) string {
	if len(address) > MaxViewAddress || local(address) == "" {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || path.Clean(u.EscapedPath()) != u.EscapedPath() {
		return ""
	}
	// What is no page, and other saved views, which could lead in a circle.
	for _, not := range []string{"/api", "/static", "/s", "/views", "/signin", "/signout", "/metrics", "/docs"} {
		if u.Path == not || strings.HasPrefix(u.Path, not+"/") {
			return ""
		}
	}
	return u.RequestURI()
}

// viewAddress is the address that leads to a saved view.
func viewAddress(name string) string { return "/s/" + url.PathEscape(name) }

// views is the list of the saved views.
func (p *Pages) views(r *request) (view, error) {
	all, err := p.cfg.Backend.Views(r.Context(), "", MaxViews)
	if err != nil {
		return view{}, err
	}
	type row struct {
		SavedView
		Short, Day string
	}
	data := struct{ Rows []row }{}
	for _, v := range all {
		data.Rows = append(data.Rows, row{v, viewAddress(v.Name), v.At.UTC().Format(time.DateOnly)})
	}
	return view{Template: "views", Title: r.w.Names().ShellNames.SavedViews, Place: placeViews, Data: data}, nil
}

// savedView leads to a saved view.
func (p *Pages) savedView(r *request) (view, error) {
	v, err := p.cfg.Backend.View(r.Context(), r.PathValue("name"))
	if err != nil {
		return view{}, err
	}
	return view{Redirect: v.Address}, nil
}

// saveView keeps the address of a page under a name.
func (p *Pages) saveView(r *request) (view, error) {
	err := p.cfg.Backend.SaveView(r.Context(), strings.TrimSpace(r.PostFormValue("name")), r.PostFormValue("url"))
	return view{Redirect: "/views"}, err
}

// dropView forgets a saved view.
func (p *Pages) dropView(r *request) (view, error) {
	err := p.cfg.Backend.DropView(r.Context(), r.PostFormValue("name"))
	return view{Redirect: "/views"}, err
}

// findViews returns the saved views whose name has a text.
func (p *Pages) findViews(r *request, text string) (findGroup, error) {
	g := findGroup{Name: r.w.Names().ShellNames.SavedViews}
	all, err := p.cfg.Backend.Views(r.Context(), text, foundShown)
	for _, v := range all {
		g.Finds = append(g.Finds, find{Text: v.Name, Note: v.Address, Address: viewAddress(v.Name)})
	}
	return g, err
}

// A share is what the bar above every page offers.
type share struct {
	// File is the address of the page as one file, "" if there is none.
	File string
	// View is the address that a saved view would keep, "" if the page is none; May is set if
	// the reader may save it.
	View string
	May  bool
}

func (p *Pages) shareOf(r *request, v view) share {
	if v.Status != 0 || r.Method != http.MethodGet || v.Place == placeSignIn {
		return share{}
	}
	return share{fileAddress(r, v), ViewAddress(r.URL.RequestURI()), p.cfg.Backend.MayLabel(r.Context())}
}
