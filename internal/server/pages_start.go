package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/catalog"
	"github.com/assay-eval/assay/store"
)

// MayStart implements [web.StartBackend].
func (b pageBackend) MayStart(ctx context.Context) web.Permission {
	switch {
	case b.s.cfg.View:
		return web.OnlyShows
	case !b.s.may(ctx, ScopeRun):
		return web.NeedsScope
	}
	return web.MayStart
}

// OwnPage implements [web.StartBackend].
func (b pageBackend) OwnPage(r *http.Request) bool {
	// What a page of this server asks for may cost a question, so it is held to what a change is.
	change := r.Clone(r.Context())
	change.Method = http.MethodPost
	return b.s.cross.Check(change) == nil
}

// Choices implements [web.StartBackend].
func (b pageBackend) Choices(ctx context.Context) (web.RunChoices, error) {
	var out web.RunChoices
	for _, name := range b.s.targetNames() {
		t := b.s.target(name)
		if name == defaultTarget {
			t.Name = ""
		}
		out.Targets = append(out.Targets, t)
	}
	views, err := b.s.catalogue(ctx)
	if err != nil {
		return out, err
	}
	for _, v := range views {
		if !slices.Contains(out.Datasets, v.Name) {
			out.Datasets = append(out.Datasets, v.Name)
		}
	}
	if own := b.s.cfg.Settings.Dataset; own != "" {
		out.Datasets = append([]string{""}, out.Datasets...)
	}
	_, exact := b.s.providers()
	out.Judges = append([]string{"offline"}, exact...)
	defs := catalog.All().Defs()
	for _, g := range metric.Groups() {
		for _, d := range defs {
			if d.Group != g {
				continue
			}
			name := d.Name
			if d.Cutoff == metric.RequiredCutoff {
				name += fmt.Sprint("@", b.s.cfg.Settings.TopK)
			}
			out.Metrics = append(out.Metrics, web.MetricChoice{Name: name, Title: d.Title, Group: string(g), Needs: d.Needs.Names(), Judged: len(d.Asks) > 0})
		}
	}
	return out, nil
}

// requestOf returns the request of a form.
func requestOf(f web.RunForm) runRequest {
	req := runRequest{Dataset: f.Dataset, Target: f.Target, Name: f.Name, Config: settingsObject{}}
	for key, value := range f.Settings {
		req.Config[key] = value
	}
	return req
}

// formError turns a problem about a request into what is wrong with a form.
func formError(err error) error {
	var p *huma.ErrorModel
	if !errors.As(err, &p) || p.Status != http.StatusBadRequest {
		return err
	}
	var out web.FormError
	for _, e := range p.Errors {
		field := strings.TrimPrefix(strings.TrimPrefix(e.Location, "body"), ".")
		out = append(out, web.FieldError{Field: strings.TrimPrefix(field, "config."), Message: e.Message})
	}
	if out == nil {
		out = web.FormError{{Message: p.Detail}}
	}
	return out
}

// Estimate implements [web.StartBackend].
func (b pageBackend) Estimate(ctx context.Context, f web.RunForm) (*web.EstimateView, error) {
	v, err := b.s.estimateRun(ctx, requestOf(f))
	return v, formError(err)
}

// Start implements [web.StartBackend].
func (b pageBackend) Start(ctx context.Context, f web.RunForm, key string) (string, error) {
	// A browser that sends the form again leaves the first request.
	run, err := b.s.once(context.WithoutCancel(ctx), key, func(ctx context.Context) (string, error) {
		h, err := b.s.queue.submit(ctx, requestOf(f))
		return h.ID, err
	})
	return run, formError(err)
}

// Cancel implements [web.StartBackend].
func (b pageBackend) Cancel(ctx context.Context, run string) error {
	h, err := b.s.header(ctx, run)
	if err != nil {
		return err
	}
	return b.s.queue.cancelRun(ctx, h)
}

// Again implements [web.StartBackend].
func (b pageBackend) Again(ctx context.Context, run string) (f web.RunForm, ok bool, err error) {
	var req keptRequest
	if err := b.s.readItem(ctx, store.KindRequest, run, &req); errors.Is(err, store.ErrNotFound) || req.Elsewhere {
		return f, false, nil
	} else if err != nil {
		return f, false, err
	}
	if _, err := b.s.findDataset(ctx, req.Dataset); req.Dataset != "" && err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return f, false, nil
		}
		return f, false, err
	}
	if req.Target != "" && !slices.Contains(b.s.targetNames(), req.Target) {
		return f, false, nil
	}
	f = web.RunForm{Dataset: req.Dataset, Target: req.Target, Name: req.Name, Settings: map[string]string{}}
	if f.Target == defaultTarget {
		f.Target = ""
	}
	asked, _ := config.Request(req.Config)
	for _, a := range asked {
		f.Settings[a.Key] = a.Value
	}
	return f, true, nil
}
