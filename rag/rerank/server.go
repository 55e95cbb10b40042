package rerank

import (
	"context"
	"fmt"
	"math"

	"github.com/assay-eval/assay/llm"
)

const endpoint = "rerank"

// A server is what the sources have in common.
type server struct {
	*llm.Endpoint
	model string
}

func open(kind string, s Setup) (server, error) {
	e, err := llm.OpenEndpoint(kind, s.Options, endpoint)
	return server{e, s.Model}, err
}

// A ranked is the score of the text at an index of the request.
type ranked struct {
	index *int
	score *float64
}

// order returns the scores of n texts in their order. Servers send them best first.
func (s server) order(n int, list []ranked) ([]float64, error) {
	unreadable := func(format string, args ...any) error {
		return s.Fail(s.model, llm.KindReply, fmt.Sprintf(format, args...))
	}
	if len(list) != n {
		return nil, unreadable("%d scores for %d texts: expected one for each", len(list), n)
	}
	out, seen := make([]float64, n), make([]bool, n)
	for _, r := range list {
		switch {
		case r.index == nil || r.score == nil:
			return nil, unreadable("a score without an index or a value: expected both")
		case *r.index < 0 || *r.index >= n || seen[*r.index]:
			return nil, unreadable("index %d: expected each from 0 to %d once", *r.index, n-1)
		case math.IsNaN(*r.score) || math.IsInf(*r.score, 0):
			return nil, unreadable("the score of text %d is %v: expected a number", *r.index, *r.score)
		}
		out[*r.index], seen[*r.index] = *r.score, true
	}
	return out, nil
}

// documents asks a server that takes a model, a query and documents, as Cohere's and
// Jina's do. Both cut what is too long for the model.
func (s server) documents(ctx context.Context, question string, texts []string, more map[string]any) (Batch, error) {
	fields := map[string]any{"model": s.model, "query": question, "documents": texts, "top_n": len(texts)}
	for name, v := range more {
		fields[name] = v
	}
	body, _, err := s.PostJSON(ctx, s.model, fields, "model", "query", "documents", "top_n")
	if err != nil {
		return Batch{}, err
	}
	var v struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
		Usage struct {
			Tokens float64 `json:"total_tokens"`
		} `json:"usage"`
	}
	if err := s.Decode(s.model, body, &v); err != nil {
		return Batch{}, err
	}
	list := make([]ranked, len(v.Results))
	for i, r := range v.Results {
		list[i] = ranked{r.Index, r.Score}
	}
	scores, err := s.order(len(texts), list)
	return Batch{Scores: scores, Tokens: tokens(v.Usage.Tokens)}, err
}

// tokens is a number of tokens that a server states, 0 for one that cannot be true.
func tokens(n float64) int {
	if !(n > 0 && n < 1e12) {
		return 0
	}
	return int(n)
}
