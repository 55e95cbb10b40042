package entail

import (
	"context"
	"strconv"

	"github.com/assay-eval/assay/llm"
)

const teiKind = "tei"

// tei is the endpoint of text-embeddings-inference for classifiers:
// https://huggingface.github.io/text-embeddings-inference, POST /predict.
var tei = Kind{
	Name:    teiKind,
	Doc:     "a cross-encoder on a server of Hugging Face's text-embeddings-inference, by its /predict",
	Example: "--entailment tei:MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli",
	Server:  true,
	Wants:   "MODEL",
	Free:    true,
	Batch:   32, // the default of --max-client-batch-size
	Open: func(s Setup) (Source, error) {
		e, err := llm.OpenEndpoint(teiKind, s.Options, "predict")
		if err != nil {
			return nil, err
		}
		return &teiSource{e, s.Model, s.Label}, nil
	},
}

type teiSource struct {
	*llm.Endpoint
	model, label string
}

// Scores implements [Source].
func (s *teiSource) Scores(ctx context.Context, pairs []Pair) (Batch, error) {
	b, err := s.ask(ctx, pairs, false)
	if !llm.IsKind(err, llm.KindTooLong) {
		return b, err
	}
	b, err = s.ask(ctx, pairs, true)
	b.Cut = err == nil
	return b, err
}

func (s *teiSource) ask(ctx context.Context, pairs []Pair, cut bool) (Batch, error) {
	inputs := make([][2]string, len(pairs))
	for i, p := range pairs {
		inputs[i] = [2]string{p.Document, p.Claim}
	}
	fields := map[string]any{"inputs": inputs, "raw_scores": false, "truncate": cut}
	body, header, err := s.PostJSON(ctx, s.model, fields, "inputs", "truncate")
	if err != nil {
		return Batch{}, err
	}
	var rows [][]class
	if err := s.Decode(s.model, body, &rows); err != nil {
		return Batch{}, err
	}
	b := Batch{Scores: make([]Score, len(rows))}
	for i, row := range rows {
		if b.Scores[i], err = scoreOf(row, s.label, probabilities); err != nil {
			return Batch{}, s.Fail(s.model, llm.KindReply, err.Error())
		}
	}
	if n, err := strconv.Atoi(header.Get("X-Compute-Tokens")); err == nil && n > 0 { // which older servers do not send
		b.Tokens = n
	}
	return b, nil
}
