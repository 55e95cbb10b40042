package words

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// Corrected states a difference as people would judge it, beside the judge's, or why it is not known.
func (w Words) Corrected(d CorrectedDifference) string {
	m := d.Metric
	if d.Lack != "" && w.Has("Corrected.lacks."+string(d.Lack)) {
		return w.Say("Corrected.lacks."+string(d.Lack), d)
	}
	says := ""
	if d.Overrules(m, d.Judge) {
		says = w.Say("Corrected.judge."+string(summary.DirectionOf(m, d.Judge)), v{"difference": summary.Signed(m, d.Judge.Diff)})
	}
	direction := cmp.Or(d.Direction(m), summary.Worse)
	return w.Say("Corrected."+string(direction), v{
		"d": d, "says": says, "difference": summary.Signed(m, d.Mean), "level": fmt.Sprintf("%.4g", 100*d.Level), "ci": summary.Ends(m, d.CI),
	})
}

// CorrectedHeads are the headings of the table of corrected differences.
type CorrectedHeads struct {
	Metric, Run, Judge, Corrected, People, Labels, Half string
}

// A CorrectedDifference is a difference of a metric between two runs with its correction.
type CorrectedDifference struct {
	Metric   assay.MetricInfo
	Old, New string
	Judge    stats.Comparison
	summary.Correction
}
