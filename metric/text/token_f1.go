package text

import "github.com/assay-eval/assay/metric"

// TokenF1 is the harmonic mean of token precision and recall.
var TokenF1 = compared(metric.Def{
	Name:    "token_f1",
	Title:   "Token F1",
	Doc:     "How much of the answer and of the reference answer are the same words, whatever their order.",
	Formula: "2PR / (P + R) with P = common / tokens(answer) and R = common / tokens(reference), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource,
}, func(metric.Params) func(answer, reference string) float64 {
	return func(answer, reference string) float64 { return tokenMatch(answer, reference).f1() }
})
