package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/summary"
)

// errors evaluates the share of cases in which the target failed. A case that is asked
// several times counts as often.
func (h *hearing) errors(r Rule, res Result) Result {
	s := h.run.Summary
	share := float64(s.Errors) / float64(s.Cases)
	res.Got, res.N, res.Verdict = &share, s.Cases, r.decide(share, share)
	if res.Verdict != Pass {
		misses := r.misses(share)
		res.Reason = message.New("Reason.TargetFailedCases", "n", s.Errors, "of", s.Cases, "draws", h.run.Header.Repeat > 1, "misses", misses)
	}
	return res
}

// latency evaluates how long the responses took. A case without a response does not
// count here; it counts in the quantity "errors".
func (h *hearing) latency(r Rule, res Result) Result {
	l := h.run.Summary.Latency
	if l.N == 0 {
		res.Reason = message.New("Reason.NoLatency")
		return res
	}
	if answered := h.run.Summary.Cases - h.run.Summary.Errors; l.N < answered {
		h.reportedPartly(r.Quantity, l.N, answered)
	}
	at := map[string]time.Duration{"mean": l.Mean, "p50": l.P50, "p95": l.P95, "p99": l.P99}[strings.TrimSuffix(r.Quantity, latencySuffix)]
	v := at.Seconds()
	res.Got, res.N, res.Verdict = &v, l.N, r.decide(v, v)
	if res.Verdict != Pass {
		res.Reason = r.misses(v)
	}
	return res
}

// cost evaluates what the run cost, target and judging together.
func (h *hearing) cost(r Rule, res Result) Result {
	micro, unknown := h.spent()
	if unknown != nil {
		res.Reason = unknown
		return res
	}
	v := float64(micro) / 1e6
	res.Got, res.Verdict = &v, r.decide(v, v)
	partly := h.partly[quantityCost]
	for i := range h.run.Cases.Len() {
		if res.Verdict == Pass && partly != nil && h.run.Cases.Unpriced(i) {
			res.Verdict, res.Reason = Inconclusive, partly // the rest of the cost could decide
			return res
		}
	}
	if res.Verdict != Pass {
		res.Reason = r.misses(v)
	}
	return res
}

// spent returns the cost of the run in micro-dollars, or why it is not known. Formulas in
// place of a judge, and replies that an earlier run paid for cost nothing. From a target
// that is not metered, a cost of 0 means that it does not report one, and so it does from recorded
// answers that used tokens, or that nobody was paid to judge.
func (h *hearing) spent() (micro int64, unknown Finding) {
	run := h.run
	used := run.Summary.Usage
	known := run.Header.Target.Metered
	if run.Header.Target.Recorded() {
		known = run.Header.Spending != nil && used.InputTokens+used.OutputTokens == 0
	}
	if used.Cost == 0 && !known {
		return 0, message.New("Reason.NoCost")
	}
	if w := run.Header.Unpriced(); w != "" {
		return 0, Text(w)
	}
	if n, responses := priced(run.Cases); used.Cost > 0 && n < responses {
		h.reportedPartly(quantityCost, n, responses)
	}
	answering, judging := run.Summary.Spent(run.Header)
	if run.Header.Spending == nil && run.Header.Judge != nil && !run.Header.Judge.Estimate && judging == 0 {
		return 0, message.New("Reason.NoJudgingCost")
	}
	return answering.Cost + judging, nil
}

// priced returns the number of responses, and of those that report a cost.
func priced(t *columns.Table) (priced, responses int) {
	for i := range t.Len() {
		if t.Responded(i) {
			responses++
			if t.Cost(i) > 0 {
				priced++
			}
		}
	}
	return priced, responses
}

// reportedPartly records that only n of the responses have a value.
func (h *hearing) reportedPartly(quantity string, n, of int) {
	if h.partly == nil {
		h.partly = map[string]Finding{}
	}
	h.partly[quantity] = message.New("Reason.PartlyReported", "quantity", quantity, "n", n, "of", of)
}

// half is the value, on a scale from 0 (worst) to 1 (best), from which a drop to the
// worst value counts as a total loss (metrics.md §4.5).
const half = 0.5

// canBeLost reports whether a rule against the baseline is of a metric in which a case can fall to the worst value: not
// of one that is pooled over the cases, such as a word error rate, or that has no worst value.
func (h *hearing) canBeLost(r Rule) bool {
	m, err := h.metric(r.Quantity)
	return r.Versus && err == nil && !m.Pooled && summary.Bounded(m.MetricInfo)
}

