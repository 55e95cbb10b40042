package report

import (
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A found is a difference that can be shown over the cases with one tag.
type found struct {
	tag, run string
	row      summary.ComparisonRow
	d        stats.Comparison
}

// found lists the differences that can be shown over the cases with one tag,
// and counts all that were tested.
func (c *Comparison) found() (out []found, tested int) {
	for _, s := range c.Slices {
		for _, row := range s.Rows {
			for i, d := range row.Differences {
				if d.N >= summary.SliceCases {
					tested++
				}
				if d.N >= summary.SliceCases && summary.Shown(d) {
					out = append(out, found{s.Tag, c.Runs[i+1], row, d})
				}
			}
		}
	}
	return out, tested
}
