package rerank

import (
	"context"
	"strconv"

	"github.com/assay-eval/assay/llm"
)

const teiKind = "tei"

var tei = Kind{
	Name:    teiKind,
	Doc:     "a server of Hugging Face's text-embeddings-inference, by its /rerank",
	Example: "--reranker tei:BAAI/bge-reranker-base",
	Server:  true,
	Wants:   "MODEL",
	Free:    true,
	Batch:   32, // the default of --max-client-batch-size
	Open: func(o Setup) (Source, error) {
		s, err := open(teiKind, o)
		return teiSource{s}, err
	},
}

type teiSource struct{ server }

// Scores implements [Source]. The scores are from 0 to 1.
func (s teiSource) Scores(ctx context.Context, question string, texts []string) (Batch, error) {
	b, err := s.ask(ctx, question, texts, false)
	if !llm.IsKind(err, llm.KindTooLong) {
		return b, err
	}
	b, err = s.ask(ctx, question, texts, true)
	b.Cut = err == nil
	return b, err
}

func (s teiSource) ask(ctx context.Context, question string, texts []string, cut bool) (Batch, error) {
	fields := map[string]any{"query": question, "texts": texts, "truncate": cut}
	body, header, err := s.PostJSON(ctx, s.model, fields, "query", "texts", "truncate")
	if err != nil {
		return Batch{}, err
	}
	var v []struct {
		Index *int     `json:"index"`
		Score *float64 `json:"score"`
	}
	if err := s.Decode(s.model, body, &v); err != nil {
		return Batch{}, err
	}
	list := make([]ranked, len(v))
	for i, r := range v {
		list[i] = ranked{r.Index, r.Score}
	}
	scores, err := s.order(len(texts), list)
	n, _ := strconv.ParseFloat(header.Get("X-Compute-Tokens"), 64) // which older servers do not send
	return Batch{Scores: scores, Tokens: tokens(n)}, err
}
