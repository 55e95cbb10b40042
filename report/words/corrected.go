package words

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// corrections are the words about differences as people would judge them.
type corrections interface {
	CorrectedTitle() string
	CorrectedHeads() CorrectedHeads
	// CorrectedNote explains the table of corrected differences.
	CorrectedNote() string
	// Corrected states a difference as people would judge it, beside the judge's, or why it is not known.
	Corrected(d CorrectedDifference) string
	// NotCounted counts the labels that say nothing of the difference, "" if there are none.
	NotCounted(d CorrectedDifference) string
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
