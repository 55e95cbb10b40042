package text

import (
	"context"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// SemanticSimilarity is the cosine of the answer's and the reference's vectors.
var SemanticSimilarity = answers(metric.Def{
	Name:  "semantic_similarity",
	Title: "Semantic similarity",
	Doc: "How close the answer is in meaning to the reference answer, by an embedder. Numbers and " +
		"negations hardly change it: \"1889\" and \"1899\" are close.",
	Formula: "max(0, cosine(embedding(answer), embedding(reference))); with a threshold, 1 from there on and 0 below",
	Edges: bestReference + "An empty answer scores 0; empty references give no value. Values of different embedders are not comparable. " +
		"An embedder that reads a limited number of tokens sees no more of a long answer.",
	Source: "Ragas semantic_similarity, which can be negative; with all-MiniLM-L6-v2 the customary threshold is 0.85",
	Needs:  metric.NeedAnswers,
	Embeds: true, Version: 2,
	Params: []metric.Param{thresholdParam},
}, func(ctx context.Context, in metric.Input, p metric.Params) (assay.Score, error) {
	threshold := p.Number(thresholdParam.Name)
	var refs []string
	for _, r := range in.Case.Want.Answers {
		if strings.TrimSpace(r) != "" {
			refs = append(refs, r)
		}
	}
	if len(refs) == 0 {
		return assay.None(noReference), nil
	}
	answer := in.Response.Answer
	if strings.TrimSpace(answer) == "" {
		return assay.Value(0), nil
	}
	vectors, err := Vectors(ctx, in.Embedder, append([]string{answer}, refs...))
	if err != nil {
		return assay.Score{}, err
	}
	at, best := nearest(vectors[0], vectors[1:])
	best = max(best, 0)
	if threshold > 0 {
		best = step(best, threshold)
	}
	return matched(assay.Value(best), refs, at), nil
})

var thresholdParam = metric.Param{
	Name: "threshold", Doc: "score 1 from this cosine on and 0 below; 0 scores the cosine itself",
	Default: "0", Min: 0, Max: 1,
}

func step(v, threshold float64) float64 {
	if v >= threshold {
		return 1
	}
	return 0
}