// losses evaluates the share of cases that dropped from half of a metric's scale or
// more to its worst value, in any metric that the baseline gates, among the cases with
// a value in the run and in the baseline. A metric with an open range has no worst
// value and is left out.
func (h *hearing) losses(r Rule, res Result) Result {
	if res.Reason = h.noBaseline(); res.Reason != nil {
		return res
	}
	lost, possible, seen := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var order, named []string
	var open Finding
	threshold := false // whether that of the judge decides what is possible
	for _, name := range h.gated {
		s := h.sides[name]
		if s == nil || s.why != nil || s.metric.Pooled || !summary.Bounded(s.metric.MetricInfo) {
			continue
		}
		if why := h.policy.open(h.run.Header, s.metric.MetricInfo); why != nil {
			open = why
			continue
		}
		for i, v := range s.values {
			if !seen[v.Case] {
				seen[v.Case] = true
				order = append(order, v.Case)
			}
			was, _ := scale(s.metric.MetricInfo, s.was[i])
			if was < half-rounding {
				continue
			}
			old, worst := s.ends[i][0], v.Lower
			if s.metric.Better == "lower" {
				old, worst = s.ends[i][1], v.Upper
			}
			before, _ := scale(s.metric.MetricInfo, old)
			if at, _ := scale(s.metric.MetricInfo, worst); at <= rounding && (v.Settled() || before >= half-rounding) {
				possible[v.Case] = true
				threshold = threshold || !v.Settled() && s.metric.OpenThreshold && v.Known > 0
			}
			if at, _ := scale(s.metric.MetricInfo, v.Mean); v.Settled() && at <= rounding && !lost[v.Case] {
				lost[v.Case] = true
				named = append(named, fmt.Sprintf("%s (%s: %.4g → %.4g)", v.Case, name, s.was[i], v.Mean))
			}
		}
	}
	if len(order) == 0 && open != nil {
		res.Verdict, res.Reason = Inconclusive, open
		return res
	}
	if len(order) == 0 {
		res.Reason = message.New("Reason.NoCommonGatedValue")
		return res
	}
	n := float64(len(order))
	share, most := float64(len(lost))/n, float64(len(possible))/n
	res.Got, res.N, res.Cases = &share, len(order), named[:min(5, len(named))]
	if most > share {
		res.Bounds = interval(share, most)
	}
	switch res.Verdict = r.decide(share, most); res.Verdict {
	case Inconclusive:
		res.Reason = message.New("Reason.MayHaveFallen", "n", len(possible)-len(lost), "threshold", threshold, "low", r.show(share), "high", r.show(most))
	case Fail:
		res.Reason = message.New("Reason.FellToWorst", "n", len(lost), "of", len(order), "misses", r.misses(share))
	}
	return res
}

// critical evaluates whether critical cases lose anything in the metrics that the
// baseline gates. ok is false if the run has no critical case that could.
func (h *hearing) critical() (res Result, ok bool) {
	res = Result{Rule: "critical cases may lose nothing", Verdict: Pass}
	var lost, open []string
	guilty, seen := map[string]bool{}, map[string]bool{}
	ids := map[string]bool{}
	for i := range h.run.Cases.Len() {
		if h.run.Cases.Critical(i) {
			ids[h.run.Cases.Base(i)] = true
		}
	}
	for _, name := range h.gated {
		s := h.sides[name]
		if s == nil || s.why != nil || s.metric.Pooled || h.policy.open(h.run.Header, s.metric.MetricInfo) != nil {
			continue
		}
		for i, v := range s.values {
			if !ids[v.Case] {
				continue
			}
			seen[v.Case] = true
			best := v.Upper
			if s.metric.Better == "lower" {
				best = v.Lower
			}
			low, high := loss(s.metric.MetricInfo, s.ends[i][0], v.Lower), loss(s.metric.MetricInfo, s.ends[i][1], v.Upper)
			switch {
			case min(low, high) > rounding:
				lost = append(lost, fmt.Sprintf("%s (%s: %.4g → %.4g)", v.Case, name, s.was[i], best))
				guilty[v.Case] = true
			case max(low, high) > rounding:
				open = append(open, fmt.Sprintf("%s (%s)", v.Case, name))
			}
		}
		for _, id := range s.gone {
			if ids[id] {
				seen[id] = true
				open = append(open, fmt.Sprintf("%s (%s)", id, name))
			}
		}
	}
	if len(seen) == 0 {
		return res, false
	}
	got := float64(len(guilty))
	res.Got, res.N, res.Cases = &got, len(seen), lost[:min(5, len(lost))]
	switch {
	case lost != nil:
		res.Verdict, res.Reason = Fail, message.New("Reason.CriticalLosses", "n", len(guilty), "of", len(seen), "cases", lost)
	case open != nil:
		res.Verdict, res.Reason = Inconclusive, message.New("Reason.CriticalUnknown", "cases", open)
	}
	return res, true
}
