package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// FactualCorrectness compares the claims of the answer with the reference's.
var FactualCorrectness = define(metric.Def{
	Name:  "factual_correctness",
	Title: "Factual correctness",
	Doc:   "How far the claims of the answer and those of the reference answer agree: precision is what is right of what was said, recall what was said of what is right.",
	Formula: "P = claims of the answer that the reference supports / claims of the answer; R = claims of the reference that the answer supports / claims of the reference; " +
		"stat=f1: 2PR / (P + R), 0 when both are 0",
	Edges: correctnessEdge + "An answer without a claim has no precision and no F1. Precision of an answer that declines has the state abstained. " +
		"The rule for missing rulings holds for each side: " + unknownEdge,
	Source: "precision, recall and F1 of " + ragChecker + "; Ragas factual_correctness, which takes the recall's hits from the answer's claims",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Answer, question.Reference, question.AnswerReference, question.ReferenceAnswer},
	Params: []metric.Param{{Name: "stat", Doc: "which of the three", Default: "f1", Values: []string{"f1", "precision", "recall"}}},
}, func(p metric.Params) formula {
	stat := p.Word("stat")
	return func(in metric.Input) (assay.Score, error) {
		answer, reference, err := bothWays(in)
		switch {
		case err != nil:
			return assay.Score{}, err
		case answer.instead != nil && (stat != "recall" || reference.claims == nil):
			return precisionless(stat, *answer.instead), nil
		}
		var precision assay.Score
		if answer.instead == nil {
			precision = tallied(answer, credit)
		}
		recall := tallied(reference, credit)
		switch stat {
		case "precision":
			precision.Evidence = answer.unsupported()
			return precision, nil
		case "recall":
			recall.Evidence = reference.missing()
			return recall, nil
		}
		s := harmonic(precision, recall)
		s.Evidence = bothSides(answer, reference)
		return s, nil
	}
})

// precisionless is the score of an answer that claims nothing: precision is of
// what was said, so that there is none.
func precisionless(stat string, s assay.Score) assay.Score {
	if s.State != assay.Scored || stat != "precision" {
		return s
	}
	return assay.Score{State: assay.Abstained, Reason: s.Reason}
}

// harmonic is the F1 of two scores, with the bounds of both; a part that has no
// value leaves none.
func harmonic(a, b assay.Score) assay.Score {
	for _, part := range []assay.Score{a, b} {
		if part.State != assay.Scored {
			return assay.Score{State: part.State, Reason: part.Reason, Lower: f1(a.Lower, b.Lower), Upper: f1(a.Upper, b.Upper)}
		}
	}
	s := assay.Value(f1(a.Value, b.Value))
	s.Lower, s.Upper = min(s.Value, f1(a.Lower, b.Lower)), max(s.Value, f1(a.Upper, b.Upper))
	for _, part := range []assay.Score{a, b} {
		if s.Reason == "" {
			s.Reason = part.Reason
		}
	}
	return s
}
