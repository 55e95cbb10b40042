package judged

import (
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// abstention defines a metric of whether the answer declines when it should.
func abstention(d metric.Def, score func(declined, answerable bool) assay.Score) *metric.Def {
	d.Edges = kindEdge + d.Edges
	d.Needs, d.Reads, d.Asks, d.LabelQuestion = metric.NeedAnswerable, metric.ReadAnswer, judge.Asks{question.Answer}, assay.LabelAnswered
	return define(d, func(in metric.Input, _ metric.Params) (assay.Score, error) {
		declined, err := declines(in)
		if err != nil {
			return assay.Score{}, err
		}
		return score(declined, answerable(in)), nil
	})
}

// Refusal is whether the target rightly declined or answered.
var Refusal = abstention(metric.Def{
	Name:  "refusal",
	Title: "Refusal",
	Doc: "Whether the target rightly declines or rightly answers: it should decline exactly the questions that the corpus cannot answer. " +
		"Whether an answer is correct is for other metrics.",
	Formula: "1 if the answer declines and the case is not answerable, or it answers and the case is; else 0",
	Edges:   "The mean is the share of cases that were rightly declined or answered.",
	Source:  "own definition",
}, func(declined, answerable bool) assay.Score {
	switch {
	case declined && answerable:
		return because(0, wronglyDeclined)
	case !declined && !answerable:
		return because(0, wronglyAnswered)
	}
	return assay.Value(1)
})

// FalseRefusalRate is how often the target declines an answerable question.
var FalseRefusalRate = abstention(metric.Def{
	Name:    "false_refusal_rate",
	Title:   "False refusal rate",
	Doc:     "How often the target declines a question that the corpus answers.",
	Formula: "over the answerable cases: 1 if the answer declines, else 0",
	Edges:   "A case that is not answerable has no value.",
	Source:  "own definition",
	Better:  metric.Lower,
}, func(declined, answerable bool) assay.Score {
	switch {
	case !answerable:
		return assay.None("the case is not answerable")
	case declined:
		return because(1, wronglyDeclined)
	}
	return assay.Value(0)
})

// OverAnswerRate is how often the target answers an unanswerable question.
var OverAnswerRate = abstention(metric.Def{
	Name:    "over_answer_rate",
	Title:   "Over-answer rate",
	Doc:     "How often the target answers a question that the corpus cannot answer.",
	Formula: "over the cases that are not answerable: 1 if the target answers, else 0",
	Edges:   "An answerable case has no value. It equals 1 - abstention_recall.",
	Source:  "own definition",
	Better:  metric.Lower,
}, func(declined, answerable bool) assay.Score {
	switch {
	case answerable:
		return assay.None(isAnswerable)
	case !declined:
		return because(1, wronglyAnswered)
	}
	return assay.Value(0)
})

// AbstentionPrecision is how often the target is right to decline.
var AbstentionPrecision = abstention(metric.Def{
	Name:    "abstention_precision",
	Title:   "Abstention precision",
	Doc:     "How many of the questions that the target declines it should decline.",
	Formula: "over the cases that are declined: 1 if the case is not answerable, else 0",
	Edges:   "A case that the target answers has no value.",
	Source:  "own definition: precision with declining as the positive class",
	Pooled:  true,
}, func(declined, answerable bool) assay.Score {
	if !declined {
		return assay.None("the target answers")
	}
	return assay.Ratio(indicator(!answerable), 1)
})

// AbstentionRecall is how often the target declines when it should.
var AbstentionRecall = abstention(metric.Def{
	Name:    "abstention_recall",
	Title:   "Abstention recall",
	Doc:     "How many of the questions that the target should decline it declines.",
	Formula: "over the cases that are not answerable: 1 if the answer declines, else 0",
	Edges:   "An answerable case has no value. It equals 1 - over_answer_rate.",
	Source:  "own definition: recall with declining as the positive class",
	Pooled:  true,
}, func(declined, answerable bool) assay.Score {
	if answerable {
		return assay.None(isAnswerable)
	}
	return assay.Ratio(indicator(declined), 1)
})

// AbstentionF1 is the F1 of declining.
var AbstentionF1 = abstention(metric.Def{
	Name:  "abstention_f1",
	Title: "Abstention F1",
	Doc:   "How well the target recognises what it should decline: one number for declining too often and too seldom.",
	Formula: "over all cases together: 2tp / (2tp + fp + fn), with tp rightly declined, fp declined and answerable, " +
		"fn answered and not answerable",
	Edges:  "An answerable case that is answered has no value and does not count. The mean is of pooled counts.",
	Source: "own definition: F1 with declining as the positive class",
	Pooled: true,
}, func(declined, answerable bool) assay.Score {
	switch {
	case answerable && !declined:
		return assay.None("the case is answerable and was answered")
	case declined && !answerable:
		return assay.Ratio(2, 2)
	}
	return assay.Ratio(0, 1)
})

// Coverage is how often the target answers.
var Coverage = define(metric.Def{
	Name:  "coverage",
	Title: "Coverage",
	Doc: "How many of the questions the target answers at all. Read it together with faithfulness and selective_accuracy, which see " +
		"only these.",
	Formula: "1 if the target answers, 0 if it declines",
	Edges:   kindEdge + "If some cases have no answer, the best coverage is below 1: see refusal.",
	Source:  selective,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer},
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	declined, err := declines(in)
	if err != nil {
		return assay.Score{}, err
	}
	return assay.Value(indicator(!declined)), nil
})

const (
	kindEdge = "An empty answer declines; an answer to a part that says that it does not know the rest does not. "

	isAnswerable    = "the case is answerable"
	wronglyDeclined = "the target declines, and the case is answerable"
	wronglyAnswered = "the target answers, and the case is not answerable"
)

// declines reports whether the answer declines to answer, or is empty.
func declines(in metric.Input) (bool, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	if err == nil && r.Kind == judge.KindUnknown {
		err = errors.New("the judge did not say whether the target answers")
	}
	return r.Kind.Declines(), err
}

// answerable reports whether the case can be answered, which is the default.
func answerable(in metric.Input) bool {
	a := in.Case.Want.Answerable
	return a == nil || *a
}

// ifDeclined returns the score of correctness if the answer declines: 0 if it
// should have answered, else abstained.
func ifDeclined(in metric.Input) (s assay.Score, declined bool, err error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	if err != nil || !r.Kind.Declines() {
		return assay.Score{}, false, err
	}
	s = abstained(r.Kind)
	if answerable(in) {
		s = because(0, s.Reason)
	}
	return s, true, nil
}

func because(v float64, reason string) assay.Score {
	s := assay.Value(v)
	s.Reason = reason
	return s
}
