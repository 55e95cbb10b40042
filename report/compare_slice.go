package report

import (
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A found is a significant difference over the cases with one tag.
type found struct {
	tag, run string
	row      summary.ComparisonRow
	d        stats.Comparison
}

// found returns the significant differences over the cases with one tag, and the
// number of differences tested.
func (c *Comparison) found() (out []found, tested int) {
	for _, s := range c.Slices {
		for _, row := range s.Rows {
			if row.Estimate {
				continue
			}
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
