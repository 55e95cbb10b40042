package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/index"
)

func (j *Job) openBuiltin(ctx context.Context, data *dataset.Dataset) (opened, error) {
	docs, warnings, err := j.documents(ctx, data)
	if err != nil {
		return opened{}, err
	}
	cfg := rag.Config{
		Documents: docs, Retriever: j.cfg.Retriever, TopK: j.cfg.TopK, Generator: j.cfg.Generator,
		Chunk: chunk.Config{Method: j.cfg.Chunk.Method, Size: j.cfg.Chunk.Size, Overlap: j.cfg.Chunk.Overlap},
		BM25:  index.BM25Params{K1: j.cfg.BM25.K1, B: j.cfg.BM25.B},
		FuseK: j.cfg.Fuse.K, Depth: max(j.cfg.Fuse.Depth, j.cfg.TopK), CacheDir: j.world.CacheDir, Now: j.world.Now, CorpusPath: j.cfg.Corpus,
	}
	if cfg.CorpusPath == "" {
		cfg.CorpusPath = j.cfg.Dataset
	}
	if cfg.Chunk.Method == "auto" {
		cfg.Chunk.Method = chunk.Recursive
		if j.cfg.Corpus == "" {
			// The documents of a BEIR corpus are passages already, and its
			// published figures are for whole documents.
			cfg.Chunk.Method = chunk.Document
		}
	}
	if j.cfg.Retriever != "sparse" {
		if err := j.openEmbedder(); err != nil {
			return opened{}, err
		}
		cfg.Embedder = j.embed
	}
	if p := j.world.Progress; p != nil {
		cfg.Progress = p.Preparing
	}
	pipeline, err := rag.Open(ctx, cfg)
	if err != nil {
		return opened{}, err
	}
	j.target = pipeline
	info := pipeline.Corpus()
	o := opened{free: true, info: assay.TargetInfo{Settings: pipeline.Settings()}, corpus: &info, warnings: warnings, reports: metric.ReadPassages | metric.ReadTrace, depth: j.cfg.TopK}
	if j.cfg.Generator != "none" {
		o.reports |= metric.ReadAnswer
	}
	o.warnings = append(o.warnings, absent(j.cases, docs)...)
	return o, nil
}

// documents gives the corpus: a folder that the user names, else the one that
// comes with the data set.
func (j *Job) documents(ctx context.Context, data *dataset.Dataset) (docs []assay.Document, warnings []string, err error) {
	if j.cfg.Corpus == "" {
		docs, err = data.Documents(ctx)
		if errors.Is(err, dataset.ErrNoCorpus) {
			return nil, nil, fmt.Errorf("the built-in pipeline needs documents, and %s brings none: want --corpus with a folder", j.cfg.Dataset)
		}
		return docs, nil, err
	}
	docs, warnings, err = Folder(ctx, j.cfg.Corpus, j.world.Path, j.cfg.Unreadable == "skip")
	if err == nil && len(docs) == 0 {
		err = fmt.Errorf("corpus %s: no document: want %s", j.cfg.Corpus, extensions())
	}
	return docs, warnings, err
}

// shown is how many ids a warning lists.
const shown = 3

// absent warns of expected documents that the corpus does not hold: they can
// never be found.
func absent(cases []assay.Case, docs []assay.Document) []string {
	known := map[string]bool{}
	for _, d := range docs {
		for _, name := range []string{d.ID, d.Source, base(d.ID), base(d.Source)} {
			known[name] = true
		}
	}
	var gone []string
	for _, c := range cases {
		for id, grade := range c.Want.Documents {
			if grade > 0 && !known[id] && !slices.Contains(gone, id) {
				gone = append(gone, id)
			}
		}
	}
	if gone == nil {
		return nil
	}
	slices.Sort(gone)
	list := strings.Join(gone[:min(shown, len(gone))], ", ")
	if len(gone) > shown {
		list += ", …"
	}
	return []string{fmt.Sprintf("%d expected documents are not in the corpus and can never be found: %s", len(gone), list)}
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
