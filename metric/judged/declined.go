package judged

import (
	"errors"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

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
