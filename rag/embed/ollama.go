package embed

import (
	"context"

	"github.com/assay-eval/assay/llm"
)

const ollamaKind = "ollama"

var ollama = Kind{
	Name:    ollamaKind,
	Doc:     "a model of Ollama, by its /api/embed",
	Example: "--embedder ollama:all-minilm",
	Server:  true,
	Free:    true,
	Batch:   32,
	Open: func(s Setup) (Source, error) {
		e, err := llm.OpenEndpoint(ollamaKind, s.Options, "api/embed")
		if err != nil {
			return nil, err
		}
		return ollamaSource{server{e, s.Model}}, nil
	},
}

type ollamaSource struct{ server }

// Vectors implements [Source].
func (s ollamaSource) Vectors(ctx context.Context, texts []string) (Batch, error) {
	return cutting(texts, func(cut bool) (Batch, error) {
		body, _, err := s.PostJSON(ctx, s.model, map[string]any{"model": s.model, "input": texts, "truncate": cut}, "model", "input", "truncate")
		if err != nil {
			return Batch{}, err
		}
		var v struct {
			Vectors []vector `json:"embeddings"`
			Input   float64  `json:"prompt_eval_count"`
		}
		if err := s.Decode(s.model, body, "embeddings", &v); err != nil {
			return Batch{}, err
		}
		return Batch{Vectors: plain(v.Vectors), Tokens: tokens(v.Input)}, nil
	})
}

func plain(vectors []vector) [][]float32 {
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = v
	}
	return out
}
