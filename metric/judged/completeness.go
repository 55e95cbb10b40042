package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// Completeness is the weighted share of the ideal answer's points.
var Completeness = define(metric.Def{
	Name:    "completeness",
	Title:   "Completeness",
	Doc:     "How much of what a complete answer says the answer says, with what is missing listed. It rewards length: have factual_accuracy or addition_rate beside it.",
	Formula: "sum of weight * credit / sum of weight; weight 1 for a vital point and 0.5 for another; credit 1 for a point that is made, 0.5 in part, 0 not",
	Edges:   pointsEdge + idealEdge + unknownEdge,
	Source:  idealOwn + "; the same as nugget Weighted of AutoNuggetizer (Pradeep et al., SIGIR 2025)",
	Needs:   metric.NeedIdeal,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Points},
}, func(metric.Params) formula { return complete })

func complete(in metric.Input) (assay.Score, error) {
	points, err := points(in)
	if err != nil || len(points) == 0 {
		return assay.None(noPoints), err
	}
	var t tally
	for _, p := range points {
		t.add(p.Weight(), p.credit, p.known)
	}
	s := t.score()
	s.Evidence = missed(points)
	return s, nil
}
