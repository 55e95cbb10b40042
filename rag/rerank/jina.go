package rerank

import (
	"context"
)

const jinaKind = "jina"

var jina = Kind{
	Name:    jinaKind,
	Doc:     "a model of Jina, by its /v1/rerank, which vLLM and others serve too",
	Example: "--reranker jina:jina-reranker-v2-base-multilingual",
	Server:  true,
	Wants:   "MODEL",
	Batch:   1000,
	Open: func(o Setup) (Source, error) {
		s, err := open(jinaKind, o)
		return jinaSource{s}, err
	},
}

type jinaSource struct{ server }

// Scores implements [Source]. The scores are from 0 to 1.
func (s jinaSource) Scores(ctx context.Context, question string, texts []string) (Batch, error) {
	return s.documents(ctx, question, texts, map[string]any{"return_documents": false})
}
