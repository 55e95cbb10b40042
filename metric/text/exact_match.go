package text

import (
	"slices"

	"github.com/assay-eval/assay/metric"
)

// ExactMatch is 1 if the answer equals a reference answer, else 0.
var ExactMatch = compared(metric.Def{
	Name:    "exact_match",
	Title:   "Exact match",
	Doc:     "Whether the answer is a reference answer word for word, except for case, punctuation and articles.",
	Formula: "1 if tokens(answer) = tokens(reference), else 0",
	Edges:   squadTokens + bestReference + "Both sides empty give 1, one of them 0.",
	Source:  squadSource + ". That of Ragas compares the texts as they are",
}, func(_ metric.Params, c comparison) float64 {
	if answer, reference := c.tokens(bySquad); slices.Equal(answer, reference) {
		return 1
	}
	return 0
})
