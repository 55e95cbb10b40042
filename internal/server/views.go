package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

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

// A viewView is a saved view in replies.
type viewView struct {
	Name    string    `json:"name" doc:"name of the view: /s/NAME leads to it" example:"regressions of May"`
	URL     string    `json:"url" doc:"address of a page of this server, with its filter, order and columns" example:"/runs/01990a3e/cases?q=mrr%3C0.5"`
	By      string    `json:"by,omitempty" doc:"name of the token of who saved it; absent without tokens" example:"wong"`
	Updated time.Time `json:"updated" doc:"time when it was last saved" example:"2026-03-09T09:30:00Z"`

	token string
}

type ViewPath struct {
	Name string `path:"name" maxLength:"400" doc:"name of a saved view: letters, digits, spaces, \".\", \"_\" and \"-\", at most 100"`
}

type viewRequest struct {
	URL string `json:"url" minLength:"1" maxLength:"4000" doc:"address of a page of this server, from its first slash on" example:"/runs/01990a3e/cases?q=mrr%3C0.5"`
}

func (s *Server) views() {
	register(s, operation("views", http.MethodGet, "/views", "list-views", "List the saved views, latest first"),
		func(ctx context.Context, in *Paging) (*list[viewView], error) {
			return listItems(ctx, s, store.KindView, store.ItemQuery{}, *in, func(it store.Item) (viewView, error) { return s.savedView(ctx, it.ID) })
		})
	get := func(ctx context.Context, in *ViewPath) (viewView, error) {
		v, err := s.savedView(ctx, in.Name)
		return v, s.orAbsent(ctx, err, "view", in.Name)
	}
	registerOne(s, operation("views", http.MethodGet, "/views/{name}", "get-view", "Get a saved view"), get)
	registerOne(s, operation("views", http.MethodPut, "/views/{name}", "put-view", "Save a view, or replace one's own",
		needs(ScopeLabel), fails(http.StatusConflict)),
		func(ctx context.Context, in *struct {
			ViewPath
			Body viewRequest
		}) (viewView, error) {
			if err := s.saveView(ctx, in.Name, in.Body.URL); err != nil {
				return viewView{}, err
			}
			return get(ctx, &in.ViewPath)
		})
	register(s, operation("views", http.MethodDelete, "/views/{name}", "delete-view", "Delete a view of one's own",
		needs(ScopeLabel), fails(http.StatusConflict)),
		func(ctx context.Context, in *ViewPath) (*deletion, error) {
			return s.dropView(ctx, in.Name)
		})
}

// savedView reads a saved view. The error is that of the store.
func (s *Server) savedView(ctx context.Context, name string) (viewView, error) {
	it, err := s.store.Item(ctx, store.KindView, name)
	if err != nil {
		return viewView{}, err
	}
	var f viewFile
	if err := s.readItem(ctx, store.KindView, name, &f); err != nil {
		return viewView{}, err
	}
	return viewView{name, f.URL, f.By, it.Updated, f.Token}, nil
}

// saveView keeps an address under a name. The error is a problem.
func (s *Server) saveView(ctx context.Context, name, address string) error {
	if !web.ViewName(name) {
		return wrong("path.name", "want letters, digits, spaces, \".\", \"_\" and \"-\", at most 100, the first a letter or a digit", name)
	}
	to := web.ViewAddress(address)
	if to == "" {
		return wrong("body.url", "want the address of a page of this server, from its first slash on, such as /runs/RUN/cases?q=status:error", address)
	}
	s.naming.Lock()
	defer s.naming.Unlock()
	if err := s.ownView(ctx, name); err != nil {
		return err
	}
	_, total, err := s.store.Items(ctx, store.KindView, store.ItemQuery{Limit: 1})
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
	return s.keep(ctx, store.KindView, name, name, "", f)
}

// dropView deletes a view of the reader.
func (s *Server) dropView(ctx context.Context, name string) (*deletion, error) {
	if err := s.ownView(ctx, name); err != nil {
		return nil, err
	}
	return s.remove(ctx, store.KindView, name, "view", web.ViewName)
}

// ownView is a problem if there is a view of the name that the reader may not change.
func (s *Server) ownView(ctx context.Context, name string) error {
	v, err := s.savedView(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case s.owns(ctx, v):
		return nil
	}
	return conflict(fmt.Sprintf("the view %q was saved by %s: choose another name", name, cmp.Or(v.By, "someone else")))
}

// owns reports whether the reader may change a saved view.
func (s *Server) owns(ctx context.Context, v viewView) bool {
	return v.token == who(ctx) || s.may(ctx, ScopeAdmin)
}

// Views implements [web.ViewBackend].
func (b pageBackend) Views(ctx context.Context, text string, limit int) (out []web.SavedView, _ error) {
	items, _, err := b.s.store.Items(ctx, store.KindView, store.ItemQuery{})
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if len(out) == limit || !strings.Contains(strings.ToLower(it.Name), strings.ToLower(text)) {
			continue
		}
		v, err := b.s.savedView(ctx, it.ID)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		own := b.s.owns(ctx, v) && b.s.may(ctx, ScopeLabel)
		out = append(out, web.SavedView{Name: v.Name, Address: v.URL, By: v.By, At: v.Updated, Own: own})
	}
	return out, nil
}

// View implements [web.ViewBackend].
func (b pageBackend) View(ctx context.Context, name string) (web.SavedView, error) {
	v, err := b.s.savedView(ctx, name)
	return web.SavedView{Name: v.Name, Address: v.URL}, b.s.orAbsent(ctx, err, "view", name)
}

// SaveView implements [web.ViewBackend].
func (b pageBackend) SaveView(ctx context.Context, name, address string) error {
	return b.s.saveView(ctx, name, address)
}

// DropView implements [web.ViewBackend].
func (b pageBackend) DropView(ctx context.Context, name string) error {
	_, err := b.s.dropView(ctx, name)
	return err
}

// MayLabel implements [web.ViewBackend].
func (b pageBackend) MayLabel(ctx context.Context) bool { return b.s.may(ctx, ScopeLabel) }
