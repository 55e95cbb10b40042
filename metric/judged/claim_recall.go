package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ClaimRecall is the share of the reference's claims that one passage supports.
var ClaimRecall = define(metric.Def{
	Name:    "claim_recall",
	Title:   "Claim recall",
	Doc:     "How much of the reference answer can be told from single passages, with the missing claims listed. It is at most context_recall, where passages may support a claim together.",
	Formula: "claims of the reference that some passage alone supports / claims with a ruling",
	Edges:   "An empty list scores 0; passages without text give no value. " + firstEdge + depthEdge + unknownEdge,
	Source:  ragChecker,
	Needs:   metric.NeedAnswers,
	Reads:   metric.ReadPassages,
	Asks:    judge.Asks{question.Reference, question.ReferencePassages},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := referenceGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		n := shown(in)
		out := tallied(s, func(f judge.Finding) (float64, bool) { return single(f, n) })
		out.Evidence = s.list(func(f judge.Finding) string {
			if v, known := single(f, n); known && v < 0.5 {
				return "missing"
			}
			return ""
		})
		return out, nil
	}
})
