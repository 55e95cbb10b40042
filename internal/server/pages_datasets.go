package server

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/web"
)

// Datasets implements [web.DatasetBackend].
func (b pageBackend) Datasets(ctx context.Context) ([]web.Dataset, error) {
	runs, err := b.s.usedRuns(ctx)
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
	for _, r := range runs {
		d := of(cmp.Or(files[r.Dataset.Name], r.Dataset.Name))
		if d.Name != r.Dataset.Name {
			d.Stem = r.Dataset.Name
		}
		i := slices.IndexFunc(d.Contents, func(c web.ContentView) bool { return c.Hash == r.Dataset.Hash })
		if i < 0 {
			i = len(d.Contents)
			d.Contents = append(d.Contents, web.ContentView{Hash: r.Dataset.Hash, Cases: cmp.Or(r.Dataset.Total, r.Dataset.Cases), LastRun: r.ID, Last: r.Started})
		}
		d.Contents[i].Runs++
	}
	for _, v := range views {
		if d := of(v.Name); d.From == "" {
			d.From = v.From
		}
	}
	return out, nil
}

// Briefs implements [web.DatasetBackend].
func (b pageBackend) Briefs(ctx context.Context, run string, seqs []int) ([]assay.Record, error) {
	return b.s.store.BriefsAt(ctx, run, seqs)
}
