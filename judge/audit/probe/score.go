package probe

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

// maxUnknown is the share of claims without a ruling above which there is no value.
const maxUnknown = 0.2

// supported is the share of the answer's claims that the passages support; nil if too
// many rulings are missing or the answer makes no claim.
func supported(a *judge.Assessment) *float64 {
	found, err := question.AnswerPassages.Of(a).Get()
	if err != nil || len(found) == 0 {
		return nil
	}
	held, ruled := 0.0, 0
	for _, f := range found {
		if f.Verdict != judge.Unknown {
			ruled++
			held += f.Degree
		}
	}
	if float64(len(found)-ruled) > maxUnknown*float64(len(found)) {
		return nil
	}
	return value(held / float64(ruled))
}

func equivalent(a *judge.Assessment) *float64 {
	r, err := question.Equivalence.Of(a).Get()
	if err != nil {
		return nil
	}
	return value(r.Degree)
}

// points is the mean credit for the points of the ideal answer.
func points(a *judge.Assessment) *float64 {
	p, err := question.Points.Of(a).Get()
	if err != nil || len(p) == 0 {
		return nil
	}
	sum := 0.0
	for _, one := range p {
		if !one.Known {
			return nil
		}
		sum += one.Credit
	}
	return value(sum / float64(len(p)))
}

func marks(a *judge.Assessment) *float64 {
	m, err := question.Marks.Of(a).Get()
	if err != nil {
		return nil
	}
	score, err := judge.RubricScore(a.Rubric, m)
	if err != nil {
		return nil
	}
	return value(score)
}

func value(v float64) *float64 { return &v }

// equal tests whether the mean of differences is equivalent to 0.
func equal(differences []stats.Sample) (Part, bool) {
	p := Part{N: len(differences)}
	e, ok := stats.TOST(differences, tolerance, 1-stats.DefaultLevel)
	if !ok {
		for _, d := range differences {
			p.Effect += d.Value / float64(len(differences))
		}
		return p, false
	}
	p.Effect, p.Interval = e.Mean, &e.CI
	return p, e.Equivalent
}
