package judged

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// AnswerCorrectnessF1 is the F1 of claims that are right, wrong and left out.
var AnswerCorrectnessF1 = define(metric.Def{
	Name:  "answer_correctness_f1",
	Title: "Answer correctness F1",
	Doc:   "How far answer and reference agree, claim by claim, as one F1 over claims that are right, wrong or left out. The similarity of the two texts is shown apart: it hides errors, for \"1889\" and \"1899\" are near.",
	Formula: "F = 2TP / (2TP + FP + FN), with TP and FP the claims of the answer that the reference supports and does not, FN the claims of the reference that the answer does not make; " +
		"(1 - similarity) * F + similarity * max(0, cosine of both texts)",
	Edges:  correctnessEdge + "An answer without a claim scores 0 for its claims. TP and FN are of different claims; factual_correctness takes each side by itself. " + unknownEdge,
	Source: "Ragas answer_correctness, whose weight of similarity is 0.25",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Embeds: true,
	Asks:   judge.Asks{question.Answer, question.Reference, question.AnswerReference, question.ReferenceAnswer},
	Params: []metric.Param{{Name: "similarity", Doc: "weight of the similarity of both texts", Default: "0", Min: 0, Max: 1}},
	New: func(p metric.Params) metric.Func {
		weight := p.Number("similarity")
		return func(ctx context.Context, in metric.Input) (assay.Score, error) {
			answer, reference, err := bothWays(in)
			switch {
			case err != nil:
				return assay.Score{}, err
			case answer.instead != nil && reference.claims == nil:
				return *answer.instead, nil
			}
			near, err := cosines(ctx, in.Embedder, in.Response.Answer, in.Case.Want.Answers[:1])
			if err != nil {
				return assay.Score{}, err
			}
			s := claimF1(answer, reference)
			if s.State != assay.Scored {
				return s, nil
			}
			similar := clip(near[0])
			for _, v := range []*float64{&s.Value, &s.Lower, &s.Upper} {
				*v = (1-weight)**v + weight*similar
			}
			s.Evidence = append(bothSides(answer, reference), assay.Evidence{Kind: "similarity", Text: fmt.Sprintf("%.2f", similar)})
			return s, nil
		}
	},
}, nil)

// claimF1 counts both sides together. There is a claim of the reference.
func claimF1(answer, reference said) assay.Score {
	right, wrong, open := answer.counts()
	_, left, unanswered := reference.counts()
	of := func(tp, fp, fn float64) float64 {
		if tp+fp+fn == 0 {
			return 0
		}
		return 2 * tp / (2*tp + fp + fn)
	}
	return bounded(of(right, wrong, left), of(right, wrong+open, left+unanswered), of(right+open, wrong, left),
		int(open+unanswered), len(answer.findings)+len(reference.findings))
}
