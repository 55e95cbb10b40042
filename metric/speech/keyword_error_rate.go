package speech

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// KeywordErrorRate is the share of the case's keywords that the transcript lost.
var KeywordErrorRate = transcripts(metric.Def{
	Name:  "keyword_error_rate",
	Title: "Keyword error rate",
	Doc: "How many of the case's keywords in the reference the transcript lost, with those listed. Retrieval " +
		"depends on names and terms more than on every word.",
	Formula: "keywords in the reference and not in the transcript / keywords in the reference",
	Edges: "Only keywords that the reference transcript holds count; without one there is no value. A keyword may list alternatives, " +
		"as octopus|八達通, of which any will do. " +
		"Latin words, numbers and codes must be whole, CJK words may occur anywhere. " + normalised + noStage,
	Source: "own definition",
	Needs:  metric.NeedKeywords, Version: 2,
	Better: metric.Lower,
	Pooled: true,
	Params: []metric.Param{scriptParam},
}, func(p metric.Params, reference, transcript string, in metric.Input) assay.Score {
	k := CompareKeywords(reference, transcript, in.Case.Want.Keywords, Profile{}, Script(p.Word("script")))
	if len(k.Said) == 0 {
		return assay.None("the reference transcript has none of the keywords")
	}
	s := assay.Ratio(float64(len(k.Lost)), float64(len(k.Said)))
	for _, w := range k.Lost {
		s.Evidence = append(s.Evidence, assay.Evidence{Kind: "missing", Text: w})
	}
	return s
})
