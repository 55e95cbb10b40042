package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/store"
)

// namePattern is what things that people name are called: never a path.
const namePattern = `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`

var validName = regexp.MustCompile(namePattern)

// A baselineView is a baseline in a list.
type baselineView struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Size    int64     `json:"size_bytes"`
}

type BaselinePath struct {
	Name string `path:"name" maxLength:"128" doc:"name of a baseline: letters, digits, \".\", \"_\" and \"-\""`
}

// A baselineRequest is a run that becomes a baseline, or a baseline as a file has
// it.
type baselineRequest struct {
	Run      string         `json:"run_id,omitempty" maxLength:"128" doc:"a run that is finished"`
	Reason   string         `json:"reason,omitempty" maxLength:"2000" doc:"why the baseline is what it is"`
	Baseline settingsObject `json:"baseline,omitempty" doc:"in place of a run: what assay baseline save wrote"`
}

func (s *Server) baselines(api huma.API) {
	huma.Register(api, operation("comparisons", http.MethodGet, "/baselines", "list-baselines", "The baselines, the latest first"), func(ctx context.Context, in *Paging) (*list[baselineView], error) {
		items, total, err := s.store.Items(ctx, store.KindBaseline, store.ItemQuery{Limit: in.Limit, Offset: in.Offset})
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		views := make([]baselineView, len(items))
		for i, it := range items {
			views[i] = baselineView{it.ID, it.Created, it.Updated, it.Size}
		}
		return listed(views, total, *in), nil
	})
	op := operation("comparisons", http.MethodGet, "/baselines/{name}", "get-baseline", "A baseline, as assay baseline save writes it")
	op.Responses = files("application/json")
	huma.Register(api, op, func(ctx context.Context, in *BaselinePath) (*file, error) {
		b, err := s.findBaseline(ctx, in.Name)
		if errors.Is(err, store.ErrNotFound) {
			return nil, absent("baseline", in.Name)
		}
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return &file{Type: "application/json", Body: b}, nil
	})
	huma.Register(api, operation("comparisons", http.MethodPut, "/baselines/{name}", "put-baseline", "Keep a baseline, or replace it"), func(ctx context.Context, in *struct {
		BaselinePath
		Body baselineRequest
	}) (*one[baselineView], error) {
		if !validName.MatchString(in.Name) {
			return nil, wrong("path.name", "want letters, digits, \".\", \"_\" and \"-\", at most 128, the first a letter or a digit", in.Name)
		}
		b, err := s.baselineOf(ctx, in.Body)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := b.Write(&text); err != nil {
			return nil, s.fail(ctx, err)
		}
		now := s.now()
		if err := s.store.PutItem(ctx, store.Item{Kind: store.KindBaseline, ID: in.Name, Name: in.Name, Parent: b.Run, Created: now, Updated: now, Body: text.Bytes()}); err != nil {
			return nil, s.fail(ctx, err)
		}
		it, err := s.store.Item(ctx, store.KindBaseline, in.Name)
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return &one[baselineView]{baselineView{it.ID, it.Created, it.Updated, it.Size}}, nil
	})
	huma.Register(api, operation("comparisons", http.MethodDelete, "/baselines/{name}", "delete-baseline", "Delete a baseline"), func(ctx context.Context, in *BaselinePath) (*deletion, error) {
		err := s.store.DeleteItem(ctx, store.KindBaseline, in.Name)
		if errors.Is(err, store.ErrNotFound) {
			return nil, absent("baseline", in.Name)
		}
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		return deleted(in.Name), nil
	})
}

// baselineOf makes the baseline that is asked for. The error is a problem.
func (s *Server) baselineOf(ctx context.Context, q baselineRequest) (*gate.Baseline, error) {
	switch {
	case q.Run != "" && q.Baseline != nil, q.Run == "" && q.Baseline == nil:
		return nil, wrong("body", "want run_id or baseline", nil)
	case q.Baseline != nil:
		text, err := q.Baseline.text()
		if err != nil {
			return nil, s.fail(ctx, err)
		}
		b, err := gate.ReadBaseline(bytes.NewReader(text))
		if err != nil {
			return nil, wrong("body.baseline", err.Error(), nil)
		}
		if q.Reason != "" {
			b.Reason = q.Reason
		}
		return b, nil
	}
	h, err := s.header(ctx, q.Run)
	if err != nil {
		return nil, err
	}
	if h.State != stateFinished {
		return nil, conflict(fmt.Sprintf("run %q is not finished: it is %s", h.ID, h.State))
	}
	rep, err := s.report(ctx, h)
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	b, err := gate.NewBaseline(gate.Run{Header: rep.Header, Summary: rep.Summary, Records: rep.Records}, q.Reason, s.now())
	if err != nil {
		return nil, conflict(err.Error())
	}
	return b, nil
}

// findBaseline gives the text of a baseline by its name.
func (s *Server) findBaseline(ctx context.Context, name string) ([]byte, error) {
	it, err := s.store.Item(ctx, store.KindBaseline, name)
	return it.Body, err
}

// baselinePlaced gives the way to resolve paths in which the name of a baseline
// stands for a file with it, as long as the function that is returned beside it
// is not called.
func (s *Server) baselinePlaced(ctx context.Context, name string, byPath bool) (place func(string) string, clean func(), err error) {
	clean = func() {}
	if name == "" || byPath || name == s.cfg.Settings.Baseline {
		return s.cfg.World.Path, clean, nil
	}
	b, err := s.findBaseline(ctx, name)
	if err != nil {
		return nil, clean, err
	}
	dir, err := os.MkdirTemp("", "assay-baseline-")
	if err != nil {
		return nil, clean, err
	}
	clean = func() { _ = os.RemoveAll(dir) }
	path := filepath.Join(dir, "baseline.json")
	return func(p string) string {
		if p == name {
			return path
		}
		return s.cfg.World.Path(p)
	}, clean, os.WriteFile(path, b, 0o600)
}
