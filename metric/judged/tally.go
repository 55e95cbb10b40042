package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
)

// mostMissing is the share of rulings that may be missing: a fifth.
const mostMissing = 5

// A tally is a weighted mean of items worth 0 to 1 each, some of them unknown.
type tally struct {
	sum, weight, unknown float64
	n, missing           int
	evidence             []assay.Evidence
}

// add counts an item. The value of an unknown item is ignored.
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

// note adds evidence to the score.
func (t *tally) note(kind, text, where string) {
	t.evidence = append(t.evidence, assay.Evidence{Kind: kind, Text: text, Where: where})
}

// score is sum/weight of the known items, with bounds for the unknown ones.
// There must be at least one item.
func (t *tally) score() assay.Score {
	all := t.weight + t.unknown
	s := bounded(t.sum/t.weight, t.sum/all, (t.sum+t.unknown)/all, t.missing, t.n)
	s.Evidence = t.evidence
	return s
}

// bounded returns a value with its bounds, or no value if more than a fifth of
// n rulings is missing.
func bounded(value, lower, upper float64, missing, n int) assay.Score {
	reason := fmt.Sprintf("the judge gave no ruling on %d of %d", missing, n)
	if tooMany(missing, n) {
		return assay.Score{State: assay.JudgeError, Reason: reason + ": at most a fifth may be missing", Lower: clip(lower), Upper: clip(upper)}
	}
	s := assay.Value(value)
	if missing > 0 && s.State == assay.Scored {
		// Rounding must not put the value outside its bounds.
		s.Lower, s.Upper = min(lower, value), max(upper, value)
		s.Reason = reason
	}
	return s
}

func tooMany(missing, n int) bool { return missing*mostMissing > n }

func clip(v float64) float64 { return min(max(v, 0), 1) }

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// f1 is the harmonic mean of two shares, 0 if both are 0.
func f1(a, b float64) float64 {
	if a+b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}
