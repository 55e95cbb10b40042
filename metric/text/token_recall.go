package text

import "github.com/assay-eval/assay/metric"

// TokenRecall is the share of the reference's tokens that the answer has.
var TokenRecall = compared(metric.Def{
	Name:    "token_recall",
	Title:   "Token recall",
	Doc:     "How much of the reference answer is in the answer. A verbose answer loses nothing by it.",
	Formula: "common / tokens(reference), counted as multisets",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource + "; as a measure of verbose answers: Adlakha et al., TACL 2024",
}, func(metric.Params) func(answer, reference string) float64 {
	return func(answer, reference string) float64 { return tokenMatch(answer, reference).recall }
})
