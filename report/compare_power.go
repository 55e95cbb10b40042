package report

import (
	"maps"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

func finiteNumber(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// power returns the detectable differences, one line per number of cases: "300 cases
// can detect 0.03 in ndcg@10, 0.041 in hit@1, or more".
func (x *compared) power() []string {
	cases, can, cannot := map[int]bool{}, map[int][]string{}, map[int][]string{}
	for _, row := range x.c.Rows {
		most := map[int]float64{}
		for _, d := range row.Differences {
			v, ok := summary.Detects(row.MetricInfo, d)
			if ok && !(math.IsInf(v, 0) && slices.ContainsFunc(row.Differences, summary.Shown)) {
				most[d.N] = max(most[d.N], v)
			}
		}
		for n, v := range most {
			cases[n] = true
			if d := detected(v); d == "" {
				cannot[n] = append(cannot[n], line(row.Name))
			} else {
				can[n] = append(can[n], x.w.Say("PowerIn", words.V{"Difference": d, "Metric": line(row.Name)}))
			}
		}
	}
	var out []string
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(cases))) {
		out = append(out, x.w.Say("Power", words.V{"cases": n, "can": can[n], "cannot": cannot[n]}))
	}
	return out
}

// mde returns the minimum detectable effect of a difference, or "" if it is not known.
func mde(m assay.MetricInfo, d stats.Comparison) string {
	v, _ := summary.Detects(m, d)
	if v == 0 {
		return ""
	}
	return detected(v)
}

// detected formats a detectable difference; "" if none is possible.
func detected(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return summary.RoundedUp(v)
}

// tests returns the number of tests of the table.
func (c *Comparison) tests() int { return c.Tests + c.PrimaryTests }

// families returns what was tested together.
func (c *Comparison) families() words.Families {
	f := words.Families{Tests: c.Tests}
	if c.Declared {
		f.Primary, f.PrimaryTests = line(c.Primary), c.PrimaryTests
	}
	return f
}

// led returns the rows, that of a declared primary metric first.
func (c *Comparison) led() []summary.ComparisonRow {
	if row, ok := c.row(c.Primary); ok && c.Declared {
		rest := slices.DeleteFunc(slices.Clone(c.Rows), func(r summary.ComparisonRow) bool { return r.Name == row.Name })
		return append([]summary.ComparisonRow{row}, rest...)
	}
	return c.Rows
}

// notLed returns the sentences about a declared primary metric in which no difference
// can be shown.
func (x *compared) notLed() []string {
	row, ok := x.c.row(x.c.Primary)
	if !ok || !x.c.Declared {
		return nil
	}
	var out []string
	for i, d := range row.Differences {
		if !summary.Shown(d) {
			out = append(out, visible(x.w.Difference(x.c.Computed.Comparison, row, i+1)))
		}
	}
	return out
}
