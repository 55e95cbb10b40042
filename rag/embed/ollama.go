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
	Wants:   "MODEL",
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
	b, err := cutting(func(cut bool) (Batch, error) { return s.ask(ctx, texts, cut) })
	if len(texts) != 1 {
		return b, err
	}
	// Ollama makes a text of the tokens that it leaves, and that text may have more tokens
	// again, which it then refuses: the text is made shorter here.
	for left := []rune(texts[0]); llm.IsKind(err, llm.KindTooLong) && len(left) > 1; {
		left = left[:len(left)-max(1, len(left)/8)]
		b, err = s.ask(ctx, []string{string(left)}, false)
		b.Cut = err == nil
	}
	return b, err
}

func (s ollamaSource) ask(ctx context.Context, texts []string, cut bool) (Batch, error) {
	fields := map[string]any{"model": s.model, "input": texts, "truncate": cut}
	body, _, err := s.PostJSON(ctx, s.model, fields, "model", "input", "truncate")
	if err != nil {
		return Batch{}, err
	}
	var v struct {
		Vectors []vector `json:"embeddings"`
		Input   float64  `json:"prompt_eval_count"`
	}
	if err := s.Decode(s.model, body, &v); err != nil {
		return Batch{}, err
	}
	return Batch{Vectors: plain(v.Vectors), Tokens: tokens(v.Input)}, nil
}

func plain(vectors []vector) [][]float32 {
	out := make([][]float32, len(vectors))
	for i, v := range vectors {
		out[i] = v
	}
	return out
}
