package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// A viewFile is a saved view as it is stored, under its name. By and Token are the name and
// the id of the token of who saved it.
type viewFile struct {
	URL   string `json:"url"`
	By    string `json:"by,omitempty"`
	Token string `json:"token,omitempty"`
}

type ViewPath struct {
	Name string `path:"name" maxLength:"400" doc:"name of a saved view: letters, digits, spaces, \".\", \"_\" and \"-\", at most 100"`
}

type viewRequest struct {
	URL string `json:"url" minLength:"1" maxLength:"4000" doc:"address of a page of this server, from its first slash on" example:"/runs/01990a3e/cases?q=mrr%3C0.5"`
}

func (s *Server) views() {
	pages := pageBackend{s}
	register(s, operation("views", http.MethodGet, "/views", "list-views", "List the saved views, latest first"),
		func(ctx context.Context, in *Paging) (*list[web.ViewView], error) {
			return listItems(ctx, s, store.KindView, store.ItemQuery{Bodies: true}, *in, s.viewOf(ctx))
		})
	get := func(ctx context.Context, in *ViewPath) (web.ViewView, error) { return pages.View(ctx, in.Name) }
	registerOne(s, operation("views", http.MethodGet, "/views/{name}", "get-view", "Get a saved view"), get)
	registerOne(s, operation("views", http.MethodPut, "/views/{name}", "put-view", "Save a view, or replace one's own",
		needs(ScopeLabel), fails(http.StatusConflict)),
		func(ctx context.Context, in *struct {
			ViewPath
			Body viewRequest
		}) (web.ViewView, error) {
			if err := pages.SaveView(ctx, in.Name, in.Body.URL); err != nil {
				return web.ViewView{}, err
			}
			return get(ctx, &in.ViewPath)
		})
	register(s, operation("views", http.MethodDelete, "/views/{name}", "delete-view", "Delete a view of one's own",
		needs(ScopeLabel), fails(http.StatusConflict)),
		func(ctx context.Context, in *ViewPath) (*deletion, error) {
			return deleted(in.Name), pages.DropView(ctx, in.Name)
		})
}

// viewOf returns a function that reads a stored view for the reader.
func (s *Server) viewOf(ctx context.Context) func(store.Item) (web.ViewView, error) {
	return func(it store.Item) (web.ViewView, error) {
		var f viewFile
		err := json.Unmarshal(it.Body, &f)
		own := s.may(ctx, ScopeAdmin) || s.may(ctx, ScopeLabel) && f.Token == who(ctx)
		return web.ViewView{Name: it.ID, URL: f.URL, By: f.By, Updated: it.Updated, Own: own}, err
	}
}

// Views implements [web.ViewBackend].
func (b pageBackend) Views(ctx context.Context) ([]web.ViewView, error) {
	l, err := listItems(ctx, b.s, store.KindView, store.ItemQuery{Bodies: true}, Paging{Limit: web.MaxViews}, b.s.viewOf(ctx))
	if err != nil {
		return nil, err
	}
	return l.Body.Items, nil
}

// savedView reads a saved view. The error is that of the store.
func (s *Server) savedView(ctx context.Context, name string) (web.ViewView, error) {
	it, err := s.store.Item(ctx, store.KindView, name)
	if err != nil {
		return web.ViewView{}, err
	}
	return s.viewOf(ctx)(it)
}

// View implements [web.ViewBackend]. The error is a problem.
func (b pageBackend) View(ctx context.Context, name string) (web.ViewView, error) {
	v, err := b.s.savedView(ctx, name)
	return v, b.s.orAbsent(ctx, err, "view", name)
}

// SaveView implements [web.ViewBackend]. The error is a problem.
func (b pageBackend) SaveView(ctx context.Context, name, address string) error {
	if !web.ViewName(name) {
		return wrong("path.name", "want letters, digits, spaces, \".\", \"_\" and \"-\", at most 100, the first a letter or a digit", name)
	}
	to := web.ViewAddress(address)
	if to == "" {
		return wrong("body.url", "want the address of a page of this server, from its first slash on, such as /runs/RUN/cases?q=status:error", address)
	}
	b.s.naming.Lock()
	defer b.s.naming.Unlock()
	if err := b.ownView(ctx, name); err != nil {
		return err
	}
	_, total, err := b.s.store.Items(ctx, store.KindView, store.ItemQuery{Limit: 1})
	if err != nil {
		return err
	}
	if total >= web.MaxViews {
		return conflict(fmt.Sprintf("%d views are saved already: delete one", web.MaxViews))
	}
	f := viewFile{URL: to}
	if t := tokenOf(ctx); t != nil {
		f.By, f.Token = t.Name, t.ID
	}
	return b.s.keep(ctx, store.KindView, name, name, "", f)
}

// DropView implements [web.ViewBackend]. The error is a problem.
func (b pageBackend) DropView(ctx context.Context, name string) error {
	if err := b.ownView(ctx, name); err != nil {
		return err
	}
	_, err := b.s.remove(ctx, store.KindView, name, "view", web.ViewName)
	return err
}

// ownView is a problem if there is a view of the name that the reader may not change.
func (b pageBackend) ownView(ctx context.Context, name string) error {
	v, err := b.s.savedView(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err == nil && !v.Own:
		return conflict(fmt.Sprintf("the view %q was saved by %s: choose another name", name, cmp.Or(v.By, "someone else")))
	}
	return err
}
