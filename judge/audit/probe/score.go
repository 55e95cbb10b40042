package probe

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/stats"
)

// maxUnknown is the share of claims without a ruling above which there is no
// value (metrics.md 2.1).
const maxUnknown = 0.2

// supported is the share of the answer's claims that the passages bear out; nil
// when the judge left it open or the answer makes no claim.
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

// marks is the weighted mean of the levels, each of its highest.
func marks(a *judge.Assessment) *float64 {
	m, err := question.Marks.Of(a).Get()
	if err != nil || len(m) == 0 || len(m) != len(a.Rubric.Dimensions) {
		return nil
	}
	sum, weight := 0.0, 0.0
	for i, d := range a.Rubric.Dimensions {
		sum += d.Weight * m[i].Level / float64(d.Max())
		weight += d.Weight
	}
	return value(sum / weight)
}

func value(v float64) *float64 { return &v }

// equal tests whether the mean of differences is as good as none. Both tests
// together have the level that an interval of the given one leaves.
func equal(differences []stats.Sample, level float64) (Part, bool) {
	p := Part{N: len(differences)}
	e, ok := stats.TOST(differences, tolerance, 1-level)
	if !ok {
		for _, d := range differences {
			p.Effect += d.Value / float64(len(differences))
		}
		return p, false
	}
	p.Effect, p.Interval = e.Mean, &e.CI
	return p, e.Equivalent
}
