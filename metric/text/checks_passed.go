package text

import (
	"context"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/metric"
)

// ChecksPassed is the weighted share of the case's checks that pass.
var ChecksPassed = answers(metric.Def{
	Name:    "checks_passed",
	Title:   "Checks passed",
	Doc:     "How many of the case's own checks the response passes, with those that fail listed: exact rules such as \"contains 30 days\".",
	Formula: "weights of the checks that pass / weights of all checks",
	Edges: "A set counts as one check, by its own threshold. A check of weight 0 is listed and does not count; if all have weight 0 the " +
		"score is 1. Without a check there is no value; an empty answer is tested like any other.",
	Source: "own definition; the kinds of checks and their verdicts are those of promptfoo's assertions, with the differences that " +
		"docs/convert.md lists",
	Needs: metric.NeedChecks,
}, func(_ context.Context, in metric.Input, _ metric.Params) (assay.Score, error) {
	all := in.Case.Want.Checks
	if len(all) == 0 {
		return assay.None("the case has no check"), nil
	}
	passed, total := 0.0, 0.0
	var failed []assay.Evidence
	for _, c := range all {
		if err := checks.Valid(c); err != nil {
			return assay.Score{}, err
		}
		r := checks.Run(c, in.Response)
		total += checks.Weight(c)
		if r.Passed {
			passed += checks.Weight(c)
		} else {
			failed = reported(failed, r)
		}
	}
	s := assay.Value(1)
	if total > 0 {
		s = assay.Value(passed / total)
	}
	s.Evidence = failed
	return s, nil
})

// reported appends a check that failed, and the members of a set that did.
func reported(out []assay.Evidence, r checks.Result) []assay.Evidence {
	out = append(out, assay.Evidence{Kind: "failed", Text: checks.Describe(r.Check) + ": " + r.Why})
	for _, of := range r.Of {
		if !of.Passed {
			out = reported(out, of)
		}
	}
	return out
}
