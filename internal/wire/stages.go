package wire

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset/generate"
	"github.com/assay-eval/assay/internal/config"
	"github.com/assay-eval/assay/judge/entail"
	"github.com/assay-eval/assay/judge/model"
	"github.com/assay-eval/assay/llm"
	"github.com/assay-eval/assay/rag"
	"github.com/assay-eval/assay/rag/chunk"
	"github.com/assay-eval/assay/rag/embed"
	"github.com/assay-eval/assay/rag/index"
	"github.com/assay-eval/assay/rag/profile"
	"github.com/assay-eval/assay/rag/rerank"
)

// Parts are the dependencies of a built-in pipeline beside its settings.
type Parts struct {
	Documents []assay.Document
	// Models opens the models that the stages call.
	Models *Models
	// Whole is set if the documents are passages already.
	Whole bool
	// Embedder returns the embedder; it is called if a stage needs one.
	Embedder func() (assay.Embedder, error)
}

// Pipeline opens the built-in pipeline of a configuration, with all of its
// stages. If the embedder is outside of this process, the passages are not embedded
// before [rag.Pipeline.Open], because there is no ledger yet.
func Pipeline(ctx context.Context, cfg config.Config, w World, parts Parts) (*rag.Pipeline, error) {
	c := rag.Config{
		Documents: parts.Documents, Retriever: cfg.Retriever, TopK: cfg.TopK, Generator: cfg.Generator,
		Chunk: chunking(cfg, parts.Whole),
		BM25:  index.BM25Params{K1: cfg.BM25.K1, B: cfg.BM25.B},
		FuseK: cfg.Fuse.K, Depth: max(cfg.Fuse.Depth, cfg.TopK), CacheDir: w.CacheDir, Now: w.Now, CorpusPath: cfg.Corpus,
	}
	if c.CorpusPath == "" {
		c.CorpusPath = cfg.Dataset
	}
	var err error
	if embedsPassages(cfg) || cfg.Generator == rag.Extractive && cfg.ExtractBy == "embedding" {
		if c.Embedder, err = parts.Embedder(); err != nil {
			return nil, err
		}
		c.EmbedLater = asksEmbedder(cfg)
	}
	if err := stages(ctx, &c, cfg, w, parts); err != nil {
		return nil, err
	}
	if p := w.Progress; p != nil {
		c.Progress = p.Preparing
	}
	return rag.Open(ctx, c)
}

// chunking returns how documents are split. whole is set if they are passages
// already.
func chunking(cfg config.Config, whole bool) chunk.Config {
	c := chunk.Config{Method: cfg.Chunk.Method, Size: cfg.Chunk.Size, Overlap: cfg.Chunk.Overlap}
	switch {
	case c.Method != config.AutoChunks:
	case whole:
		c.Method = chunk.Document
	default:
		c.Method = chunk.Recursive
	}
	return c
}

// CheckChunks returns an error if chunks of the configured size cannot have the
// configured overlap.
func CheckChunks(cfg config.Config) error { return chunking(cfg, cfg.Corpus == "").Validate() }

// stages configures the optional stages of the pipeline.
func stages(ctx context.Context, c *rag.Config, cfg config.Config, w World, parts Parts) (err error) {
	model := func(setting, spec string) (rag.Model, error) {
		m, err := parts.Models.Open(spec)
		if err != nil {
			return rag.Model{}, fmt.Errorf("%s %q: %w", setting, spec, err)
		}
		return rag.Model{Provider: m.Provider, Base: m.Base, Window: cfg.Judge.Window}, nil
	}
	switch cfg.Decomposer {
	case config.NoStage, "":
	case config.Rule:
		c.Decomposer = rag.Rule{}
	default:
		m, err := model("decomposer", cfg.Decomposer)
		if err != nil {
			return err
		}
		c.Decomposer = rag.ModelDecomposer{Model: m}
	}
	c.Threshold = cfg.KeepsFrom()
	switch cfg.Filter {
	case config.NoStage, "":
	case config.Similarity:
		e, err := parts.Embedder()
		if err != nil {
			return err
		}
		c.Filter = rag.Similarity{Embedder: e}
	default:
		m, err := model("filter", cfg.Filter)
		if err != nil {
			return err
		}
		c.Filter = rag.ModelFilter{Model: m}
	}
	if reranks(cfg) {
		if c.Filter, err = parts.Models.Reranker(); err != nil {
			return err
		}
		c.Threshold, c.Keep = 0, cfg.Reranker.Keep
	}
	if config.IsModel(cfg.Generator) {
		m, err := model("generator", cfg.Generator)
		if err != nil {
			return err
		}
		c.Generator, c.Answerer = "", rag.ModelAnswerer{Model: m}
	}
	prompts := Profiles{}.Profile
	if w.Profile != nil {
		prompts = w.Profile
	}
	if c.Profile, err = prompts(ctx, cmp.Or(cfg.Profile, profile.Defaults()[0])); err != nil {
		return err
	}
	return hears(c, cfg, w, parts.Models)
}

// asksModels reports whether a stage of the built-in pipeline calls a model.
func asksModels(cfg config.Config) bool {
	return config.IsModel(cfg.Decomposer) || config.IsModel(cfg.Filter) || config.IsModel(cfg.Generator) ||
		asksEmbedder(cfg) && pipelineEmbeds(cfg) || reranks(cfg)
}

// play answers in place of a model by simple rules, as a stage of the pipeline
// or as a judge.
func play(r llm.Request) (string, error) {
	if r.Operation == embed.Operation {
		return embed.StandIn(r.Messages[0].Text), nil
	}
	if r.Operation == rerank.Operation {
		return rerank.StandIn(r), nil
	}
	if r.Operation == entail.Operation {
		return entail.StandIn(r), nil
	}
	if said, ok := rag.Simulate(r); ok {
		return said, nil
	}
	return model.StandIn(generate.StandIns()).Answer(r)
}
