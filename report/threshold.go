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
func ruling(s summary.Summary, metric string) *gate.Result {
	o, _ := gate.Thresholds(s)
	i := slices.IndexFunc(o.Results, func(r gate.Result) bool { return r.Metric == metric })
	if i < 0 {
		return nil
	}
	return &o.Results[i]
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

// judgement gives what the thresholds came to: rules that failed first, then
// those that are not sure, and the composite first among equals. ok is false
// without any threshold.
func judgement(s summary.Summary) (o gate.Outcome, ok bool) {
	o, ok = gate.Thresholds(s)
	o.Results = slices.Clone(first(o.Results, func(r gate.Result) bool { return r.Metric == assay.CompositeName }))
	order := []gate.Verdict{gate.Fail, gate.Inconclusive, gate.Pass}
	slices.SortStableFunc(o.Results, func(a, b gate.Result) int {
		return slices.Index(order, a.Verdict) - slices.Index(order, b.Verdict)
	})
	return o, ok
}

// gateLines says what the thresholds came to: each rule that did not pass, or
// that all did. It is nil when there is none.
func gateLines(s summary.Summary) (verdict gate.Verdict, lines []string) {
	o, ok := judgement(s)
	if !ok {
		return "", nil
	}
	for _, r := range o.Results {
		if r.Verdict != gate.Pass {
			lines = append(lines, verdictWord(r.Verdict)+" · "+ruleLine(s, r))
		}
	}
	if lines == nil {
		lines = []string{"PASS · " + reached(o)}
	}
	return o.Verdict, lines
}

func reached(o gate.Outcome) string {
	if len(o.Results) == 1 {
		return "the threshold is reached"
	}
	return fmt.Sprintf("all %d thresholds are reached", len(o.Results))
}

// ruleLine says what a rule came to: "faithfulness 0.810 (0.740…0.880, n 12)
// misses 0.85".
func ruleLine(s summary.Summary, r gate.Result) string {
	i := slices.IndexFunc(s.Metrics, func(m summary.Metric) bool { return m.Name == r.Metric })
	if i < 0 { // a gate names metrics of the summary only
		return line(r.Rule + ": " + r.Reason)
	}
	m := s.Metrics[i]
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
	case r.Bounds != nil:
		return text + " may reach or miss " + limit(r.Want) + ": it lies in " + interval(m.MetricInfo, r.Bounds)
	}
	return text + " may reach or miss " + limit(r.Want) + ": " + line(r.Reason)
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
