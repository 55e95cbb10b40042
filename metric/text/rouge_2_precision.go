package text

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// ROUGE2Precision is the share of the answer's pairs of words that the passages
// have.
var ROUGE2Precision = grounded(metric.Def{
	Name:  "rouge_2_precision",
	Title: "ROUGE-2 precision",
	Doc: "How many of the answer's pairs of neighbouring words are in the passages: an estimate of " +
		"faithfulness. Wording of its own lowers it as much as invention does.",
	Formula: "common / pairs(answer), common counted as multisets over the pairs of all passages, none across two of them",
	Edges: "Tokens: NFKC and case folding, runs of letters, digits, marks and underscores, every CJK character by itself. " + groundless +
		"An answer of one word has no pair and no value.",
	Source: "Lin, ROUGE, 2004, with the passages as the reference",
}, func(metric.Params) func(context.Context, assay.Embedder, grounding) (assay.Score, error) {
	return func(_ context.Context, _ assay.Embedder, g grounding) (assay.Score, error) {
		said := Words(g.answer)
		if len(said) < 2 {
			return assay.None("the answer has no pair of words"), nil
		}
		known := bag{}
		for _, t := range g.texts {
			known.add(Words(t), 2)
		}
		return assay.Value(float64(bagOf(said, 2).shared(known)) / float64(len(said)-1)), nil
	}
})
