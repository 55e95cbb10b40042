package judged

import (
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

const checksPassed = "checks_passed"

// ChecksPassed is the weighted share of the case's checks that pass.
var ChecksPassed = define(metric.Def{
	Name:  checksPassed,
	Title: "Checks passed",
	Group: metric.Answer,
	Doc: "How many of the case's own checks the response passes, with those that fail listed: exact rules such as \"contains 30 days\", " +
		"expressions, and statements that a judge looks for.",
	Formula: "weights of the checks that pass / weights of all checks that have a result",
	Edges: "A set counts as one check, by its own threshold. A check of weight 0 is listed and does not count; if all have weight 0 the " +
		"score is 1. A check that does not apply is left out. One without a result, because no judge was asked, neither passes nor fails: " +
		"while these are at most a fifth they are left out and the bounds count them, with more there is no value. " +
		"Without a check there is no value; an empty answer is tested like any other.",
	Source: "own definition; the exact kinds of checks and their verdicts are those of promptfoo's assertions, with the differences that " +
		"docs/checks.md lists",
	Needs: metric.NeedChecks,
	Reads: metric.ReadAnswer,
	New: func(metric.Params) metric.Func {
		return func(ctx context.Context, in metric.Input) (assay.Score, error) { return allChecks(ctx, in) }
	},
}, nil)

func allChecks(ctx context.Context, in metric.Input) (assay.Score, error) {
	all := in.Case.Want.Checks
	if len(all) == 0 {
		return assay.None("the case has no check"), nil
	}
	var t tally
	applies, s := false, subject(in, "")
	for _, c := range all {
		if err := checks.Valid(c); err != nil {
			return assay.Score{}, err
		}
		r := checks.Run(ctx, c, s)
		if ctx.Err() != nil {
			return assay.Score{}, ctx.Err()
		}
		if r.Skipped != "" {
			continue
		}
		applies = true
		if w := checks.Weight(c); w > 0 {
			t.add(w, indicator(r.Passed), r.Err == nil)
		}
		reported(&t, r)
	}
	switch {
	case !applies:
		return assay.None("no check of the case applies"), nil
	case t.n == 0:
		out := assay.Value(1)
		out.Evidence = t.evidence
		return out, nil
	}
	out := t.score()
	if t.missing > 0 {
		out.Reason = fmt.Sprintf("%d of %d checks have no result", t.missing, t.n)
	}
	if out.State != assay.Scored {
		out.Evidence = t.evidence
	}
	return out, nil
}

// subject is what the checks of an input are tested on.
func subject(in metric.Input, dir string) checks.Subject {
	s := checks.Subject{Case: in.Case, Response: in.Response, Dir: dir, Work: new(int)}
	if in.Assessment != nil && question.Statements.Of(in.Assessment).Asked() {
		s.Stated = func(statement string) (bool, string, error) { return question.Stated(in.Assessment, statement) }
	}
	return s
}

// reported notes a check that failed or has no result, and the members of a set that did.
func reported(t *tally, r checks.Result) {
	switch {
	case r.Skipped != "", r.Passed:
		return
	case r.Err != nil:
		t.note("no result", checks.Describe(r.Check)+": "+r.Err.Error(), "")
	default:
		t.note("failed", checks.Describe(r.Check)+": "+r.Why, "")
	}
	for _, of := range r.Of {
		reported(t, of)
	}
}

// AskingChecks returns the metric checks_passed for cases of which some have statements that
// a judge must look for.
func AskingChecks() *metric.Def {
	d := *ChecksPassed
	d.Asks = judge.Asks{question.Statements}
	return &d
}
