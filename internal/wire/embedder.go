package wire

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/embed"
)

// embedderOf returns the embedder setting. An embedder command implies its kind unless
// another embedder is named.
func embedderOf(cfg config.Config) string {
	if cfg.EmbedderCommand != "" && cfg.Embedder == embed.BuiltIn {
		return config.Command
	}
	return cfg.Embedder
}

// asksEmbedder reports whether the embedder is outside of this process.
func asksEmbedder(cfg config.Config) bool { return embedderOf(cfg) != embed.BuiltIn }

// embedsPassages reports whether the built-in pipeline embeds its corpus.
func embedsPassages(cfg config.Config) bool { return cfg.Retriever != rag.Sparse }

// pipelineEmbeds reports whether a stage of the built-in pipeline embeds anything.
func pipelineEmbeds(cfg config.Config) bool {
	return embedsPassages(cfg) || cfg.Filter == config.Similarity || cfg.Generator == rag.Extractive && cfg.ExtractBy == "embedding"
}

// Embedder opens the embedder that the settings name, once. One outside of this process
// makes no calls before [Models.Connect]; it embeds each text once, and its vectors are
// kept in memory besides.
func (m *Models) Embedder() (assay.Embedder, error) {
	spec := embedderOf(m.cfg)
	if spec == embed.BuiltIn {
		return embed.New(spec)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.embedder != nil {
		return m.embedder, nil
	}
	e, err := outside[embed.Source]{
		kinds: embed.Kinds, what: "embedder", does: "embed", instead: "the built-in " + embed.BuiltIn, others: []string{embed.BuiltIn},
		unnamed: config.Command, operation: embed.Operation, url: m.cfg.EmbedderURL, setup: embed.Setup{Command: m.cfg.EmbedderCommand},
		provider: embed.Provider,
	}.open(m, spec)
	if err != nil {
		return nil, fmt.Errorf("embedder %q: %w", spec, err)
	}
	m.vectors = embed.NewLedgered(e.client, e.model, e.identity, e.batch)
	m.embedder = embed.Memo(m.vectors)
	return m.embedder, nil
}

// vectorsKey is the name under which the header of a run describes the vectors of an
// embedder outside of this process: only they show it.
const vectorsKey = "embedder_vectors"

// form describes the vectors that the embedder has returned; "" if there are none.
func (m *Models) form() string {
	if m.vectors == nil {
		return ""
	}
	return m.vectors.Form()
}

// cut warns of texts that are longer than the embedder's model reads.
func (m *Models) cut() []string {
	if m.vectors == nil || m.vectors.Cut() == 0 {
		return nil
	}
	return []string{fmt.Sprintf("embedder %s: up to %d texts are longer than its model reads, and their vectors are those of their "+
		"beginning (--chunk-size makes passages shorter)", m.vectors.Identity(), m.vectors.Cut())}
}
