package wire

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/target/adapter"
)

func (w *wiring) openBuiltin(ctx context.Context, s *selection) (adapter.Opened, error) {
	docs, warnings, err := Documents(ctx, w.cfg, w.world, s.data)
	if errors.Is(err, ErrNoDocuments) {
		err = fmt.Errorf("the built-in pipeline needs documents, and %s includes none: set --corpus to a folder", w.cfg.Dataset)
	}
	if err != nil {
		return adapter.Opened{}, err
	}
	// The documents of a BEIR corpus are passages already, and its published
	// figures are for whole documents.
	whole := w.cfg.Corpus == ""
	pipeline, err := Pipeline(ctx, w.cfg, w.world, Parts{Documents: docs, Whole: whole, Models: w.models, Embedder: w.embedder})
	if err != nil {
		return adapter.Opened{}, err
	}
	info := pipeline.Corpus()
	o := adapter.Opened{
		Target: pipeline, Free: !asksModels(w.cfg), Rehearsed: asksModels(w.cfg), Info: assay.TargetInfo{Settings: pipeline.Settings()},
		Corpus: &info, Warnings: warnings, Reports: metric.ReadPassages | metric.ReadTrace, Depth: w.cfg.TopK,
	}
	if reranks(w.cfg) {
		o.Depth = min(o.Depth, w.cfg.Reranker.Keep)
	}
	if w.cfg.Decomposer != "none" {
		// Each sub-question has passages of its own.
		o.Depth *= rag.MaxSubQuestions
	}
	if w.cfg.Generator != "none" {
		o.Reports |= metric.ReadAnswer
	}
	o.Warnings = append(o.Warnings, absent(s.cases, docs)...)
	return o, nil
}

// shown is the number of ids that a warning lists.
const shown = 3

// absent warns of expected documents that are not in the corpus and so can
// never be found.
func absent(cases *assay.Cases, docs []assay.Document) []string {
	known := map[string]bool{}
	for _, d := range docs {
		for _, name := range []string{d.ID, d.Source, base(d.ID), base(d.Source)} {
			known[name] = true
		}
	}
	unknown := map[string]bool{}
	for _, c := range cases.All() {
		for id, grade := range c.Want.Documents {
			if grade > 0 && !known[id] {
				unknown[id] = true
			}
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	gone := slices.Sorted(maps.Keys(unknown))
	list := strings.Join(gone[:min(shown, len(gone))], ", ")
	if len(gone) > shown {
		list += ", …"
	}
	return []string{fmt.Sprintf("%d expected documents are not in the corpus and can never be found: %s", len(gone), list)}
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
