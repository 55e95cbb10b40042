package probe_test

import (
	"context"
	"slices"
	"strings"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/audit/probe"
	"github.com/assay-eval/assay/judge/question"
)

// knowing is a judge that knows the items by heart; its fields make it worse.
type knowing struct {
	// blind is the corruption that it does not notice.
	blind string
	// fail gives an error for an operation; quoteless verdicts have no quotes.
	fail      func(operation string) error
	quoteless bool
	// repairs are calls beside the first.
	repairs int
	// only are the tasks that it answers; nil means all.
	only []judge.AnyTask
	// draw makes it change its mind when it is odd.
	draw int
	// first makes it refuse what does not stand first.
	first bool
	// likes is what it gives a better score for.
	likes string
	// estimate makes it one of formulas, which do not mark.
	estimate bool
	// bonus is the score that it adds to a text.
	bonus func(text string) float64
}

func (k knowing) ask(ctx context.Context, operation string) error {
	judge.Count(ctx, assay.Spending{Calls: 1 + k.repairs})
	if k.fail != nil {
		return k.fail(operation)
	}
	return nil
}

// corrupted reports whether a text holds a corrupted statement, true whether it holds
// any statement.
func (k knowing) corrupted(text string) bool {
	for _, it := range probe.Items() {
		for c, name := range probe.Corruptions() {
			if name != k.blind && strings.Contains(text, it.Corrupted[c]) {
				return true
			}
		}
	}
	return false
}

func stated(text string) bool {
	for _, it := range probe.Items() {
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

// Answers is false for marks of a judge that estimates, and for all that is not in only.
func (k knowing) Answers(t judge.AnyTask) bool {
	if k.only != nil {
		return slices.Contains(k.only, t)
	}
	return !k.estimate || t != question.Mark
}

func (j knowing) Ask(ctx context.Context, t judge.AnyTask, s judge.Subject, given any) (any, error) {
	return judge.NewAnswers(
		question.Support.By(j.Support), question.Compare.By(j.Equivalent), question.Reverse.By(j.Questions),
		question.Assign.By(j.Assign), question.Mark.By(j.Mark), question.Read.By(j.Read), question.Grade.By(j.Relevance),
		question.Extract.By(j.Points),
	).Ask(ctx, t, s, given)
}

func (k knowing) Read(ctx context.Context, _ judge.Subject, text string) (judge.Reading, error) {
	r := judge.Reading{Kind: judge.Answered}
	for _, it := range probe.Items() {
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
		if k.corrupted(c.Text) || !stated(c.Text) || k.draw%2 == 1 {
			f.Verdict, f.Degree = judge.Contradicted, 0
		}
		if k.first && !strings.Contains(sources[0].Text, c.Text) && i > 0 {
			f.Verdict, f.Degree = judge.NotFound, 0
		}
		if !k.quoteless && f.Verdict == judge.Supported {
			f.Quotes = []judge.Quote{{Text: c.Text, Alone: true}}
		}
	}
	return out, k.ask(ctx, "support")
}

func (k knowing) Relevance(ctx context.Context, _ judge.Subject, passages []judge.Source) ([]judge.Grade, error) {
	return make([]judge.Grade, len(passages)), k.ask(ctx, "relevance")
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
	if k.bonus != nil {
		r.Degree = k.bonus(answer)
	}
	return r, k.ask(ctx, "equivalence")
}

func (k knowing) Questions(ctx context.Context, _ judge.Subject, in question.ReverseInput) ([]judge.Reversed, error) {
	n := in.Count
	return make([]judge.Reversed, n), k.ask(ctx, "questions")
}

func (k knowing) Points(ctx context.Context, _ judge.Subject, _ []judge.Source) ([]judge.Point, error) {
	return nil, k.ask(ctx, "points")
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
