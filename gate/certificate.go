package gate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// open returns why no verdict may rest on a metric of a run, or nil if one may: it is an
// estimate, or its judge is certified for less than the policy demands.
func (p Policy) open(h assay.Header, m assay.MetricInfo) Finding {
	if p.undecided(m) {
		return message.New("Reason.OnEstimate")
	}
	return p.uncertified(h, m)
}

// leave makes the result of a rule on a metric inconclusive if no verdict may rest on it.
func (p Policy) leave(h assay.Header, m assay.MetricInfo, res Result) Result {
	if why := p.open(h, m); why != nil {
		res.Verdict, res.Reason, res.Noise, res.Each, res.Broken = Inconclusive, why, false, false, nil
	}
	return res
}

// uncertified returns why the certificates of the run's judge do not suffice for a metric, or
// nil if they do or need not.
func (p Policy) uncertified(h assay.Header, m assay.MetricInfo) Finding {
	if !(p.MinCertificate > 0) || !m.Judged {
		return nil
	}
	all := h.Measured([]assay.MetricInfo{m})
	if all == nil {
		return message.New("Reason.NothingToCertify")
	}
	lacking := slices.DeleteFunc(all, func(one assay.Measured) bool {
		c := one.Certificate
		return c != nil && c.BalancedAccuracy.CI != nil && c.BalancedAccuracy.CI[0] >= p.MinCertificate
	})
	if len(lacking) == 0 {
		return nil
	}
	least := fmt.Sprintf("%g", p.MinCertificate)
	// Ends that are read as the limit have as many digits as distinguish them.
	var ends []string
	for _, one := range lacking {
		if c := one.Certificate; c != nil && c.BalancedAccuracy.CI != nil {
			unit, low := 100.0, c.BalancedAccuracy.CI[0]
			for unit < 1e9 && math.Round(low*unit)/unit >= p.MinCertificate {
				unit *= 10
			}
			if unit > 100 {
				ends = append(ends, fmt.Sprintf("%g", math.Round(low*unit)/unit))
			}
		}
	}
	return message.New("Reason.CertifiedBelow", "least", least, "lacking", lacking, "ends", ends)
}

// undecided reports whether the policy leaves rules on the metric open: an estimate
// that stands in for a judgement decides only where [Policy.AllowEstimates] is set,
// or was when the run was made.
func (p Policy) undecided(m assay.MetricInfo) bool { return m.Undecided() && !p.AllowEstimates }

// estimated warns about limits that estimates decide, because the policy allows it.
func (h *hearing) estimated(rules []Rule) []Finding {
	var names []string
	for _, r := range rules {
		if m, err := h.metric(r.Quantity); err == nil && m.MetricInfo.Estimate && h.policy.open(h.run.Header, m.MetricInfo) == nil && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []Finding{message.New("Reason.EstimatesGated", "metrics", names)}
}

// mostMissing is the share of cases that may lack a score in a metric that passes,
// whatever the missing scores could be (metrics.md §0.1).
const mostMissing = 0.05

// unmeasured makes a pass inconclusive if too many cases lack a score.
func (p Policy) unmeasured(m summary.Metric, r Result) Result {
	most := cmp.Or(p.MaxMissing, mostMissing)
	if all := m.Cases(); r.Verdict == Pass && float64(m.Failed) > most*float64(all) {
		r.Verdict = Inconclusive
		missing := unscored{n: m.Failed, of: all, partly: m.Partial > 0}
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
