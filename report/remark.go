package report

import (
	"fmt"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/document"
	"github.com/assay-eval/assay/report/draw"
	"github.com/assay-eval/assay/summary"
)

// remarksOn gathers what limits an estimate, and what a reader must know of it.
func (c *content) remarksOn(m summary.Metric) []document.Remark {
	var out []document.Remark
	if p := parts(c.r.Summary.Metrics); m.Name == assay.CompositeName && p != "" {
		out = append(out, document.Remark{Alone: "the weighted mean of " + p})
	}
	unsure := false
	if v := c.r.ruling(m); v != nil && v.Reason != "" && (v.Verdict == gate.Inconclusive || v.Got == nil) {
		unsure = v.Verdict == gate.Inconclusive && v.Bounds != nil
		out = append(out, document.Remark{Alone: c.w.Verdict(v.Verdict) + ": " + v.Reason})
	}
	if m.MetricInfo.Estimate {
		out = append(out, document.Remark{Alone: "an estimate by formula: no judge has read the answers"})
	}
	if m.TargetErrors > 0 {
		out = append(out, targetFailed(m))
	}
	// What left the gate unsure says the same.
	if open(m.MetricInfo, m.Estimate) && !unsure {
		shared := "whatever is not known of some scores"
		if m.Failed > 0 {
			shared = fmt.Sprintf("whatever the %s that could not be scored", plural(m.Failed, "case", "cases"))
		}
		bounds := interval(m.MetricInfo, m.Bounds)
		out = append(out, document.Remark{Alone: shared + ": " + bounds, Shared: shared, Own: line(m.Name) + " " + bounds})
	}
	for _, w := range m.Warnings {
		out = append(out, counted(w, m.N))
	}
	return out
}

// targetFailed says what became of the cases in which the target failed and,
// where that is another number, what the mean over the others is.
func targetFailed(m summary.Metric) document.Remark {
	failed := "the target failed in " + plural(m.TargetErrors, "case", "cases")
	if m.Better == "lower" {
		return document.Remark{Alone: failed + ": left out of the mean"}
	}
	failed += ": counted as " + draw.Tick(m.Range[0])
	if m.Answered == nil {
		return document.Remark{Alone: failed}
	}
	shared := fmt.Sprintf("%s; over the %d answered", failed, m.N-m.TargetErrors)
	value := number(m.MetricInfo, *m.Answered)
	return document.Remark{Alone: shared + ": " + value, Shared: shared, Own: line(m.Name) + " " + value}
}

// counted lets warnings be one remark that differ only in the number of cases.
func counted(warning string, n int) document.Remark {
	rest, few := strings.CutPrefix(warning, "only "+plural(n, "case", "cases")+":")
	if !few {
		return document.Remark{Alone: warning}
	}
	return document.Remark{Alone: warning, Shared: "few cases:" + rest}
}

// unscored counts the cases that the metric applies to and has no score of its
// own for, because the target or the evaluator failed. Where less is better,
// Failed holds both already.
func unscored(m summary.Metric) int {
	if m.Better == "lower" {
		return m.Failed
	}
	return m.Failed + m.TargetErrors
}
