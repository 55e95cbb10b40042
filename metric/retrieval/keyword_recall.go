package retrieval

import (
	"context"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/metric"
)

// KeywordRecall is the share of the expected keywords that the retrieved texts contain.
var KeywordRecall = set.Define(metric.Def{
	Name:    "keyword_recall",
	Title:   "Keyword recall",
	Group:   metric.Passage,
	Doc:     "How many of the expected keywords occur in what was retrieved: a cheap sign of whether the answer could be there.",
	Formula: "keywords that occur in any of the first k passages, all when there is no cutoff / keywords",
	Edges: "A keyword may hold alternatives, as \"fare|price\". Latin words, numbers and codes must be whole, Chinese, Japanese and Korean words may " +
		"stand anywhere. " +
		"Not applicable if the list of keywords is empty, or the passages have no text.",
	Source: "own definition: words in their normal form (NFKC, case folded)",
	Needs:  metric.NeedKeywords, Version: 2,
	Reads:  metric.ReadPassages,
	Cutoff: metric.OptionalCutoff,
	New: func(p metric.Params) metric.Func {
		return func(_ context.Context, in metric.Input) (assay.Score, error) {
			return keywordRecall(in.Case.Want.Keywords, in.Response.Passages, p.K), nil
		}
	},
})

func keywordRecall(keywords []string, passages []assay.Passage, k int) assay.Score {
	if len(keywords) == 0 {
		return assay.None("the case has an empty list of keywords")
	}
	if noText(passages) {
		return assay.None(assay.NoTexts)
	}
	var chunks []string
	for _, p := range cutoff(passages, k) {
		chunks = append(chunks, text.MatchForm(p.Text))
	}
	found := 0
	var missing []assay.Evidence
	for _, w := range keywords {
		if slices.ContainsFunc(chunks, func(c string) bool { return text.HasKeyword(c, w) }) {
			found++
		} else {
			missing = append(missing, assay.Evidence{Kind: "missing", Text: w})
		}
	}
	s := assay.Value(ratio(found, len(keywords)))
	s.Evidence = missing
	return s
}
