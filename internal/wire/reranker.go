package wire

import (
	"fmt"

	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/rerank"
)

// reranks reports whether the built-in pipeline has a reranker.
func reranks(cfg config.Config) bool {
	return cfg.Reranker.Model != "" && cfg.Reranker.Model != config.NoStage
}

// Reranker opens the reranker that the settings name, which is the stage filter. It makes no
// calls before [Models.Connect].
func (m *Models) Reranker() (rag.Filter, error) {
	spec := m.cfg.Reranker.Model
	if f := m.cfg.Filter; f != config.NoStage && f != "" {
		return nil, config.About("reranker", fmt.Errorf("reranker %q and filter %q: both are the stage filter; use one of them", spec, f))
	}
	r, err := outside[rerank.Source]{
		kinds: rerank.Kinds, what: "reranker", does: "rerank", instead: "--filter similarity", operation: rerank.Operation,
		url: m.cfg.Reranker.URL, provider: rerank.Provider,
	}.open(m, spec)
	if err != nil {
		return nil, config.About("reranker", fmt.Errorf("reranker %q: %w", spec, err))
	}
	return rag.Reranker{Scorer: rerank.NewLedgered(r.client, r.model, r.identity, r.batch)}, nil
}
