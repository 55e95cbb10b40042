package gate

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// mostMissing is the share of cases that may lack a score in a metric that passes,
// whatever the missing scores could be (metrics.md §0.1).
const mostMissing = 0.05

// unmeasured makes a pass inconclusive if too many cases lack a score.
func (p Policy) unmeasured(m summary.Metric, r Result) Result {
	most := cmp.Or(p.MaxMissing, mostMissing)
	if all := m.N + m.Failed; r.Verdict == Pass && float64(m.Failed) > most*float64(all) {
		r.Verdict = Inconclusive
		missing := unscored{n: m.Failed, of: all}
		r.Reason = message.New("Reason.TooManyUnscored", "unscored", missing.say(), "most", fmt.Sprintf("%g %%", 100*most))
	}
	return r
}

// incomplete makes a result on the composite inconclusive if a part of it was measured
// on no case: the others then have its weight. all are the metrics of the run.
func incomplete(r Result, all []summary.Metric) Result {
	if r.Metric != assay.CompositeName {
		return r
	}
	if names, weight := summary.Unweighed(all); names != nil {
		r.Verdict, r.Noise, r.Each, r.Broken = Inconclusive, false, false, nil
		r.Reason = message.New("Reason.PartsUnmeasured", "parts", names, "share", fmt.Sprintf("%.3g %%", 100*weight))
	}
	return r
}
