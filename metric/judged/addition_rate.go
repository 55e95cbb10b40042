package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// AdditionRate is the share of claims that the ground truth does not speak of.
var AdditionRate = define(metric.Def{
	Name:    "addition_rate",
	Title:   "Addition rate",
	Doc:     "How much of what the answer claims the ground truth does not speak of: it may be right or made up, and was not asked for.",
	Formula: "e / n, with e claims of the answer that the ideal answer and the passages it was written from neither support nor contradict, and n claims with a ruling",
	Edges:   claimsEdge + idealEdge + unknownEdge,
	Source:  idealOwn,
	Better:  metric.Lower,
	Needs:   metric.NeedIdeal,
	Reads:   metric.ReadAnswer,
	Asks:    asksTruth,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := truthClaims(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		t := s.truth()
		out := t.share(t.extra, t.supported+t.contradicted+t.extra, len(s.claims), noClaims)
		out.Evidence = s.unsupported()
		return out, nil
	}
})
