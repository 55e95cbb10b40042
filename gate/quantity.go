package gate

import (
	"strings"
	"time"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/message"
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
			res.Verdict, res.Reason = Fail, partly // the rest of the cost is not known
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
	judging := run.Summary.Judging.Usage.Cost
	switch {
	// The ledger of a run has what it paid; without one, use the price of the calls.
	case run.Header.Spending != nil:
		judging = run.Header.Spending.Usage.Cost
	case run.Header.Judge != nil && !run.Header.Judge.Estimate && judging == 0:
		return 0, message.New("Reason.NoJudgingCost")
	}
	return used.Cost + judging, nil
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
