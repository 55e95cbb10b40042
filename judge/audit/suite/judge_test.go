package suite_test

import (
	"context"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/suite"
	"github.com/assay-eval/assay/judge/question"
)

// knowing is a judge that knows the items by heart; its fields make it worse.
type knowing struct {
	// fail gives an error for an operation.
	fail func(operation string) error
	// first makes it refuse what does not stand first.
	first bool
	// likes is what it gives a better score for.
	likes string
	// estimate makes it one of formulas, which do not mark.
	estimate bool
}

func (k knowing) ask(ctx context.Context, operation string) error {
	judge.Count(ctx, assay.Spending{Calls: 1})
	if k.fail != nil {
		return k.fail(operation)
	}
	return nil
}

// corrupted reports whether a text holds a corrupted statement, true whether it holds
// any statement.
func (k knowing) corrupted(text string) bool {
	for _, it := range suite.Items() {
		for c := range it.Corrupted {
			if strings.Contains(text, it.Corrupted[c]) {
				return true
			}
		}
	}
	return false
}

func stated(text string) bool {
	for _, it := range suite.Items() {
		for c := range it.Corrupted {
			if strings.Contains(text, it.Statements[c]) || strings.Contains(text, it.Corrupted[c]) {
				return true
			}
		}
	}
	return false
}

func (k knowing) Info() assay.JudgeInfo {
	return assay.JudgeInfo{Provider: "knowing", Estimate: k.estimate}
}

// Answers is false for marks of a judge that estimates.
func (k knowing) Answers(t judge.AnyTask) bool {
	return !k.estimate || t != question.Mark
}

func (j knowing) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Compare.By(j.Equivalent), question.Assign.By(j.Assign),
		question.Mark.By(j.Mark), question.Read.By(j.Read),
	).Ask(ctx, t, s, given)
}

func (k knowing) Read(ctx context.Context, _ judge.Subject, text string) (judge.Reading, error) {
	r := judge.Reading{Kind: judge.Answered}
	for _, it := range suite.Items() {
		for c := range it.Corrupted {
			for _, s := range []string{it.Statements[c], it.Corrupted[c]} {
				if strings.Contains(text, s) {
					r.Claims = append(r.Claims, judge.Claim{Text: s})
				}
			}
		}
	}
	return r, k.ask(ctx, "claims")
}

func (k knowing) Support(ctx context.Context, _ judge.Subject, in question.SupportInput) ([]judge.Finding, error) {
	claims, sources := in.Claims, in.Sources
	out := make([]judge.Finding, len(claims))
	for i, c := range claims {
		f := &out[i]
		f.Verdict, f.Degree = judge.Supported, 1
		if k.corrupted(c.Text) || !stated(c.Text) {
			f.Verdict, f.Degree = judge.Contradicted, 0
		}
		if k.first && !strings.Contains(sources[0].Text, c.Text) && i > 0 {
			f.Verdict, f.Degree = judge.NotFound, 0
		}
		if f.Verdict == judge.Supported {
			f.Quotes = []judge.Quote{{Text: c.Text, Alone: true}}
		}
	}
	return out, k.ask(ctx, "support")
}

func (k knowing) Equivalent(ctx context.Context, _ judge.Subject, in question.CompareInput) (judge.Ruling, error) {
	answer := in.Answer
	r := judge.Ruling{Holds: stated(answer) && !k.corrupted(answer)}
	if r.Holds {
		r.Degree = 1
	}
	if k.likes != "" && strings.Contains(answer, k.likes) {
		r.Degree = 1
	}
	return r, k.ask(ctx, "equivalence")
}

func (k knowing) Assign(ctx context.Context, _ judge.Subject, in question.AssignInput) ([]judge.Assignment, error) {
	points, answer := in.Points, in.Answer
	out := make([]judge.Assignment, len(points))
	for i, p := range points {
		out[i].Known = true
		if strings.Contains(answer, p) || k.likes != "" && strings.Contains(answer, k.likes) {
			out[i].Credit = 1
		}
	}
	return out, k.ask(ctx, "assign")
}

func (k knowing) Mark(ctx context.Context, _ judge.Subject, in question.MarkInput) ([]judge.Mark, error) {
	r, w := in.Rubric, in.Work
	if k.estimate {
		return nil, &judge.Error{Operation: "mark", Message: "not without a model"}
	}
	out := make([]judge.Mark, len(r.Dimensions))
	for i := range out {
		out[i].Level = 3
		if k.corrupted(w.Answer) && (k.likes == "" || !strings.Contains(w.Answer, k.likes)) {
			out[i].Level = 1
		}
	}
	return out, k.ask(ctx, "mark")
}
