package server

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
	"github.com/assay-eval/assay/store"
)

// Datasets implements [web.DatasetBackend].
func (b pageBackend) Datasets(ctx context.Context) ([]web.Dataset, error) {
	contents, err := b.s.contents(ctx)
	if err != nil {
		return nil, err
	}
	views, err := b.s.catalogue(ctx)
	if err != nil {
		return nil, err
	}
	var out []web.Dataset
	at, files := map[string]int{}, map[string]string{}
	for _, v := range views {
		files[v.Name] = v.Name
	}
	// Runs of the command line name a file without its extension.
	for _, v := range views {
		if stem := strings.TrimSuffix(v.Name, filepath.Ext(v.Name)); files[stem] == "" {
			files[stem] = v.Name
		}
	}
	of := func(name string) *web.Dataset {
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, web.Dataset{Name: name})
		}
		return &out[i]
	}
	for _, c := range contents {
		d := of(cmp.Or(files[c.Dataset], c.Dataset))
		if d.Name != c.Dataset {
			d.Stem = c.Dataset
		}
		if i := slices.IndexFunc(d.Contents, func(o web.ContentView) bool { return o.Hash == c.Hash }); i >= 0 {
			d.Contents[i].Runs += c.Runs
			continue
		}
		d.Contents = append(d.Contents, c)
	}
	for _, v := range views {
		if d := of(v.Name); d.From == "" {
			d.From = v.From
		}
	}
	return out, nil
}

// File implements [web.DatasetBackend].
func (b pageBackend) File(ctx context.Context, name string) (*web.DatasetFile, error) {
	c, err := b.s.checked(ctx, name)
	var said huma.StatusError
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case errors.As(err, &said) && said.GetStatus() == 409:
		return &web.DatasetFile{Problem: err.Error()}, nil
	case err != nil:
		return nil, err
	}
	return &web.DatasetFile{Hash: c.view.Hash, Stats: c.stats, Findings: c.findings}, nil
}

// Doubts implements [web.DatasetBackend].
func (b pageBackend) Doubts(ctx context.Context, hash string) (*web.DatasetDoubts, error) {
	d, err := b.s.doubts(ctx, hash)
	if err != nil {
		return nil, err
	}
	return &web.DatasetDoubts{Doubts: d.Doubts, Headers: d.runs, All: d.all}, nil
}

// Briefs implements [web.DatasetBackend].
func (b pageBackend) Briefs(ctx context.Context, run string, seqs []int) ([]assay.Record, error) {
	return b.s.store.BriefsAt(ctx, run, seqs)
}
