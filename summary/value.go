package summary

import (
	"slices"

	"github.com/assay-eval/assay"
)

// A Value is what one case contributes to a comparison or a gate: the mean of
// its draws.
type Value struct {
	// Case is the id that the draws share, Group the cluster that the case
	// belongs to, "" when it stands alone.
	Case, Group string
	Critical    bool
	// Mean is over the draws that have a value: Known of Draws.
	Mean         float64
	Known, Draws int
	// Lower and Upper are what the mean of all draws could be, given what is
	// not known: Mean when all are.
	Lower, Upper float64
}

// Values gives the values of the cases that the metric applies to, in the order
// of their first draw. A target that failed has the worst value where more is
// better; where less is better there is none to count.
func Values(m assay.MetricInfo, records []assay.Record) []Value {
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b assay.Record) int { return a.Seq - b.Seq })
	var out []Value
	at := map[string]int{}
	for _, r := range records {
		score := r.Scores[m.Name]
		if score.State == assay.NotApplicable || score.State == assay.Abstained {
			continue
		}
		base := r.Case.Base()
		i, seen := at[base]
		if !seen {
			i = len(out)
			at[base] = i
			out = append(out, Value{Case: base, Group: r.Case.Group, Critical: r.Case.Critical})
		}
		v := &out[i]
		v.Draws++
		switch x, ok := paired(m, r); {
		case ok:
			v.Mean += x
			v.Lower += x
			v.Upper += x
			v.Known++
		case score.State == assay.JudgeError && score.Upper > score.Lower:
			v.Lower += score.Lower
			v.Upper += score.Upper
		default:
			v.Lower += m.Range[0]
			v.Upper += m.Range[1]
		}
	}
	for i := range out {
		v := &out[i]
		if v.Known > 0 {
			v.Mean /= float64(v.Known)
		}
		v.Lower /= float64(v.Draws)
		v.Upper /= float64(v.Draws)
	}
	return out
}
