package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// NoiseSensitivity is the share of claims that are wrong and were retrieved.
var NoiseSensitivity = define(metric.Def{
	Name:  "noise_sensitivity",
	Title: "Noise sensitivity",
	Doc: "How much of what the answer claims is wrong and comes from the passages: from relevant ones (mode=relevant), " +
		"or from passages that support nothing of the reference (mode=irrelevant).",
	Formula: "claims supported by the passages and not by the reference / claims with a ruling; a claim belongs to mode=relevant " +
		"if one of the passages that support it supports a claim of the reference, else to mode=irrelevant",
	Edges: checkerEdge + "A claim that only several passages support together counts as coming from all of them. " +
		"If no ruling is missing, both modes + hallucination = 1 - factual_correctness(stat=precision).",
	Source: ragChecker + "; Ragas noise_sensitivity",
	Better: metric.Lower,
	Needs:  metric.NeedAnswers,
	Reads:  readsBoth,
	Asks: judge.Asks{
		question.Answer, question.Reference, question.AnswerAlone, question.ReferenceAlone, question.AnswerReference,
	},
	Params: []metric.Param{
		{Name: "mode", Doc: "the passages that the claims come from", Default: "relevant", Values: []string{"relevant", "irrelevant"}},
		supportParam,
	},
}, func(in metric.Input, p metric.Params) (assay.Score, error) {
	r, claims, err := checkedClaims(in, answerInEach, p)
	if err != nil || r.instead != nil {
		return r.score(), err
	}
	reference, err := referenceInEach.rulings(in, p)
	if err != nil || reference.instead != nil {
		return reference.score(), err
	}
	relevant := usefulness(reference.findings, shown(in))
	return meanOf(r, claims, "misled", func(c checked) (float64, bool) {
		share, knowsShare := relevant.of(c.finding)
		if p.Word("mode") == "irrelevant" {
			share = 1 - share
		}
		wrong, knowsWrong := product(c.faithful, c.knowsFaithful, 1-c.right, c.knowsRight)
		return product(wrong, knowsWrong, share, knowsShare)
	}), nil
})
