package text

import (
	"slices"

	"github.com/assay-eval/assay"
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
}, func(_ *assay.Case, _ metric.Params, answer, reference string) float64 {
	return exactMatch(answer, reference)
})

func exactMatch(answer, reference string) float64 {
	if slices.Equal(squad(answer), squad(reference)) {
		return 1
	}
	return 0
}
