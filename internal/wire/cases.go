package wire

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Cases are those that the run asks, each once, in the order of the data set.
func (j *Job) Cases() []assay.Case { return slices.Clone(j.cases) }

// Applies counts the cases that a metric of the run applies to, as far as their
// labels tell.
func (j *Job) Applies(name string) int {
	i := slices.IndexFunc(j.metrics, func(m metric.Metric) bool { return m.Name == name })
	if i < 0 {
		return len(j.cases)
	}
	return count(j.cases, func(c assay.Case) bool {
		ok, _ := j.metrics[i].Applies(&c)
		return ok
	})
}
