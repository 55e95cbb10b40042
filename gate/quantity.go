package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/summary"
)

func failedAll(s summary.Summary) string {
	return "the target failed " + map[bool]string{true: "the only case", false: fmt.Sprintf("all %d cases", s.Cases)}[s.Cases == 1]
}

// errors judges the share of cases in which the target failed. A case that is
// asked several times counts as often.
func (h *hearing) errors(r Rule, res Result) Result {
	s := h.run.Summary
	share := float64(s.Errors) / float64(s.Cases)
	res.Got, res.N, res.Verdict = &share, s.Cases, r.decide(share, share)
	if res.Verdict != Pass {
		res.Reason = fmt.Sprintf("the target failed %d of %s: %s", s.Errors, plural(s.Cases, "case"), r.misses(share))
	}
	return res
}

// latency judges how long the responses took; a case without a response took no
// time that counts, and is what the quantity "errors" is for.
func (h *hearing) latency(r Rule, res Result) Result {
	l := h.run.Summary.Latency
	if l.N == 0 {
		res.Reason = "no latency was told"
		return res
	}
	if answered := h.run.Summary.Cases - h.run.Summary.Errors; l.N < answered {
		h.quirk(fmt.Sprintf("%s: told for %d of %s only", r.Quantity, l.N, plural(answered, "response")))
	}
	at := map[string]time.Duration{"mean": l.Mean, "p50": l.P50, "p95": l.P95, "p99": l.P99}[strings.TrimSuffix(r.Quantity, latencySuffix)]
	v := at.Seconds()
	res.Got, res.N, res.Verdict = &v, l.N, r.decide(v, v)
	if res.Verdict != Pass {
		res.Reason = r.misses(v)
	}
	return res
}

// cost judges what the run cost, target and judging together.
func (h *hearing) cost(r Rule, res Result) Result {
	micro, unknown := h.spent()
	if unknown != "" {
		res.Reason = unknown
		return res
	}
	v := float64(micro) / 1e6
	res.Got, res.Verdict = &v, r.decide(v, v)
	if res.Verdict != Pass {
		res.Reason = r.misses(v)
	}
	return res
}

// priceUnknown begins the warning of a run that pays for a model whose price it
// does not know: what it says it cost is then too little.
const priceUnknown = "price unknown of "

// spent gives what the run cost in micro-dollars, or says why that is not known.
// Nothing costs nothing: the built-in and the recorded target, formulas in place
// of a judge, and replies that an earlier run paid for. A cost of 0 that another
// target reports is one that it does not report.
func (h *hearing) spent() (micro int64, unknown string) {
	run := h.run
	adapter := run.Header.Target.Adapter
	if run.Summary.Usage.Cost == 0 && adapter != "builtin" && adapter != "recorded" {
		return 0, "the target tells no cost"
	}
	for _, w := range run.Header.Warnings {
		if strings.HasPrefix(w, priceUnknown) {
			return 0, w
		}
	}
	if told, responses := priced(run.Records); run.Summary.Usage.Cost > 0 && told < responses {
		h.quirk(fmt.Sprintf("cost: told for %d of %s only", told, plural(responses, "response")))
	}
	judging := run.Summary.Judging.Usage.Cost
	switch {
	// A run knows what it paid from its ledger; without one it is what the
	// calls are priced at.
	case run.Header.Spending != nil:
		judging = run.Header.Spending.Usage.Cost
	case run.Header.Judge != nil && !run.Header.Judge.Estimate && judging == 0:
		return 0, "what judging cost is not known"
	}
	return run.Summary.Usage.Cost + judging, ""
}

// priced counts the responses, and those of them that tell what they cost.
func priced(records []assay.Record) (told, responses int) {
	for _, r := range records {
		if r.Response != nil {
			responses++
			if r.Response.Usage.Cost > 0 {
				told++
			}
		}
	}
	return told, responses
}

// quirk remembers a remark that decides nothing.
func (h *hearing) quirk(s string) { h.quirks = append(h.quirks, s) }
