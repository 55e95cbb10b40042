package wire

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/metric"
)

// Cases returns the cases of the run, each once, in the order of the dataset.
func (p *Prepared) Cases() *assay.Cases { return p.cases }

// Applies returns the number of cases that a metric of the run applies to, as
// far as their labels show.
func (p *Prepared) Applies(name string) int {
	i := slices.IndexFunc(p.metrics, func(m metric.Metric) bool { return m.Name == name })
	if i < 0 {
		return p.cases.Len()
	}
	return p.cases.Count(func(c *assay.Case) bool {
		ok, _ := p.metrics[i].Applies(c)
		return ok
	})
}
