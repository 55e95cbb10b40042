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
func (f *documentFlags) read(ctx context.Context, env *Env, r *config.Resolved) ([]assay.Document, []string, error) {
	var docs []assay.Document
	var warnings []string
	var cases *assay.Cases
	if r.Dataset != "" && (r.Corpus == "" || f.relevant) {
		columns, err := wire.Columns(r.Columns)
		if err != nil {
			return nil, nil, err
		}
		d, err := dataset.Load(ctx, env.Path(r.Dataset), dataset.Options{
			Name: r.Dataset, Format: r.Format, Split: r.Split, Queries: r.Queries, MinRelevance: r.MinGrade, KeepOwnIDs: r.KeepOwnIDs,
			Strict: r.Strict, Columns: columns, Qrels: env.Path(r.Qrels), Now: env.Now(),
		})
		if err != nil {
			return nil, nil, err
		}
		cases = d.Cases
		if r.Corpus == "" {
			docs, err = d.Documents(ctx)
			if errors.Is(err, dataset.ErrNoCorpus) {
				return nil, nil, fmt.Errorf("%s includes no documents: want --corpus with a folder, or a BEIR dataset", r.Dataset)
			}
			if err != nil {
				return nil, nil, err
			}
		}
	}
	switch {
	case r.Corpus != "":
		var err error
		if docs, warnings, err = wire.Folder(ctx, r.Corpus, env.Path, r.Unreadable == "skip"); err != nil {
			return nil, nil, err
		}
	case r.Dataset == "":
		return nil, nil, errors.New("no documents: want --dataset with a BEIR directory or zip, or --corpus with a folder")
	}
	if f.relevant && r.Dataset == "" {
		return nil, nil, errors.New("--relevant-only: want --dataset with relevance judgments")
	}
	chosen, err := f.choose(docs, cases)
	return chosen, warnings, err
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
		return nil, fmt.Errorf("--limit %d: want 0 or more", f.limit)
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
