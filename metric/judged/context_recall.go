package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ContextRecall is the share of the reference's claims that was retrieved.
var ContextRecall = define(metric.Def{
	Name:    "context_recall",
	Title:   "Context recall",
	Doc:     "How much of the reference answer can be told from the passages taken together, with the missing claims listed. It is the ceiling of what a faithful answer can say.",
	Formula: "claims of the reference supported by the passages / claims with a ruling",
	Edges:   "An empty list scores 0; passages without text give no value. " + firstEdge + depthEdge + unknownEdge,
	Source:  "Ragas context_recall, with the claims of the reference fixed before",
	Needs:   metric.NeedAnswers,
	Reads:   metric.ReadPassages,
	Asks:    judge.Asks{question.Reference, question.ReferencePassages},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := referenceGrounds(in)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		out := tallied(s, credit)
		out.Evidence = s.missing()
		return out, nil
	}
})
