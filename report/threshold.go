package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// thresholds reports whether any metric has one.
func thresholds(metrics []summary.Metric) bool {
	return slices.ContainsFunc(metrics, func(m summary.Metric) bool { return m.Threshold != nil })
}

// ruling returns the verdict on the threshold of a metric, or nil if it has none.
func (r *Report) ruling(m summary.Metric) *gate.Result {
	if r.Gate == nil {
		return nil
	}
	i := slices.IndexFunc(r.Gate.Results, func(x gate.Result) bool { return isThreshold(m, x) })
	if i < 0 {
		return nil
	}
	return &r.Gate.Results[i]
}

// isThreshold reports whether a result is of the metric's threshold rather than of
// another rule about the metric.
func isThreshold(m summary.Metric, r gate.Result) bool {
	if m.Threshold == nil || r.Metric != m.Name || r.Want != *m.Threshold {
		return false
	}
	op := ">="
	if m.Better == "lower" {
		op = "<="
	}
	return strings.HasPrefix(r.Rule, m.Name+" "+op+" ")
}

// limit formats a threshold as it was written: "0.85".
func limit(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// wants returns a metric's threshold, "≥ 0.85", or "" if it has none.
func wants(m assay.MetricInfo) string {
	switch {
	case m.Threshold == nil:
		return ""
	case m.Better == "lower":
		return "≤ " + limit(*m.Threshold)
	}
	return "≥ " + limit(*m.Threshold)
}

// against formats a value with enough decimals to see on which side of the threshold
// it lies: 0.8496 misses 0.85, which "0.850" would hide.
func against(m assay.MetricInfo, v float64) string {
	for d := summary.Decimals(m); d < 9; d++ {
		s := strconv.FormatFloat(v, 'f', d, 64)
		if shown, err := strconv.ParseFloat(s, 64); err == nil && summary.Reaches(m, shown) == summary.Reaches(m, v) {
			if d == summary.Decimals(m) {
				return number(m, v)
			}
			return s
		}
	}
	return number(m, v)
}

// thresholdLine returns the result of a threshold: "faithfulness 0.810 (0.740…0.880, n
// 12) misses 0.85".
func (c *content) thresholdLine(m summary.Metric, r gate.Result) string {
	said := words.V{"Metric": line(m.Name), "Value": "", "Limit": limit(r.Want), "Wants": wants(m.MetricInfo), "Reason": line(r.Reason.In(c.w))}
	if m.N > 0 {
		of := fmt.Sprintf("n %d", m.N)
		if m.CI != nil || m.NearChance != "" {
			of = ends(c.w, m.MetricInfo, m.Estimate) + ", " + of
		}
		said["Value"] = against(m.MetricInfo, m.Mean) + " (" + of + ")"
	}
	reaches := func(v float64) bool { return summary.Reaches(m.MetricInfo, v) }
	result := "Unknown"
	switch {
	case r.Verdict == gate.Pass:
		result = "Reached"
	case r.Verdict == gate.Fail && m.N > 0 && !reaches(m.Mean):
		result = "Missed"
	case r.Verdict == gate.Fail && r.Bounds != nil:
		result = "Refuted"
	case r.Verdict == gate.Fail:
		result = "Unmeasured"
	case r.Bounds != nil && reaches(r.Bounds.Lo) != reaches(r.Bounds.Hi):
		result, said["Bounds"] = "Undecided", interval(m.MetricInfo, r.Bounds)
	}
	return c.w.Say("Threshold."+result, said)
}

// misses returns the thresholds that a case missed: "faithfulness 0.670 misses 0.85".
func (c *content) misses(r assay.Record) []string {
	var out []string
	for _, m := range ordered(c.r.Header.Metrics) {
		s := r.Scores[m.Name]
		if !summary.Misses(m, s) {
			continue
		}
		value := s.Value
		if s.State != assay.Scored {
			value = s.Upper
			if m.Better == "lower" {
				value = s.Lower
			}
		}
		out = append(out, c.w.Say("Misses",
			words.V{"metric": line(m.Name), "value": against(m, value), "limit": limit(*m.Threshold), "atBest": s.State != assay.Scored}))
	}
	return out
}

// why returns why a case is not ok: the failure, why it is wrong, and the thresholds that it
// missed. It returns "" otherwise.
func (c *content) why(r assay.Record) string {
	if summary.Status(c.r.Header.Metrics, r) == assay.StatusError {
		if r.Failure == nil {
			return c.w.Names().NoResponse
		}
		return line(r.Failure.Kind) + ": " + clip(line(r.Failure.Message), 160)
	}
	reasons := c.misses(r)
	if check := c.r.Check(r); check.State == summary.CheckFailed {
		reasons = append([]string{c.w.CheckReason(check)}, reasons...)
	}
	if reasons == nil {
		return ""
	}
	return c.w.List(reasons, 0)
}

// caseVerdict returns the verdict on a threshold in one case, or "" if there is no
// threshold or no score to compare.
func (c *content) caseVerdict(m assay.MetricInfo, s assay.Score) string {
	switch {
	case m.Threshold == nil:
		return ""
	case m.Undecided() && s.State == assay.Scored:
		return c.w.Verdict(gate.Inconclusive)
	case summary.Misses(m, s):
		return c.w.Verdict(gate.Fail)
	case s.State == assay.Scored:
		return c.w.Verdict(gate.Pass)
	case s.State == assay.JudgeError:
		return c.w.Verdict(gate.Inconclusive)
	}
	return ""
}

// held returns a score with its threshold: "0.670 (≥ 0.85: FAIL)".
func (c *content) held(m assay.MetricInfo, s assay.Score) string {
	value := c.w.State(s.State)
	if s.State == assay.Scored {
		value = against(m, s.Value)
	}
	if word := c.caseVerdict(m, s); word != "" {
		return fmt.Sprintf("%s (%s: %s)", value, wants(m), word)
	}
	return value
}
