package report

import (
	"math"
	"slices"
	"strconv"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// primary returns the metric that the standings use.
func (c *Comparison) primary() (assay.MetricInfo, bool) {
	row, ok := c.row(c.Primary)
	return row.MetricInfo, ok
}

// priced reports whether the cost of any run is known.
func (c *Comparison) priced() bool {
	return slices.ContainsFunc(c.Standings, func(s summary.Standing) bool { return s.Cost != nil })
}

// caseCost formats the cost of one case. It keeps at least two significant digits,
// because a case costs a fraction of a cent.
func caseCost(micro int64) string {
	v := float64(micro) / 1e6
	places := 2
	for places < 6 && v > 0 && v < math.Pow10(1-places) {
		places++
	}
	return "$" + strconv.FormatFloat(v, 'f', places, 64)
}
