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
