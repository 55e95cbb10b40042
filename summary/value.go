package summary

import (
	"math"
	"slices"

	"github.com/assay-eval/assay"
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
	// Lower and Upper bound the mean of all draws given what is unknown; both are Mean
	// if everything is known. A judge that ruled on only part of a case leaves a range
	// even for a draw that has a value.
	Lower, Upper float64
	// Open is set if something is unknown and the metric's range does not bound it:
	// Lower is then −[math.MaxFloat64], or Upper [math.MaxFloat64], and neither may
	// enter a mean.
	Open bool
}

// Settled reports whether everything about the value is known.
func (v Value) Settled() bool { return v.Known == v.Draws && v.Lower == v.Upper }

// Values returns the values of the cases that the metric applies to, in the order of
// their first draw. If the target failed, a draw has the worst value if more is
// better, and otherwise no value. A draw does not count if the metric does not apply
// to it or the target declined to answer; a case without draws that count is left out.
func Values(m assay.MetricInfo, records []assay.Record) []Value {
	records = inOrder(records)
	var out []Value
	at := map[string]int{}
	members := map[string]map[string]bool{}
	for _, r := range records {
		base := r.Case.Base()
		if g := r.Case.Group; g != "" {
			if members[g] == nil {
				members[g] = map[string]bool{}
			}
			members[g][base] = true
		}
		score := r.Scores[m.Name]
		if score.State == assay.NotApplicable || score.State == assay.Abstained {
			continue
		}
		i, seen := at[base]
		if !seen {
			i = len(out)
			at[base] = i
			out = append(out, Value{Case: base, Group: r.Case.Group})
		}
		out[i].add(m, r, score)
	}
	for i := range out {
		v := &out[i]
		v.finish()
		// The draws of a case without a cluster are a group by themselves.
		if v.Group == v.Case && len(members[v.Group]) == 1 {
			v.Group = ""
		}
	}
	return out
}

// inOrder returns the records in the order of the run.
func inOrder(records []assay.Record) []assay.Record {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b assay.Record) int { return a.Seq - b.Seq })
	return records
}

// add adds a draw. The fields hold sums until finish.
func (v *Value) add(m assay.MetricInfo, r assay.Record, score assay.Score) {
	v.Draws++
	x, known := paired(m, r)
	low, high := m.Range[0], m.Range[1]
	switch {
	case known:
		v.Mean += x
		v.Known++
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
