// Package gate evaluates rules on a run. A rule on a quantity that was not measured
// never passes.
package gate

import (
	"slices"

	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/stats"
	"github.com/assay-eval/assay/summary"
)

// A Verdict is the result of one rule or of all rules.
type Verdict string

// The verdicts.
const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	// Inconclusive means that unknown values or too few cases leave the result open.
	Inconclusive Verdict = "inconclusive"
)

// A Result is the verdict of one rule.
type Result struct {
	// Rule is the text of the rule: "faithfulness >= 0.85".
	Rule    string  `json:"rule"`
	Metric  string  `json:"metric"`
	Want    float64 `json:"want"`
	Verdict Verdict `json:"verdict"`
	// Got is the measured value; nil if there is none.
	Got *float64 `json:"got"`
	// Bounds are the possible values of the mean given the unknown scores; nil if all
	// are known.
	Bounds *stats.Interval `json:"bounds,omitempty"`
	// Baseline is the mean of the baseline over the cases that both have. Diff is the
	// run's mean minus Baseline, with its interval CI over N cases. They are nil if
	// the rule is not against a baseline.
	Baseline *float64        `json:"baseline,omitempty"`
	Diff     *float64        `json:"diff,omitempty"`
	CI       *stats.Interval `json:"ci,omitempty"`
	// Bound is the one-sided bound of Diff that the rule is about; nil if it is about none. CI is then nil.
	Bound *float64 `json:"bound,omitempty"`
	N     int      `json:"n,omitempty"`
	// Level is the confidence level of CI, and of the bound that the rule is about; 0
	// if there is neither.
	Level float64 `json:"level,omitempty"`
	// Noise is set if the rule is inconclusive because of too few cases and not
	// because of unmeasured scores.
	Noise bool `json:"noise,omitempty"`
	// Cases are the cases with the largest losses, the worst first. A rule on single cases
	// and the rule on critical cases list all that break it.
	Cases []string `json:"cases,omitempty"`
	// Each is set if the rule wants something of every case. Broken are then the ids of
	// the cases that break it.
	Each   bool     `json:"each,omitempty"`
	Broken []string `json:"broken,omitempty"`
	// People is the rule as people would judge it; nil if its metric has no labels.
	People *People `json:"people,omitempty"`
	// Reason says why a rule did not pass.
	Reason Finding `json:"reason,omitempty"`
}

// Final returns the verdict that counts: [Pass], or [Inconclusive] if only the small
// number of cases leaves the rule open and strict is not set, else [Fail].
func (r Result) Final(strict bool) Verdict {
	if r.Verdict == Pass || r.Verdict == Inconclusive && r.Noise && !strict {
		return r.Verdict
	}
	return Fail
}

// An Outcome is the verdict of a gate and the results of its rules.
type Outcome struct {
	Verdict Verdict  `json:"verdict"`
	Results []Result `json:"rules"`
	// Refused has the reasons why the baseline was not compared; the gate then fails.
	Refused []Finding `json:"refused,omitempty"`
	// Tracked are the metrics of the baseline that are compared but not gated; they
	// have no verdict.
	Tracked []Result `json:"tracked,omitempty"`
	// Warnings do not affect the verdict.
	Warnings []Finding `json:"warnings,omitempty"`

	// Own are the rules on single cases in the settings of the run; nil if the policy has rules.
	Own []Result `json:"-"`
}

// Passed reports whether the gate lets the run pass: its verdict is [Pass], or only
// the small number of cases leaves it open and strict is not set.
func (o Outcome) Passed(strict bool) bool {
	if o.Verdict != Inconclusive {
		return o.Verdict == Pass
	}
	return !strict && len(o.Refused) == 0 && !slices.ContainsFunc(o.Results, func(r Result) bool { return r.Final(false) == Fail })
}

// thresholds evaluates the thresholds of a summary's metrics, in the order of the
// metrics. ok is false if no metric has one.
//
// A mean reaches its threshold if it does so with the worst possible values of the
// unknown scores, and misses it if it does so with the best. Otherwise the verdict is
// [Inconclusive]; so it is if more than 5 % of the cases lack a score. A metric that
// was measured on no case fails, and so does every metric if the target failed all
// cases. An estimate is inconclusive unless the policy allows estimates, and so is a
// metric whose judge is certified for less than the policy demands, and the composite if
// a part of it was measured on no case.
func (p Policy) thresholds(run Run) (o Outcome, ok bool) {
	s := run.Summary
	for _, m := range s.Metrics {
		if m.Threshold == nil {
			continue
		}
		r := incomplete(p.unmeasured(m, threshold(run.Cases, m)), s.Metrics)
		if r.Got != nil {
			r = p.leave(run.Header, m.MetricInfo, r)
		}
		r = p.corrected(thresholdRule(m), m, run, nil, r)
		if r.Verdict != Fail && allFailed(s) {
			r.Verdict, r.Reason = Fail, failedAll(run)
		}
		o.Results = append(o.Results, r)
	}
	o.Verdict = verdict(o)
	return o, o.Results != nil
}

// thresholdRule returns the threshold of a metric as a rule.
func thresholdRule(m summary.Metric) Rule {
	r := Rule{Quantity: m.Name, Op: ">=", Limit: *m.Threshold}
	if m.Better == "lower" {
		r.Op = "<="
	}
	return r
}

func threshold(t *columns.Table, m summary.Metric) Result {
	r := thresholdRule(m)
	res := Result{Rule: r.String(), Metric: m.Name, Want: r.Limit, Verdict: Fail}
	if m.N == 0 && m.Failed == 0 {
		res.Reason = message.New("Reason.MeasuredOnNoCase")
		return res
	}
	if m.N > 0 {
		res.Got = &m.Mean
	}
	missing := unscored{n: m.Failed, of: m.Cases()}
	if m.Failed > 0 && m.Bounds == nil {
		res.Verdict, res.Reason = Inconclusive, missing.say()
		return res
	}
	lo, hi := m.Mean, m.Mean
	// If a judge rated only part of a case, its score has bounds.
	if b := m.Bounds; b != nil && (m.Failed > 0 || b.Hi > b.Lo+rounding && b.Lo <= m.Mean+rounding && m.Mean <= b.Hi+rounding) {
		res.Bounds = b
		lo, hi = b.Lo, b.Hi
	}
	if m.Failed == 0 {
		missing = unscored{of: m.Cases(), partly: true, threshold: m.OpenThreshold}
	}
	if low, high, open, ok := lostShare(t, m); ok && open > 0 {
		lo, hi, missing, res.Bounds = low, high, missing.with(open), interval(low, high)
	}
	return r.settle(res, missing, lo, hi)
}

// A Finding is a sentence about a run: why a rule did not pass, why a baseline was
// refused, a warning. Its In says it in a language; nil is no finding.
type Finding = *message.Message

// Text is a finding that is the same in every language.
func Text(s string) Finding { return message.Text(s) }
