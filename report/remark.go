package report

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// remarksOn returns the limitations of an estimate and other notes on it.
func (c *content) remarksOn(m summary.Metric) []document.Remark {
	var out []document.Remark
	if p := c.parts(); m.Name == assay.CompositeName && p != "" {
		out = append(out, document.Remark{Alone: c.w.Say("CompositeOf", words.V{"parts": p})})
	}
	unsure := false
	if v := c.r.ruling(m); v != nil && v.Reason != nil && (v.Verdict == gate.Inconclusive || v.Got == nil) {
		unsure = v.Verdict == gate.Inconclusive && v.Bounds != nil
		out = append(out, document.Remark{Alone: c.w.Verdict(v.Verdict) + ": " + v.Reason.In(c.w)})
	}
	if m.MetricInfo.Estimate {
		out = append(out, document.Remark{Alone: c.w.Names().FormulaEstimate})
	}
	if m.TargetErrors > 0 {
		out = append(out, c.targetFailed(m))
	}
	// The gate's reason for being undecided says the same.
	if open(m.MetricInfo, m.Estimate) && !unsure {
		shared := c.w.Say("Possible", words.V{"failed": m.Failed})
		if m.OpenThreshold {
			shared = c.w.Say("Reason.OnThreshold", nil)
		}
		bounds := interval(m.MetricInfo, m.Bounds)
		out = append(out, document.Remark{Alone: shared + ": " + bounds, Shared: shared, Own: line(m.Name) + " " + bounds})
	}
	for _, w := range m.Warnings {
		// One remark serves warnings that differ only in the number of cases.
		alone, shared := c.w.Limit(w), c.w.Limit(w.General())
		if w.Kind == stats.FewCases && m.N < stats.Readable {
			alone = c.w.Say("WithoutInterval", words.V{"limit": alone, "least": stats.Readable})
			shared = c.w.Say("WithoutInterval", words.V{"limit": shared, "least": stats.Readable})
		}
		out = append(out, document.Remark{Alone: alone, Shared: shared})
	}
	return out
}

// targetFailed returns how cases count in which the target failed and the mean over
// the others if it differs.
func (c *content) targetFailed(m summary.Metric) document.Remark {
	draws := c.r.Header.Repeat > 1
	if m.Better == "lower" {
		return document.Remark{Alone: c.w.TargetFailed(m.TargetErrors, "", 0, draws)}
	}
	if m.Answered == nil {
		return document.Remark{Alone: c.w.TargetFailed(m.TargetErrors, draw.Tick(m.Range[0]), 0, draws)}
	}
	shared := c.w.TargetFailed(m.TargetErrors, draw.Tick(m.Range[0]), m.N-m.TargetErrors, draws)
	value := number(m.MetricInfo, *m.Answered)
	return document.Remark{Alone: shared + ": " + value, Shared: shared, Own: line(m.Name) + " " + value}
}
