package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/rag/chunk"
)

// Cases loads the dataset that a configuration names and returns its selected
// cases.
func Cases(ctx context.Context, cfg config.Config, w World) (*dataset.Dataset, *assay.Cases, error) {
	data := w.Data
	if data == nil {
		var err error
		if data, err = LoadDataset(ctx, cfg, w); err != nil {
			return nil, nil, err
		}
	}
	chosen, err := choose(data.Cases, cfg)
	return data, chosen, err
}

// choose returns the cases that the settings select. Selecting none is an
// error.
func choose(cases *assay.Cases, cfg config.Config) (*assay.Cases, error) {
	chosen, err := dataset.Select(cases, dataset.Selection{IDs: cfg.IDs, Tags: cfg.Tags, Limit: cfg.Limit, Sample: cfg.Sample,
		Seed: cfg.Seed})
	if err != nil {
		key := "tags"
		if len(cfg.IDs) > 0 {
			key = "ids"
		}
		return nil, config.About(key, err)
	}
	if chosen.Len() == 0 {
		return nil, errors.New("the selection with --ids, --tags, --limit and --sample leaves no case")
	}
	return chosen, nil
}

// ErrNoDocuments means that no corpus is named and the dataset does not include
// one.
var ErrNoDocuments = errors.New("no documents: set --corpus to a folder, or use a BEIR dataset, which includes its own")

// Documents reads the corpus: the folder that a configuration names, or else
// the documents that come with the dataset, which may be nil.
func Documents(
	ctx context.Context, cfg config.Config, w World, data *dataset.Dataset,
) (docs []assay.Document, warnings []string, err error) {
	switch {
	case cfg.Corpus != "":
		docs, warnings, err = Folder(ctx, cfg.Corpus, w.read, cfg.Unreadable == "skip")
		if err == nil && len(docs) == 0 {
			err = fmt.Errorf("corpus %s: no document: expected %s", cfg.Corpus, extensions())
		}
		return docs, warnings, err
	case data == nil:
		return nil, nil, ErrNoDocuments
	}
	docs, err = data.Documents(ctx)
	if errors.Is(err, dataset.ErrNoCorpus) {
		err = ErrNoDocuments
	}
	return docs, nil, err
}

// Passages splits the documents of a folder as the built-in pipeline does.
// Those of a BEIR corpus are passages already and are not split.
func Passages(cfg config.Config, docs []assay.Document) ([]assay.Passage, error) {
	c := chunking(cfg, cfg.Corpus == "")
	var out []assay.Passage
	for _, d := range docs {
		chunks, err := chunk.Split(d, c)
		if err != nil {
			return nil, err
		}
		for _, k := range chunks {
			id := d.ID
			if len(chunks) > 1 {
				id = fmt.Sprintf("%s#%d", d.ID, k.Index)
			}
			out = append(out, assay.Passage{ID: id, Document: d.ID, Source: d.Source, Title: d.Title, Text: k.Text, Index: k.Index})
		}
	}
	return out, nil
}
