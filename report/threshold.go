package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/summary"
)

// thresholds reports whether any metric has one.
func thresholds(metrics []summary.Metric) bool {
	return slices.ContainsFunc(metrics, func(m summary.Metric) bool { return m.Threshold != nil })
}

// ruling gives the verdict on the threshold of a metric; nil when it has none.
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

// isThreshold reports whether a result is of the metric's threshold, and not of
// another rule about it.
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

// verdictWord is the verdict as a reader sees it.
func verdictWord(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "PASS"
	case gate.Fail:
		return "FAIL"
	}
	return "UNSURE"
}

// limit is a threshold as it is written: "0.85".
func limit(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// wants shows a metric's threshold, "≥ 0.85"; "" when it has none.
func wants(m assay.MetricInfo) string {
	switch {
	case m.Threshold == nil:
		return ""
	case m.Better == "lower":
		return "≤ " + limit(*m.Threshold)
	}
	return "≥ " + limit(*m.Threshold)
}

// against shows a value of a metric with as many decimals as it takes to see on
// which side of the threshold it lies: 0.8496 misses 0.85, "0.850" would not.
func against(m assay.MetricInfo, v float64) string {
	for d := digits(m); d < 9; d++ {
		s := strconv.FormatFloat(v, 'f', d, 64)
		if shown, err := strconv.ParseFloat(s, 64); err == nil && summary.Reaches(m, shown) == summary.Reaches(m, v) {
			if d == digits(m) {
				return number(m, v)
			}
			return s
		}
	}
	return number(m, v)
}

// thresholdLine says what a threshold came to: "faithfulness 0.810
// (0.740…0.880, n 12) misses 0.85".
func thresholdLine(m summary.Metric, r gate.Result) string {
	text := line(m.Name)
	if m.N > 0 {
		text += fmt.Sprintf(" %s (%s, n %d)", against(m.MetricInfo, m.Mean), ends(m.MetricInfo, m.Estimate), m.N)
	}
	switch {
	case r.Verdict == gate.Pass:
		return text + " reaches " + limit(r.Want)
	case r.Verdict == gate.Fail && m.N > 0 && !summary.Reaches(m.MetricInfo, m.Mean):
		return text + " misses " + limit(r.Want)
	case r.Verdict == gate.Fail && r.Bounds != nil:
		return text + ": " + line(r.Reason)
	case r.Verdict == gate.Fail:
		return text + ": " + line(r.Reason) + ", wants " + wants(m.MetricInfo)
	case r.Bounds != nil && summary.Reaches(m.MetricInfo, r.Bounds.Lo) != summary.Reaches(m.MetricInfo, r.Bounds.Hi):
		return text + " may reach or miss " + limit(r.Want) + ": it lies in " + interval(m.MetricInfo, r.Bounds)
	}
	return text + " is not known to reach " + limit(r.Want) + ": " + line(r.Reason)
}

// misses lists the thresholds that a case missed: "faithfulness 0.670 misses
// 0.85".
func misses(metrics []assay.MetricInfo, r assay.Record) []string {
	var out []string
	for _, m := range ordered(metrics) {
		s := r.Scores[m.Name]
		if !summary.Misses(m, s) {
			continue
		}
		value := against(m, s.Value)
		if s.State != assay.Scored {
			value = "is " + against(m, s.Upper) + " at best and"
			if m.Better == "lower" {
				value = "is " + against(m, s.Lower) + " at best and"
			}
		}
		out = append(out, fmt.Sprintf("%s %s misses %s", line(m.Name), value, limit(*m.Threshold)))
	}
	return out
}

// why says why a case is not ok: the failure, or the thresholds that it missed;
// "" when it is.
func why(metrics []assay.MetricInfo, r assay.Record) string {
	switch summary.Status(metrics, r) {
	case assay.StatusError:
		if r.Failure == nil {
			return "no response"
		}
		return line(r.Failure.Kind) + ": " + clip(line(r.Failure.Message), 160)
	case assay.StatusFailed:
		return strings.Join(misses(metrics, r), ", ")
	}
	return ""
}

// caseVerdict says what came of a threshold in one case; "" where there is none,
// or nothing to hold against it.
func caseVerdict(m assay.MetricInfo, s assay.Score) string {
	switch {
	case m.Threshold == nil:
		return ""
	case summary.Misses(m, s):
		return verdictWord(gate.Fail)
	case s.State == assay.Scored:
		return verdictWord(gate.Pass)
	case s.State == assay.JudgeError:
		return verdictWord(gate.Inconclusive)
	}
	return ""
}

// held shows a score beside its threshold: "0.670 (≥ 0.85: FAIL)".
func held(m assay.MetricInfo, s assay.Score) string {
	value, word := scored(m, s), caseVerdict(m, s)
	if word == "" {
		return value
	}
	if s.State == assay.Scored {
		value = against(m, s.Value)
	}
	return fmt.Sprintf("%s (%s: %s)", value, wants(m), word)
}
