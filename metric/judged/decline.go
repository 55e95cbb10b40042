package judged

import (
	"errors"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const kindEdge = "An empty answer declines; one that answers a part and says that it does not know the rest answers. "

// declines tells whether the answer declines to answer, or is empty.
func declines(in metric.Input) (bool, error) {
	r, err := question.Answer.Of(in.Assessment).Get()
	if err == nil && r.Kind == judge.KindUnknown {
		err = errors.New("the judge did not say whether the answer answers")
	}
	return r.Kind.Declines(), err
}

// declining defines a metric of whether the answer declines what it should.
func declining(d metric.Def, f func(declined, answerable bool) assay.Score) *metric.Def {
	d.Edges = kindEdge + d.Edges
	d.Needs, d.Reads, d.Asks = metric.NeedAnswerable, metric.ReadAnswer, judge.Asks{question.Answer}
	return define(d, func(metric.Params) formula {
		return func(in metric.Input) (assay.Score, error) {
			declined, err := declines(in)
			if err != nil {
				return assay.Score{}, err
			}
			return f(declined, answerable(in)), nil
		}
	})
}

// answerable tells whether the case can be answered; one that is not marked can.
func answerable(in metric.Input) bool {
	a := in.Case.Want.Answerable
	return a == nil || *a
}

// ifDeclined gives the score of correctness where the answer declines: 0 where
// it should have answered, else that there is no content to score.
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

// correct scores whether an answer is right, 0 to 1: by the judge's ruling, or,
// where the case is marked as without an answer, by whether it declines.
func correct(in metric.Input) (assay.Score, error) {
	if in.Case.Want.Answerable != nil {
		declined, err := declines(in)
		switch {
		case err != nil:
			return assay.Score{}, err
		case !*in.Case.Want.Answerable && declined:
			return because(1, "the answer declines, and there is no answer"), nil
		case !*in.Case.Want.Answerable:
			return because(0, wronglyAnswered), nil
		case len(in.Case.Want.Answers) == 0:
			return assay.None(noReference), nil
		case declined:
			return because(0, wronglyDeclined), nil
		}
	}
	if len(in.Case.Want.Answers) == 0 {
		return assay.None(noReference), nil
	}
	r, err := question.Equivalence.Of(in.Assessment).Get()
	switch {
	case err != nil:
		return assay.Score{}, err
	case math.IsNaN(r.Degree):
		return assay.Score{}, errors.New("the judge's ruling is no number")
	}
	s := assay.Value(clip(r.Degree))
	kind := "not equivalent"
	switch {
	case r.Holds && r.Split():
		kind = "split"
	case r.Holds:
		return s, nil
	}
	s.Evidence = []assay.Evidence{{Kind: kind, Text: r.Why, Where: votesOf(r.Votes)}}
	return s, nil
}

const correctEdge = "A case that is marked as without an answer is right when the answer declines and wrong when it answers; one that is marked as answerable is wrong when the answer declines. " +
	"Without a mark the ruling alone decides. "

const (
	noAnswer  = "the case is not answerable"
	hasAnswer = "the case is answerable"

	wronglyDeclined = "the answer declines, and there is an answer"
	wronglyAnswered = "the answer answers, and there is no answer"
)

// counted gives one case of a rate that is pooled.
func counted(hit bool) assay.Score {
	if hit {
		return assay.Ratio(1, 1)
	}
	return assay.Ratio(0, 1)
}
