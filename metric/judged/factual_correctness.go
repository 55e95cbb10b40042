package judged

import (
	"cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const declineEdge = "An answer that declines scores 0, and is abstained if the case, or the reference itself, has no answer. " + firstEdge

var bothWaysAsks = judge.Asks{question.Answer, question.Reference, question.AnswerReference, question.ReferenceAnswer}

// FactualCorrectness compares the claims of the answer with the reference's.
var FactualCorrectness = define(metric.Def{
	Name:  "factual_correctness",
	Title: "Factual correctness", LabelQuestion: assay.LabelRight,
	Doc: "How far the claims of the answer and those of the reference answer agree: " +
		"precision is the correct share of what was said, recall the share of the reference that was said.",
	Formula: "P = claims of the answer that the reference supports / claims of the answer; " +
		"R = claims of the reference that the answer supports / claims of the reference; stat=f1: 2PR / (P + R), 0 when both are 0",
	Edges: declineEdge + "An answer without a claim has no precision and no F1. Precision of an answer that declines is abstained. " +
		"The rule for missing rulings holds for each side: " + unknownEdge,
	Source: "precision, recall and F1 of " + ragChecker + "; Ragas factual_correctness, which takes the hits of recall from the " +
		"answer's claims",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Asks:   bothWaysAsks,
	Params: []metric.Param{{Name: "stat", Doc: "which of the three", Default: "f1", Values: []string{"f1", "precision", "recall"}}},
}, func(in metric.Input, p metric.Params) (assay.Score, error) {
	stat := p.Word("stat")
	answer, reference, err := bothWays(in)
	switch {
	case err != nil:
		return assay.Score{}, err
	case answer.instead != nil && (stat != "recall" || reference.claims == nil):
		s := *answer.instead
		if stat == "precision" && s.State == assay.Scored {
			// An answer that claims nothing has no precision.
			s = assay.Score{State: assay.Abstained, Reason: s.Reason}
		}
		return s, nil
	case stat == "precision":
		return answer.mean(credit, unsupported), nil
	case stat == "recall":
		return reference.mean(credit, missing), nil
	}
	return harmonic(answer.mean(credit, unsupported), reference.mean(credit, missing)), nil
})

// bothWays returns the answer's claims checked against the reference answer, and
// the reference's against the answer. If answer.instead is set and reference has
// no claims, the metric does not apply to either.
func bothWays(in metric.Input) (answer, reference rulings, err error) {
	reference, err = referenceClaims(in, question.ReferenceAnswer.Of(in.Assessment), false)
	if err != nil || reference.instead != nil {
		return reference, rulings{}, err
	}
	if s, declined, err := ifDeclined(in); err != nil || declined {
		return none(s), rulings{}, err
	}
	answer, err = answerClaims(in, question.AnswerReference.Of(in.Assessment), false)
	return answer, reference, err
}

// harmonic is the F1 of two scores, with the bounds and the evidence of both; if
// one has no value, neither has the F1.
func harmonic(a, b assay.Score) assay.Score {
	s := assay.Value(f1(a.Value, b.Value))
	s.Evidence = append(a.Evidence, b.Evidence...)
	s.Lower, s.Upper = f1(a.Lower, b.Lower), f1(a.Upper, b.Upper)
	for _, part := range []assay.Score{a, b} {
		if part.State != assay.Scored {
			return assay.Score{State: part.State, Reason: part.Reason, Lower: s.Lower, Upper: s.Upper, Evidence: s.Evidence}
		}
	}
	s.Lower, s.Upper = min(s.Value, s.Lower), max(s.Value, s.Upper)
	s.Reason = cmp.Or(a.Reason, b.Reason)
	return s
}
