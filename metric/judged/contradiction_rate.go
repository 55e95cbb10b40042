package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// ContradictionRate is the share of the answer's claims that the passages deny.
var ContradictionRate = define(metric.Def{
	Name:    "contradiction_rate",
	Title:   "Contradiction rate",
	Doc:     "How much of what the answer claims the passages say otherwise. It parts the wrong from the merely unfounded, which faithfulness does not.",
	Formula: "contradicted claims of the answer / claims with a ruling",
	Edges:   claimsEdge + "Where nothing was retrieved, or the passages have no text, nothing can contradict and there is no value. " + unknownEdge,
	Source:  "own definition over the rulings of faithfulness",
	Better:  metric.Lower,
	Reads:   readsBoth,
	Asks:    judge.Asks{question.Answer, question.AnswerPassages},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		s, err := answerGrounds(in)
		switch {
		case err != nil || s.instead != nil:
			return s.score(), err
		case len(in.Response.Passages) == 0:
			return assay.None(nothing), nil
		}
		out := tallied(s, func(f judge.Finding) (float64, bool) {
			_, known := credit(f)
			if f.Verdict == judge.Contradicted {
				return 1, known
			}
			return 0, known
		})
		out.Evidence = s.list(func(f judge.Finding) string {
			if f.Verdict == judge.Contradicted {
				return "contradicted"
			}
			return ""
		})
		return out, nil
	}
})
