package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/lazyregexp"
	"github.com/assay-eval/assay/store"
)

// namePattern matches names that users choose. A name is never a path.
const namePattern = `^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`

var validName = lazyregexp.New(namePattern)

// A baselineView is a baseline in a list.
type baselineView struct {
	Name    string    `json:"name" doc:"name of the baseline" example:"main"`
	Created time.Time `json:"created" doc:"time when the baseline was first stored" example:"2026-03-02T09:30:00Z"`
	Updated time.Time `json:"updated" doc:"time when the baseline was last stored" example:"2026-03-09T09:30:00Z"`
	Size    int64     `json:"size_bytes" doc:"size of the stored baseline in bytes" example:"18231"`
}

type BaselinePath struct {
	Name string `path:"name" maxLength:"128" doc:"name of a baseline: letters, digits, \".\", \"_\" and \"-\""`
}

// A baselineRequest is a run to make a baseline from, or a baseline file.
type baselineRequest struct {
	Run      string         `json:"run_id,omitempty" maxLength:"128" doc:"id of a finished run" example:"01990a3e-7c1d-7d2a-9c57-0f3b6f1f2a10"`
	Reason   string         `json:"reason,omitempty" maxLength:"2000" doc:"reason for the baseline" example:"new retriever approved"`
	Baseline baselineObject `json:"baseline,omitzero" doc:"in place of run_id: a file of assay baseline save"`
}

func (s *Server) baselines() {
	register(s, "list-baselines", func(ctx context.Context, in *Paging) (*list[baselineView], error) {
		return listItems(ctx, s, store.KindBaseline, store.ItemQuery{}, *in, func(it store.Item) (baselineView, error) {
			return baselineView{it.ID, it.Created, it.Updated, it.Size}, nil
		})
	})
	register(s, "get-baseline", func(ctx context.Context, in *BaselinePath) (*file, error) {
		b, err := s.findBaseline(ctx, in.Name)
		return &file{Type: "application/json", Body: b}, s.orAbsent(ctx, err, "baseline", in.Name)
	}, gives(jsonFiles("baseline")))
	registerOne(s, "put-baseline", func(ctx context.Context, in *struct {
		BaselinePath
		Body baselineRequest
	}) (v baselineView, err error) {
		if !validName().MatchString(in.Name) {
			return v, wrong("path.name", "expected letters, digits, \".\", \"_\" and \"-\", at most 128, the first a letter or a digit", in.Name)
		}
		b, err := s.baselineOf(ctx, in.Body)
		if err != nil {
			return v, err
		}
		var text bytes.Buffer
		if err := b.Write(&text); err != nil {
			return v, err
		}
		now := s.now()
		item := store.Item{
			Kind: store.KindBaseline, ID: in.Name, Name: in.Name, Parent: b.Run, Created: now, Updated: now, Body: text.Bytes(),
		}
		if err := s.store.PutItem(ctx, item); err != nil {
			return v, err
		}
		it, err := s.store.Item(ctx, store.KindBaseline, in.Name)
		return baselineView{it.ID, it.Created, it.Updated, it.Size}, err
	})
	register(s, "delete-baseline", func(ctx context.Context, in *BaselinePath) (*deletion, error) {
		return s.remove(ctx, store.KindBaseline, in.Name, "baseline", validName().MatchString)
	})
}

// baselineOf builds the requested baseline. The error is a problem.
func (s *Server) baselineOf(ctx context.Context, q baselineRequest) (*gate.Baseline, error) {
	file := q.Baseline.RawMessage
	switch {
	case (q.Run == "") == (file == nil):
		return nil, wrong("body", "expected run_id or baseline", nil)
	case file != nil:
		b, err := gate.ReadBaseline(bytes.NewReader(file))
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
		return nil, err
	}
	b, err := gate.NewBaseline(rep.Run(), q.Reason, s.now())
	if err != nil {
		return nil, conflict(err.Error())
	}
	return b, nil
}

// findBaseline returns the file of a baseline by name.
func (s *Server) findBaseline(ctx context.Context, name string) ([]byte, error) {
	it, err := s.store.Item(ctx, store.KindBaseline, name)
	return it.Body, err
}

// placeBaseline writes the stored baseline of a run into a folder, and returns its path; "" if the run
// has none, or that of a file that the settings name.
func (s *Server) placeBaseline(ctx context.Context, r *config.Resolved, req keptRequest, dir string) (string, error) {
	if req.Elsewhere || r.Baseline == "" || r.Baseline == s.cfg.Settings.Baseline {
		return "", nil
	}
	b, err := s.findBaseline(ctx, r.Baseline)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "baseline.json")
	return path, os.WriteFile(path, b, 0o600)
}

// paths returns a function that resolves paths; the names in files stand for their files.
func (s *Server) paths(files map[string]string) func(string) string {
	return func(p string) string { return cmp.Or(files[p], s.cfg.World.Path(p)) }
}
