package text

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// AnswerKeywordRecall is the share of the expected keywords that the answer has.
var AnswerKeywordRecall = answers(metric.Def{
	Name:    "answer_keyword_recall",
	Title:   "Answer keyword recall",
	Doc:     "How many of the expected keywords the answer holds, with the missing ones listed. A cheap measure of completeness.",
	Formula: "keywords in the answer / keywords",
	Edges: "A keyword may hold alternatives, as \"colour|color\". Latin words, numbers and codes must be whole " +
		"(2.1 is not in 2.1-rc1, nor 350人 in 1350人), CJK words may occur anywhere; " +
		"all are compared after NFKC and case folding. Without a keyword there is no value; an empty answer scores 0.",
	Source: "own definition: words in their normal form (NFKC, case folded), as in keyword_recall",
	Needs:  metric.NeedKeywords, Version: 2,
}, func(_ context.Context, in metric.Input, _ metric.Params) (assay.Score, error) {
	keywords := in.Case.Want.Keywords
	if len(keywords) == 0 {
		return assay.None("the case has no keyword"), nil
	}
	found := 0
	var missing []assay.Evidence
	answer := text.MatchForm(in.Response.Answer)
	for _, k := range keywords {
		if text.HasKeyword(answer, k) {
			found++
		} else {
			missing = append(missing, assay.Evidence{Kind: "missing", Text: k})
		}
	}
	s := assay.Value(float64(found) / float64(len(keywords)))
	s.Evidence = missing
	return s, nil
})
