package judged

import (
	"cmp"
	"context"
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/checks"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
	"github.com/assay-eval/assay/metric/stage"
)

// Check returns the metric check.NAME, which is a check of the configuration. scheme is the
// hash of its definition; dir is where a program is started.
func Check(name string, c assay.Check, scheme, dir string) *metric.Def {
	lo, hi := checks.Range(c)
	d := &metric.Def{
		Name: assay.CheckPrefix + name, Title: assay.CheckPrefix + name, Group: metric.Answer, Unit: c.Unit, Range: [2]float64{lo, hi}, Version: 1,
		Doc:     "A check of the configuration: " + checks.Describe(c) + ".",
		Formula: "1 if the response passes, else 0; the score if the check gives one; the weighted share of a set's members that pass",
		Edges: "A case to which the check does not apply has no value. If there is no result, because no judge was asked or a program " +
			"failed, there is no value, and the bounds count the case as the worst and as the best.",
		Source: cmp.Or(scheme, "the configuration"),
		Scheme: scheme,
	}
	if checks.ReadsAnswer(c) {
		d.Reads = metric.ReadAnswer
	}
	if c.Name != "" {
		d.Title = c.Name
	}
	if c.Better == metric.Lower.String() {
		d.Better = metric.Lower
	}
	if checks.Judged(c) {
		d.Asks = judge.Asks{question.Statements}
	}
	d.New = func(metric.Params) metric.Func {
		return func(ctx context.Context, in metric.Input) (assay.Score, error) {
			return oneCheck(ctx, c, subject(in, dir))
		}
	}
	return d
}

func oneCheck(ctx context.Context, c assay.Check, s checks.Subject) (assay.Score, error) {
	r := checks.Run(ctx, c, s)
	switch {
	case r.Skipped != "":
		return assay.None(r.Skipped), nil
	case ctx.Err() != nil:
		return assay.Score{}, ctx.Err()
	}
	var t tally
	reported(&t, r, true)
	if err := r.Unscored(); err != nil {
		return assay.Score{
			State: assay.JudgeError, Reason: fmt.Sprintf("no result: %s", err), Lower: r.Lower, Upper: r.Upper, Evidence: t.evidence,
		}, nil
	}
	out := assay.Value(r.Score)
	out.Evidence = t.evidence
	return out, nil
}

const checksPassed = "checks_passed"

// ChecksPassed is the weighted share of the case's checks that pass.
var ChecksPassed = define(metric.Def{
	Name:  checksPassed,
	Title: "Checks passed",
	Group: metric.Answer,
	Doc: "How many of the case's own checks the response passes, with those that fail listed: exact rules such as \"contains 30 days\", " +
		"expressions, and statements that a judge looks for.",
	Formula: "weights of the checks that pass / weights of all checks that have a result",
	Edges: "A set counts as one check, by its own threshold. A check of weight 0 is listed and does not count. A check that does not " +
		"apply is left out, and so is a set whose members all have weight 0. Without a check that counts there is no value. A check " +
		"without a result, because no judge was asked or the target reports no answer, neither passes nor fails: while these are at most a fifth they are left out and the bounds count them, with more there is no value. " +
		"An empty answer is tested like any other.",
	Source: "own definition; the exact kinds of checks and their verdicts are those of promptfoo's assertions, with the differences that " +
		"docs/checks.md lists",
	Needs:    metric.NeedChecks,
	Reads:    metric.ReadAnswer,
	Optional: metric.ReadAnswer,
	Version:  2,
	New: func(metric.Params) metric.Func {
		return func(ctx context.Context, in metric.Input) (assay.Score, error) { return allChecks(ctx, in) }
	},
}, nil)

func allChecks(ctx context.Context, in metric.Input) (assay.Score, error) {
	all := in.Case.Want.Checks
	if len(all) == 0 {
		return assay.None("the case has no check"), nil
	}
	texts, ruled := [][]string(nil), false
	t, none, s := tally{}, "no check of the case applies", subject(in, "")
	if s.Unanswered != "" && checks.ReadsAnswer(all...) {
		return assay.None(s.Unanswered), nil
	}
	for _, c := range all {
		if err := checks.Valid(c); err != nil {
			return assay.Score{}, err
		}
		r := checks.Run(ctx, c, s)
		if ctx.Err() != nil {
			return assay.Score{}, ctx.Err()
		}
		w := checks.Weight(c)
		reported(&t, r, w > 0 && r.Skipped == "")
		switch {
		case r.Skipped != "":
		case w == 0:
			none = "no check of the case counts: each has weight 0"
		default:
			t.add(w, indicator(r.Passed), r.Err == nil)
			more, too := checks.Texts(r, s)
			texts, ruled = append(texts, more...), ruled || too
		}
	}
	if t.n == 0 {
		out := assay.None(none)
		out.Evidence = t.evidence
		return out, nil
	}
	switch {
	case t.sum < t.weight:
	case texts == nil && !ruled:
		t.note(assay.KindUnproven, "the checks that pass only forbid, or measure form", "")
	case texts != nil && !stage.States(in.Case.Question, in.Response.Answer, texts):
		t.note(assay.KindUnproven, "the answer has the texts of the checks, and does not plainly state them", "")
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
	_, s.Unanswered = metric.Metric{Def: &metric.Def{Reads: metric.ReadAnswer}}.Reported(in.Response)
	if in.Assessment != nil && question.Statements.Of(in.Assessment).Asked() {
		s.Stated = func(statement string) (bool, string, error) { return question.Stated(in.Assessment, statement) }
	}
	return s
}

// reported notes a check that failed or has no result, and the members of a set that did. counts
// is not set if it decides nothing.
func reported(t *tally, r checks.Result, counts bool) {
	kind, why := "failed", r.Why
	if r.Passed {
		return
	}
	if r.Err != nil {
		kind, why = "no result", r.Err.Error()
	}
	if !counts {
		kind = "not counted"
	}
	if r.Skipped == "" {
		t.note(kind, checks.Describe(r.Check)+": "+why, "")
	}
	for _, of := range r.Of {
		reported(t, of, counts && checks.Weight(of.Check) > 0)
	}
}

// AskingChecks returns the metric checks_passed for cases of which some have statements that
// a judge must look for.
func AskingChecks() *metric.Def {
	d := *ChecksPassed
	d.Asks = judge.Asks{question.Statements}
	return &d
}
