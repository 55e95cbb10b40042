package text

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// KPrecision is the share of the answer's tokens that the passages have.
var KPrecision = grounded(metric.Def{
	Name:  "k_precision",
	Title: "K-Precision", LabelQuestion: assay.LabelSupported,
	Doc:     "How much of the answer's wording is in the passages: an estimate of faithfulness.",
	Formula: "common / tokens(answer), common counted as multisets over all passages together",
	Edges:   squadTokens + groundless + "An answer of punctuation and articles only has no value. A possessive does not match its noun.",
	Source:  "Adlakha et al., TACL 2024, where it agrees best with people among the lexical measures of faithfulness",
}, func(_ context.Context, _ metric.Input, _ metric.Params, g grounding) (assay.Score, error) {
	return kPrecision(g.answer, g.texts), nil
})

func kPrecision(answer string, passages []string) assay.Score {
	tokens := bySquad.numbered(append([]string{answer}, passages...)...)
	said := tokens[0]
	if len(said) == 0 {
		return assay.None("the answer has no word")
	}
	return assay.Value(float64(sharedRuns(1, said, tokens[1:]...)[0]) / float64(len(said)))
}
