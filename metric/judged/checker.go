package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const (
	// checkerEdge is what the metrics of RAGChecker have in common.
	checkerEdge = claimsEdge + nothingEdge + firstEdge + unknownEdge +
		"Passages may support a claim together, so the identities below hold with the default faithfulness; " +
		"support=single looks at one passage at a time, as RAGChecker does, and the two differ by multi_chunk_only. "
	sumsToOne = "If no ruling is missing, faithfulness + hallucination + self_knowledge = 1"
)

// Hallucination is the share of claims that neither the passages nor the
// reference supports.
var Hallucination = checker(metric.Def{
	Name:  "hallucination",
	Title: "Hallucination", LabelQuestion: assay.LabelFounded,
	Doc: "How much of what the answer claims neither the passages nor the reference answer supports: " +
		"it is made up and, as far as is known, wrong.",
	Formula: "claims supported neither by the passages nor by the reference / claims with a ruling",
	Edges: sumsToOne + ", and noise_sensitivity(mode=relevant) + noise_sensitivity(mode=irrelevant) + hallucination = " +
		"1 - factual_correctness(stat=precision). That of DeepEval is another measure: the share of contexts that the answer contradicts.",
}, "hallucinated", func(c checked) (float64, bool) {
	return product(1-c.faithful, c.knowsFaithful, 1-c.right, c.knowsRight)
})

// SelfKnowledge is the share of claims that are right and were not retrieved.
var SelfKnowledge = checker(metric.Def{
	Name:  "self_knowledge",
	Title: "Self-knowledge",
	Doc: "How much of what the answer claims is right although no passage says it: the generator answered from memory. " +
		"A reader cannot verify such claims, so less is better.",
	Formula: "claims supported by the reference and not by the passages / claims with a ruling",
	Edges:   sumsToOne + ".",
}, "from memory", func(c checked) (float64, bool) {
	return product(1-c.faithful, c.knowsFaithful, c.right, c.knowsRight)
})

// checked is a claim of the answer, checked against the passages and against
// the reference answer.
type checked struct {
	// faithful and right are how far the passages and the reference support it.
	faithful, right           float64
	knowsFaithful, knowsRight bool
	finding                   judge.Finding
}

// checkedClaims returns the answer's claims checked against both, against the passages by c.
func checkedClaims(in metric.Input, c check, p metric.Params) (rulings, []checked, error) {
	if len(in.Case.Want.Answers) == 0 {
		return none(assay.None(noReference)), nil, nil
	}
	inPassages, err := c.rulings(in, p)
	if err != nil || inPassages.instead != nil {
		return inPassages, nil, err
	}
	inReference, err := answerClaims(in, question.AnswerReference.Of(in.Assessment), false)
	if err != nil {
		return rulings{}, nil, err
	}
	faithful := supportOf(p, shown(in))
	out := make([]checked, len(inPassages.claims))
	for i := range out {
		c := &out[i]
		c.finding = inPassages.findings[i]
		c.faithful, c.knowsFaithful = faithful(c.finding)
		c.right, c.knowsRight = credit(inReference.findings[i])
	}
	return inPassages, out, nil
}

// product is a·b. It is known to be 0 if one factor is known to be 0.
func product(a float64, knowsA bool, b float64, knowsB bool) (v float64, known bool) {
	if knowsA && a == 0 || knowsB && b == 0 {
		return 0, true
	}
	return a * b, knowsA && knowsB
}

// checker defines a metric that is the mean worth of the answer's claims.
func checker(d metric.Def, kind string, worth func(checked) (float64, bool)) *metric.Def {
	d.Edges, d.Source = checkerEdge+d.Edges, ragChecker
	d.Better, d.Needs, d.Reads = metric.Lower, metric.NeedAnswers, readsBoth
	d.Asks = judge.Asks{question.Answer, question.AnswerPassages, question.AnswerReference}
	d.Params = []metric.Param{supportParam}
	return define(d, func(in metric.Input, p metric.Params) (assay.Score, error) {
		r, claims, err := checkedClaims(in, answerInPassages, p)
		if err != nil || r.instead != nil {
			return r.score(), err
		}
		return meanOf(r, claims, kind, worth), nil
	})
}

// meanOf is the mean worth of the claims, with those worth more than a half as
// evidence of the kind.
func meanOf(r rulings, claims []checked, kind string, worth func(checked) (float64, bool)) assay.Score {
	var t tally
	for i, c := range claims {
		v, known := worth(c)
		t.add(1, v, known)
		switch {
		case !known:
			t.evidence = append(t.evidence, r.evidence(i, "unknown"))
		case v > 0.5:
			t.evidence = append(t.evidence, r.evidence(i, kind))
		}
	}
	return t.score()
}

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
