package summary

import (
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

// A Value is the contribution of one case to a comparison or a gate: the mean of its
// draws.
type Value struct {
	// Case is the id that the draws share. Group is the cluster of the case, "" if it
	// has none.
	Case, Group string
	// Mean is over the draws that have a value: Known of Draws. It is 0 if none has.
	Mean         float64
	Known, Draws int
	// Failed are the draws, of the known ones, in which the target gave no answer.
	Failed int
	// Lower and Upper bound the mean of all draws given what is unknown; both are Mean
	// if everything is known. A judge that ruled on only part of a case leaves a range
	// even for a draw that has a value.
	Lower, Upper float64
	// Open is set if something is unknown and the metric's range does not bound it:
	// Lower is then −[math.MaxFloat64], or Upper [math.MaxFloat64], and neither may
	// enter a mean.
	Open bool
	// Most is the largest value that the labels of the case allow; 0 if they do not limit it.
	Most float64
}

// Settled reports whether everything about the value is known.
func (v Value) Settled() bool { return v.Known == v.Draws && v.Lower == v.Upper }

// Pair returns two values of the case, with the largest difference that the metric's range and the
// labels of the case allow.
func (v Value) Pair(m assay.MetricInfo, old, new float64) stats.Pair {
	p, most := stats.Pair{Old: old, New: new, Cluster: v.Group, Case: v.Case}, m.Range[1]
	if m.Ranks > 0 {
		most = v.Most
	}
	if m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64 && m.Range[0] < m.Range[1] {
		p.Width = max(most, old, new) - m.Range[0]
	}
	return p
}

// bothEnds are the ends of the bounds of a value.
var bothEnds = []func(Value) float64{func(v Value) float64 { return v.Lower }, func(v Value) float64 { return v.Upper }}

// valuesAt sets the means of the cases of which every draw has a score to an end of their bounds.
func valuesAt(end func(Value) float64, values []Value) []Value {
	for i, v := range values {
		if end != nil && v.Known == v.Draws {
			values[i].Mean = end(v)
		}
	}
	return values
}

// Values returns the values of the cases that the metric applies to, in the order of
// their first draw. If the target failed, a draw has the worst value if more is
// better, and otherwise no value. A draw does not count if the metric does not apply
// to it or the target declined to answer; a case without draws that count is left out.
func Values(m assay.MetricInfo, t *columns.Table) []Value {
	column := t.Metric(m.Name)
	out := make([]Value, 0, t.Distinct())
	at := make([]int32, t.Cases()) // the number of values up to that of the case, 0 if it has none
	for i := range t.Len() {
		score, _ := column.Numbers(i)
		if score.State == assay.NotApplicable || score.State == assay.Abstained {
			continue
		}
		k := &at[t.Case(i)]
		if *k == 0 {
			out = append(out, Value{Case: t.Base(i), Group: t.Group(i), Most: ceiling(m, t, i)})
			*k = int32(len(out))
		}
		out[*k-1].add(m, score)
	}
	alone := loners(t, out)
	for i := range out {
		v := &out[i]
		v.finish()
		if v.Group == v.Case && alone[v.Group] {
			v.Group = ""
		}
	}
	return out
}

// ceiling returns the largest value of a metric that the labels of row i allow; 0 if they do not
// limit this metric.
func ceiling(m assay.MetricInfo, t *columns.Table, i int) float64 {
	relevant, labelled := t.Relevant(i)
	switch {
	case m.Ranks == 0:
		return 0
	case !labelled || m.OfRelevant && relevant == 0:
		return m.Range[1]
	}
	return assay.Ceiling(m.Ranks, relevant, m.OfRelevant)
}

// mostOf returns the largest mean that the labels of the cases with a value allow.
func mostOf(values []Value) (most float64) {
	n := 0.0
	for _, v := range values {
		if v.Known > 0 {
			n++
			most += (v.Most - most) / n
		}
	}
	return most
}

// loners returns the groups that hold the draws of one case alone and have its name: such
// a case has no cluster.
func loners(t *columns.Table, values []Value) map[string]bool {
	var alone map[string]bool
	for _, v := range values {
		if v.Group == v.Case && v.Group != "" {
			if alone == nil {
				alone = map[string]bool{}
			}
			alone[v.Group] = true
		}
	}
	if alone == nil {
		return nil
	}
	for i := range t.Len() {
		if g := t.Group(i); g != t.Base(i) && alone[g] {
			delete(alone, g)
		}
	}
	return alone
}

// add adds a draw. The fields hold sums until finish.
func (v *Value) add(m assay.MetricInfo, score columns.Numbers) {
	v.Draws++
	x, known := paired(m, score)
	low, high := m.Range[0], m.Range[1]
	switch {
	case known:
		v.Mean += x
		v.Known++
		if score.State == assay.TargetError {
			v.Failed++
		}
		low, high = x, x
		if score.State == assay.Scored && score.Lower <= x && x <= score.Upper {
			low, high = score.Lower, score.Upper
		}
	case score.State == assay.JudgeError && score.Upper > score.Lower:
		low, high = score.Lower, score.Upper
	}
	if low <= -math.MaxFloat64 || v.Lower <= -math.MaxFloat64 {
		v.Lower, v.Open = -math.MaxFloat64, true
	} else {
		v.Lower += low
	}
	if high >= math.MaxFloat64 || v.Upper >= math.MaxFloat64 {
		v.Upper, v.Open = math.MaxFloat64, true
	} else {
		v.Upper += high
	}
}

func (v *Value) finish() {
	if v.Known > 0 {
		v.Mean = finite(v.Mean / float64(v.Known))
	}
	if v.Lower > -math.MaxFloat64 {
		v.Lower /= float64(v.Draws)
	}
	if v.Upper < math.MaxFloat64 {
		v.Upper /= float64(v.Draws)
	}
	v.Lower, v.Upper = finite(v.Lower), finite(v.Upper)
}

// finite limits a sum of huge values to finite numbers.
func finite(v float64) float64 { return min(max(v, -math.MaxFloat64), math.MaxFloat64) }
