package judged

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

func pure(f formula) metric.Func {
	return func(_ context.Context, in metric.Input) (assay.Score, error) { return f(in) }
}

// mostMissing is the share of rulings that may be missing: a fifth.
const mostMissing = 5

// A tally is a weighted mean of things each worth 0 to 1, some of them unknown.
type tally struct {
	sum, weight, unknown float64
	n, missing           int
}

// add counts a thing of the given weight; one that is not known has no value.
func (t *tally) add(weight, value float64, known bool) {
	t.n++
	if !known {
		t.missing++
		t.unknown += weight
		return
	}
	t.sum += weight * value
	t.weight += weight
}

// score gives sum/weight of what is known, with the bounds that the unknown
// leaves. The caller has made sure that there is something to count.
func (t *tally) score() assay.Score {
	all := t.weight + t.unknown
	return bounded(t.sum/t.weight, t.sum/all, (t.sum+t.unknown)/all, t.missing, t.n)
}

// bounded gives a value with its bounds when few enough of n rulings are
// missing, else no value. The value is looked at only when there is one.
func bounded(value, lower, upper float64, missing, n int) assay.Score {
	if s, tooMany := lacking(missing, n); tooMany {
		s.Lower, s.Upper = clip(lower), clip(upper)
		return s
	}
	s := assay.Value(value)
	if missing > 0 && s.State == assay.Scored {
		// Rounding must not put the value outside.
		s.Lower, s.Upper = min(lower, value), max(upper, value)
		s.Reason = missingOf(missing, n)
	}
	return s
}

// lacking tells whether more than a fifth of the rulings is missing, and gives
// the score for that.
func lacking(missing, n int) (assay.Score, bool) {
	if missing*mostMissing <= n {
		return assay.Score{}, false
	}
	return assay.Score{State: assay.JudgeError, Reason: missingOf(missing, n) + ": want a fifth at most", Upper: 1}, true
}

func missingOf(missing, n int) string {
	return fmt.Sprintf("the judge gave no ruling on %d of %d", missing, n)
}

func clip(v float64) float64 { return min(max(v, 0), 1) }

// f1 is the harmonic mean of two shares, 0 when both are 0.
func f1(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}
