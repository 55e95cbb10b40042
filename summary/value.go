package summary

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/metric/retrieval"
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
	// Ends are the smallest and the largest value that the labels of the case allow.
	Ends [2]float64
}

// Settled reports whether everything about the value is known.
func (v Value) Settled() bool { return v.Known == v.Draws && v.Lower == v.Upper }

// Pair returns two values of the case, with the largest difference that the metric's range and the
// labels of the case allow.
func (v Value) Pair(m assay.MetricInfo, old, new float64) stats.Pair {
	p := stats.Pair{Old: old, New: new, Cluster: v.Group, Case: v.Case, Width: math.Inf(1)}
	if Bounded(m) {
		p.Width = max(v.Ends[1], old, new) - min(v.Ends[0], old, new)
	}
	return p
}

// Bounded reports whether a metric has a worst and a best value.
func Bounded(m assay.MetricInfo) bool {
	return m.Range[0] > -math.MaxFloat64 && m.Range[1] < math.MaxFloat64 && m.Range[0] < m.Range[1]
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
	ends, _ := endsOf(m, t)
	at := make([]int32, t.Cases()) // the number of values up to that of the case, 0 if it has none
	for i := range t.Len() {
		score, _ := column.Numbers(i)
		if score.State == assay.NotApplicable || score.State == assay.Abstained {
			continue
		}
		k := &at[t.Case(i)]
		if *k == 0 {
			out = append(out, Value{Case: t.Base(i), Group: t.Group(i), Ends: ends(i)})
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

// endsOf returns a function that returns the smallest and the largest value of a metric that the
// labels of row i allow. Bounded is set if labels can narrow the range of this metric.
func endsOf(m assay.MetricInfo, t *columns.Table) (ends func(i int) [2]float64, bounded bool) {
	best := retrieval.Best(m.Name)
	if best == nil {
		return func(int) [2]float64 { return m.Range }, false
	}
	top, known := t.MaxGrade(), map[int][2]float64{}
	return func(i int) [2]float64 {
		shape, labels := t.Labels(i)
		out, ok := known[shape]
		if !ok {
			out = m.Range
			if v, ok := best(labels, top); ok && labels != nil && m.Better == "higher" {
				out[1] = v
			} else if ok && labels != nil {
				out[0] = v
			}
			known[shape] = out
		}
		return out
	}, true
}

// allowed returns the means of the ends of cases, which hold their mean; nil if these are those of
// the range of the metric.
func allowed(m assay.MetricInfo, ends [][2]float64, mean float64) *[2]float64 {
	if !slices.ContainsFunc(ends, func(e [2]float64) bool { return e != m.Range }) {
		return nil
	}
	var out [2]float64
	for i, e := range ends {
		out[0], out[1] = out[0]+(e[0]-out[0])/float64(i+1), out[1]+(e[1]-out[1])/float64(i+1)
	}
	return &[2]float64{min(out[0], mean), max(out[1], mean)}
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

// PairsOf pairs the cases of two runs by their [assay.Case.Base], in the order of the
// new run. dropped is the number of cases with a value in only one of the runs, because
// only that run asked them or the metric could not be measured in the other. The values
// are those of [Values].
func PairsOf(m assay.MetricInfo, old, new *columns.Table) (pairs []stats.Pair, dropped int) {
	pairs, left := pair(m, Values(m, old), Values(m, new))
	return pairs, len(left)
}

// pair returns the pairs and the cases that have a value on one side alone.
func pair(m assay.MetricInfo, old, new []Value) (pairs []stats.Pair, dropped []string) {
	// Runs of the same dataset have the same order: those are found without a map.
	at, next := map[string]int32(nil), 0
	find := func(id string) (int, bool) {
		if next < len(old) && old[next].Case == id {
			next++
			return next - 1, true
		}
		if at == nil {
			at = make(map[string]int32, len(old))
			for i, v := range old {
				at[v.Case] = int32(i)
			}
		}
		i, ok := at[id]
		if ok {
			next = int(i) + 1
		}
		return int(i), ok
	}
	pairs = make([]stats.Pair, 0, min(len(old), len(new)))
	matched := make([]bool, len(old))
	for i := range new {
		v := &new[i]
		if v.Known == 0 {
			continue
		}
		k, ok := find(v.Case)
		if !ok || old[k].Known == 0 {
			dropped = append(dropped, v.Case)
			continue
		}
		matched[k] = true
		p := v.Pair(m, old[k].Mean, v.Mean)
		// A baseline may not have the groups.
		p.Cluster = cmp.Or(v.Group, old[k].Group)
		pairs = append(pairs, p)
	}
	for k := range old {
		if old[k].Known > 0 && !matched[k] {
			dropped = append(dropped, old[k].Case)
		}
	}
	return pairs, dropped
}

// paired returns the value of a score in a comparison. If the target failed, it is the
// worst value if more is better; otherwise there is none.
func paired(m assay.MetricInfo, s columns.Numbers) (float64, bool) {
	switch {
	case s.State == assay.Scored:
		return s.Value, true
	case s.State == assay.TargetError && m.Better == "higher":
		return m.Range[0], true
	}
	return 0, false
}

// width returns the distance between the ends of a metric's range, or 1 if it is open.
func width(m assay.MetricInfo) float64 {
	if m.Range[1] < math.MaxFloat64 && m.Range[1] > m.Range[0] {
		return m.Range[1] - m.Range[0]
	}
	return 1
}

// Within returns a difference of a metric whose intervals leave out differences that its range and the labels do not allow.
func Within(m assay.MetricInfo, d stats.Comparison) stats.Comparison {
	if !Bounded(m) {
		return d
	}
	least, most := m.Ends()
	least, most = min(least, d.Old, d.New), max(most, d.Old, d.New)
	if most-d.Old <= 1e-12*most { // a mean of ends is rounded
		most = d.Old
	}
	if d.Old-least <= 1e-12*most {
		least = d.Old
	}
	if d.MDE != nil && *d.MDE > max(d.Old-least, most-d.Old) {
		none := math.MaxFloat64
		d.MDE = &none
	}
	for _, ci := range []**stats.Interval{&d.CI, &d.TCI} {
		if *ci != nil {
			in := (*ci).Clip(least-most, most-least)
			*ci = &in
		}
	}
	return d
}

// NonInferior tests a bound of the difference of pairs ([stats.NonInferior]), of which lower values
// are better if sign is −1. Their width is multiplied by use, which chooses the test.
func NonInferior(pairs []stats.Pair, sign, use, margin, level float64, seed uint64) (t stats.NonInferiority, ok bool) {
	turned, width := make([]stats.Pair, len(pairs)), 0.0
	for i, p := range pairs {
		turned[i] = stats.Pair{Old: sign * p.Old, New: sign * p.New, Cluster: p.Cluster}
		width = max(width, p.Width)
	}
	if !math.IsInf(width, 1) {
		width *= use
	}
	return stats.NonInferior(turned, width, margin, min(1-level, 0.5), seed)
}
