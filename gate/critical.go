package gate

import (
	"slices"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/message"
	"github.com/assay-eval/assay/internal/scan"
	"github.com/assay-eval/assay/summary"
)

// CriticalRule is the text of the rule that every critical case passes.
const CriticalRule = "critical cases are right"

// right evaluates whether every critical case passes its check; all is set if every case
// counts as critical. ok is false if the run has no critical case.
func (o *Outcome) right(r Run, all bool) (res Result, ok bool) {
	res = Result{Rule: CriticalRule, Verdict: Pass}
	c := summary.CriticalCases(r.Header, r.Cases, o.Checks(), all)
	n := c.Of()
	res.N = n - c.Unasked
	named := func(rows []int) (ids []string) {
		for _, i := range rows {
			ids = append(ids, r.Cases.Record(i).Case.ID)
		}
		return ids
	}
	switch {
	case c.Failed != nil:
		res.Verdict, res.Cases = Fail, named(c.Failed)
		res.Reason = message.New("Reason.CriticalWrong", "n", len(c.Failed), "of", n, "unchecked", len(c.Unchecked), "unasked", c.Unasked)
	case c.Unchecked != nil:
		res.Verdict, res.Cases = Inconclusive, named(c.Unchecked)
		res.Reason = message.New("Reason.CriticalUnchecked", "n", len(c.Unchecked), "of", n)
	case c.Unasked > 0:
		res.Verdict = Inconclusive
		res.Reason = message.New("Reason.CriticalUnasked", "n", c.Unasked, "of", n)
	}
	got := float64(len(c.Passed))
	res.Got, res.Want = &got, float64(n)
	return res, n > 0
}

// Checks returns the function that says of a case whether it is right: by what its record
// shows and, where that shows nothing wrong, the rules on single cases. A case that breaks
// one fails. One that meets all of them is not thereby right. A nil outcome has no rules.
// Without rules in the policy, those in the settings of the run count.
func (o *Outcome) Checks() func(assay.Record) summary.Check {
	if o == nil {
		return summary.CheckOf
	}
	type rule struct {
		text   string
		broken map[string]bool
	}
	var rules []rule
	for _, res := range slices.Concat(o.Results, o.Own) {
		if !res.Each {
			continue
		}
		broken := make(map[string]bool, len(res.Broken))
		for _, id := range res.Broken {
			broken[id] = true
		}
		rules = append(rules, rule{res.Rule, broken})
	}
	if rules == nil {
		return summary.CheckOf
	}
	return func(r assay.Record) summary.Check {
		check := summary.CheckOf(r)
		if check.State == summary.CheckFailed && !check.Right {
			return check
		}
		var broken []string
		for _, rule := range rules {
			if rule.broken[r.Case.Base()] {
				broken = append(broken, rule.text)
			}
		}
		if broken != nil {
			return summary.Check{State: summary.CheckFailed, Basis: summary.ByRule, Rules: broken}
		}
		return check
	}
}

// own evaluates the rules on single cases in the settings of a run.
func (r Run) own() (out []Result) {
	h := &hearing{policy: Policy{AllowEstimates: r.Header.Config["gate.allow_estimates"] == "true"}, run: r, level: level(0)}
	for _, text := range scan.Items(r.Header.Config["gate.rules"]) {
		if rule, err := ParseRule(text); err == nil && rule.single() {
			if res := h.rule(rule); res.Each {
				out = append(out, res)
			}
		}
	}
	return out
}

// OnCases returns the rules of a setting that decide about single cases.
func OnCases(rules string) (out []string) {
	for _, text := range scan.Items(rules) {
		if rule, err := ParseRule(text); err == nil && rule.single() {
			if _, each, ok := rule.beyond(); each && ok {
				out = append(out, text)
			}
		}
	}
	return out
}
