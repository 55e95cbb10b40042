package rerank

import (
	"context"
)

const cohereKind = "cohere"

var cohere = Kind{
	Name:    cohereKind,
	Doc:     "a model of Cohere, by its /v2/rerank",
	Example: "--reranker cohere:rerank-v3.5",
	Server:  true,
	Wants:   "MODEL",
	Batch:   1000, // which Cohere recommends as the most
	Open: func(o Setup) (Source, error) {
		s, err := open(cohereKind, o)
		return cohereSource{s}, err
	},
}

type cohereSource struct{ server }

// Scores implements [Source]. The scores are from 0 to 1. Cohere counts searches, not
// tokens.
func (s cohereSource) Scores(ctx context.Context, question string, texts []string) (Batch, error) {
	return s.documents(ctx, question, texts, nil)
}
