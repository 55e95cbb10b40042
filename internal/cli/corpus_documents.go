package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/internal/wire"
)

// documentFlags select documents.
type documentFlags struct {
	limit    int
	ids      []string
	relevant bool
}

func (f *documentFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.limit, "limit", 0, "only the first documents (0: all)")
	flags.StringSliceVar(&f.ids, "ids", nil, "only these documents")
	flags.BoolVar(&f.relevant, "relevant-only", false, "only documents judged relevant to a query (of --queries, if given)")
}

// read returns the selected documents of a folder or of the dataset, and warnings.
func (f *documentFlags) read(ctx context.Context, env *Env, r *config.Resolved) (docs []assay.Document, warnings []string, err error) {
	switch {
	case r.Dataset == "" && r.Corpus == "":
		return nil, nil, errors.New("no documents: set --corpus to a folder, or --dataset to a BEIR directory or zip")
	case r.Dataset == "" && f.relevant:
		return nil, nil, errors.New("--relevant-only needs a --dataset with relevance judgments")
	}
	world := wire.World{Path: env.Path, Now: env.Now}
	data := &dataset.Dataset{}
	if r.Corpus == "" || f.relevant {
		if data, err = wire.LoadDataset(ctx, r.Config, world); err != nil {
			return nil, nil, err
		}
	}
	docs, warnings, err = wire.Documents(ctx, r.Config, world, data)
	if errors.Is(err, wire.ErrNoDocuments) {
		err = fmt.Errorf("%s includes no documents: set --corpus to a folder, or use a BEIR dataset", r.Dataset)
	}
	if err != nil {
		return nil, nil, err
	}
	docs, err = f.choose(docs, data.Cases)
	return docs, warnings, err
}

// choose returns the selected documents in their original order.
func (f *documentFlags) choose(docs []assay.Document, cases *assay.Cases) ([]assay.Document, error) {
	known := make(map[string]bool, len(docs))
	for _, d := range docs {
		known[d.ID] = true
	}
	var wanted map[string]bool
	if f.relevant {
		wanted = map[string]bool{}
		for _, c := range cases.All() {
			for id, grade := range c.Want.Documents {
				wanted[id] = wanted[id] || grade > 0
			}
		}
	}
	if len(f.ids) > 0 {
		ids := map[string]bool{}
		var gone []string
		for _, id := range f.ids {
			ids[id] = wanted == nil || wanted[id]
			if !known[id] {
				gone = append(gone, fmt.Sprintf("%q", id))
			}
		}
		if gone != nil {
			return nil, fmt.Errorf("--ids: no document %s", strings.Join(gone, ", "))
		}
		wanted = ids
	}
	if f.limit < 0 {
		return nil, fmt.Errorf("--limit %d: expected 0 or more", f.limit)
	}
	if wanted != nil {
		docs = slices.DeleteFunc(slices.Clone(docs), func(d assay.Document) bool { return !wanted[d.ID] })
	}
	if f.limit > 0 && f.limit < len(docs) {
		docs = docs[:f.limit]
	}
	if len(docs) == 0 {
		return nil, errors.New("the selection leaves no document")
	}
	return docs, nil
}
