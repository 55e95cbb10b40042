package embed

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay/llm"
)

const openaiKind = "openai"

// openai leaves out the field encoding_format: not all servers know it, and both forms of
// a vector can be read.
var openai = Kind{
	Name:    openaiKind,
	Doc:     "a server with OpenAI's /v1/embeddings API; providers of kind openai define others",
	Example: "--embedder openai:text-embedding-3-small",
	Server:  true,
	Wants:   "MODEL",
	// A call of 64 passages of the default size is about 20,000 tokens, far from the
	// 300,000 that OpenAI allows.
	Batch: 64,
	Open: func(s Setup) (Source, error) {
		e, err := llm.OpenEndpoint(openaiKind, s.Options, "embeddings")
		if err != nil {
			return nil, err
		}
		return openaiSource{server{e, s.Model}}, nil
	},
}

// A server is what the sources that call one have in common.
type server struct {
	*llm.Endpoint
	model string
}

// unreadable is the error for a reply that is not what was asked for.
func (s server) unreadable(format string, args ...any) error {
	return s.Fail(s.model, llm.KindReply, fmt.Sprintf(format, args...))
}

type openaiSource struct{ server }

// Vectors implements [Source]. There is no way to ask for a text to be cut.
func (s openaiSource) Vectors(ctx context.Context, texts []string) (Batch, error) {
	body, _, err := s.PostJSON(ctx, s.model, map[string]any{"model": s.model, "input": texts}, "model", "input")
	if err != nil {
		return Batch{}, err
	}
	var v struct {
		Data []struct {
			Index  *int   `json:"index"`
			Vector vector `json:"embedding"`
		} `json:"data"`
		Usage struct {
			Input float64 `json:"prompt_tokens"`
			Total float64 `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := s.Decode(s.model, body, &v); err != nil {
		return Batch{}, err
	}
	if len(v.Data) != len(texts) {
		return Batch{}, s.unreadable("%d vectors for %d texts: expected one for each", len(v.Data), len(texts))
	}
	out := make([][]float32, len(texts))
	for i, d := range v.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= len(out) || out[i] != nil {
			return Batch{}, s.unreadable("the vectors are not numbered from 0 to %d, each once", len(out)-1)
		}
		if d.Vector == nil {
			return Batch{}, s.unreadable("data %d has no embedding", i)
		}
		out[i] = d.Vector
	}
	return Batch{Vectors: out, Tokens: tokens(max(v.Usage.Input, v.Usage.Total))}, nil
}

// tokens is a number of tokens that a server states, 0 for one that cannot be true.
func tokens(n float64) int {
	if !(n > 0 && n < 1e12) {
		return 0
	}
	return int(n)
}

// cutting asks for vectors of whole texts and, if that is too much for the model, again
// for what it reads of them. That all may have been cut is less exact than to find out
// which ones were, in smaller and smaller calls: of a corpus with long texts that would be
// most calls.
func cutting(ask func(cut bool) (Batch, error)) (Batch, error) {
	b, err := ask(false)
	if !llm.IsKind(err, llm.KindTooLong) {
		return b, err
	}
	b, err = ask(true)
	b.Cut = err == nil
	return b, err
}
