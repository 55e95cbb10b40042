package summary

import (
	"cmp"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/stats"
)

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

// Within returns a difference of a metric whose intervals leave out what its range and the labels
// do not allow: differences that are larger, and if all values are at one end, those beyond it.
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
	lo, hi := least-most, most-least
	if end := d.Old == least || d.Old == most; end && d.Wins+d.Losses == 0 {
		lo, hi = least-d.Old, most-d.Old
	}
	if d.MDE != nil && *d.MDE > max(d.Old-least, most-d.Old) {
		none := math.MaxFloat64
		d.MDE = &none
	}
	for _, ci := range []**stats.Interval{&d.CI, &d.TCI} {
		if *ci != nil {
			in := (*ci).Clip(lo, hi)
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
	return stats.NonInferior(turned, use*width, margin, min(1-level, 0.5), seed)
}
