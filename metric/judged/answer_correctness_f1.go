package judged

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/text"
)

// AnswerCorrectnessF1 is the F1 of claims that are right, wrong and missing.
var AnswerCorrectnessF1 = define(metric.Def{
	Name:  "answer_correctness_f1",
	Title: "Answer correctness F1", LabelQuestion: assay.LabelRight,
	Doc: "How far answer and reference agree, claim by claim, as one F1 over claims that are right, wrong or missing. " +
		"The similarity of the two texts is shown separately: it hides errors, because \"1889\" and \"1899\" are close.",
	Formula: "F = 2TP / (2TP + FP + FN), with TP and FP the claims of the answer that the reference does and does not support, " +
		"FN the claims of the reference that the answer does not make; " +
		"(1 - similarity) * F + similarity * max(0, cosine of both texts)",
	Edges: declineEdge + "An answer without a claim scores 0 for its claims. " +
		"TP and FN count different claims; factual_correctness scores each side by itself. " + unknownEdge,
	Source: "Ragas answer_correctness, whose weight of similarity is 0.25",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Embeds: true,
	Asks:   bothWaysAsks,
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
			cosines, err := text.Cosines(ctx, in.Embedder, in.Response.Answer, in.Case.Want.Answers[:1])
			if err != nil {
				return assay.Score{}, err
			}
			s := claimF1(answer, reference)
			if s.State != assay.Scored {
				return s, nil
			}
			similar := clip(cosines[0])
			for _, v := range []*float64{&s.Value, &s.Lower, &s.Upper} {
				*v = (1-weight)**v + weight*similar
			}
			s.Evidence = append(answer.list(unsupported), reference.list(missing)...)
			s.Evidence = append(s.Evidence, assay.Evidence{Kind: "similarity", Text: fmt.Sprintf("%.2f", similar)})
			return s, nil
		}
	},
}, nil)

// claimF1 counts the claims of both sides. The reference has at least one.
func claimF1(answer, reference rulings) assay.Score {
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

// counts sums how far claims are supported and how far not, and counts those
// without a ruling.
func (r rulings) counts() (supported, not, unknown float64) {
	for _, f := range r.findings {
		v, known := credit(f)
		if !known {
			unknown++
			continue
		}
		supported += v
		not += 1 - v
	}
	return supported, not, unknown
}
