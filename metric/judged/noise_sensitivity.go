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
	Doc:   "How much of what the answer claims is wrong and was taken from the passages: from relevant ones (mode=relevant), or from passages with nothing that the reference says (mode=irrelevant).",
	Formula: "claims supported by the passages and not by the reference / claims with a ruling; a claim is of mode=relevant when one of the passages that support it supports a claim of the reference, " +
		"else of mode=irrelevant",
	Edges: checkerEdge + "A claim that only several passages support together is taken from all of them. " +
		"With nothing missing, both modes + hallucination = 1 - factual_correctness(stat=precision).",
	Source: ragChecker + "; Ragas noise_sensitivity",
	Better: metric.Lower,
	Needs:  metric.NeedAnswers,
	Reads:  readsBoth,
	Asks:   judge.Asks{question.Answer, question.Reference, question.AnswerPassages, question.ReferencePassages, question.AnswerReference},
	Params: []metric.Param{
		{Name: "mode", Doc: "the passages that the claims are taken from", Default: "relevant", Values: []string{"relevant", "irrelevant"}},
		supportParam,
	},
}, func(p metric.Params) formula {
	mode := p.Word("mode")
	return func(in metric.Input) (assay.Score, error) {
		s, claims, err := compared(in, p)
		if err != nil || s.instead != nil {
			return s.score(), err
		}
		reference, err := referenceGrounds(in)
		if err != nil || reference.instead != nil {
			return reference.score(), err
		}
		relevant := usefulness(reference.findings, shown(in))
		var t tally
		var evidence []assay.Evidence
		for i, c := range claims {
			share, knowsShare := relevant.of(c.finding)
			if mode == "irrelevant" {
				share = 1 - share
			}
			wrong, knowsWrong := product(c.faithful, c.knowsFaithful, 1-c.right, c.knowsRight)
			v, known := product(wrong, knowsWrong, share, knowsShare)
			t.add(1, v, known)
			evidence = noted(evidence, s, i, "misled", v, known)
		}
		out := t.score()
		out.Evidence = evidence
		return out, nil
	}
})
