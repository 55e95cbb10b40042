package gate

import (
	"cmp"
	"fmt"

	"github.com/assay-eval/assay/summary"
)

// mostMissing is the share of cases that may lack a score in a metric that passes,
// whatever the missing ones could be: a run of which much is not known says little
// (metrics.md §0.1).
const mostMissing = 0.05

// unmeasured takes back a verdict of pass from a metric that too many cases lack a
// score of.
func (p Policy) unmeasured(m summary.Metric, r Result) Result {
	most := cmp.Or(p.MaxMissing, mostMissing)
	if all := m.N + m.Failed; r.Verdict == Pass && float64(m.Failed) > most*float64(all) {
		r.Verdict = Inconclusive
		r.Reason = fmt.Sprintf("%d of %s could not be scored: no more than %g %% may lack a score", m.Failed, plural(all, "case"), 100*most)
	}
	return r
}
