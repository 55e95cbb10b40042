package text

import "github.com/assay-eval/assay/metric"

// TokenPrecision is the share of the answer's tokens that the reference has.
var TokenPrecision = compared(metric.Def{
	Name:  "token_precision",
	Title: "Token precision",
	Doc: "How much of the answer is in the reference answer. It falls with every word that the reference " +
		"lacks, so read it beside token_recall.",
	Formula: "common / tokens(answer), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource,
}, func(metric.Params) func(answer, reference string) float64 {
	return func(answer, reference string) float64 { return tokenMatch(answer, reference).precision }
})
