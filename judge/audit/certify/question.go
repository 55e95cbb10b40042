package certify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// A Question is a task of the judge that labelled items can measure.
type Question struct {
	// Task is asked about items of a kind.
	Task judge.AnyTask
	Kind Kind
	// ask asks about the items of one of batches.
	ask asker
}

// Name is that of the task.
func (q Question) Name() string { return q.Task.Operation() }

// An answer is what the judge says of an item.
type answer struct {
	item *Item
	// known is false if there is no ruling; why is then the reason, and cause what the
	// reasons of the same kind have in common.
	known, yes bool
	why, cause string
	degree     float64
	// contradicted is set on a claim that is ruled to be contradicted.
	contradicted bool
	// seconds is the time of the item, if it was asked and not in the ledger.
	seconds float64
	timed   bool
	// cost is in micro-dollars.
	cost float64
}

// Questions lists what can be certified.
var Questions = []Question{
	{question.Support, Claim, supporting},
	{question.Compare, Answer, comparing(question.Compare)},
	{question.RuleTrueFalse, Answer, comparing(question.RuleTrueFalse)},
	{question.Grade, Passage, grading(question.Grade)},
	{question.GradeByUMBRELA, Passage, grading(question.GradeByUMBRELA)},
	{question.Assign, Point, assigning},
}

// levels are the degrees of a judge that rules, by the kind of item; others are estimates.
var levels = map[Kind][]float64{Claim: {0, 1}, Answer: {0, 1}, Passage: {0, 1. / 3, 2. / 3, 1}, Point: {0, 0.5, 1}}

// isYes reports whether a label counts as yes: that of a passage also if it holds a part of the
// answer, which has level 2. Another item that is so in part is not.
func (q Question) isYes(l Label) bool { return l == Yes || l == Partly && q.Kind == Passage }

// estimated reports whether a degree is an estimate, and no level of a ruling.
func (q Question) estimated(degree float64) bool { return !slices.Contains(levels[q.Kind], degree) }

// An asker asks about items that are put to the judge at once.
type asker func(ctx context.Context, j judge.Judge, s judge.Subject, items []Item) ([]answer, error)

// supporting asks about the claims of the same sources.
func supporting(ctx context.Context, j judge.Judge, s judge.Subject, items []Item) ([]answer, error) {
	in := question.SupportInput{Sources: sources(items[0].Sources)}
	for _, x := range items {
		in.Claims = append(in.Claims, judge.Claim{Text: x.Text})
	}
	said, err := question.Support.Ask(ctx, j, s, in)
	return each(len(items), said, err, func(f judge.Finding) answer {
		a := answer{known: f.Verdict != judge.Unknown, yes: f.Verdict == judge.Supported, degree: f.Degree,
			contradicted: f.Verdict == judge.Contradicted, why: f.Why}
		if f.Score != nil {
			a.degree = *f.Score
		}
		return a
	})
}

// assigning asks about the points of the same answer.
func assigning(ctx context.Context, j judge.Judge, s judge.Subject, items []Item) ([]answer, error) {
	said, err := question.Assign.Ask(ctx, j, s, question.AssignInput{Answer: items[0].Sources[0], Points: texts(items)})
	return each(len(items), said, err, func(a judge.Assignment) answer {
		return answer{known: a.Known, yes: a.Credit >= 1, degree: a.Credit, why: a.Why}
	})
}

// comparing asks about an answer and its references.
func comparing(t *judge.Task[question.CompareInput, judge.Ruling]) asker {
	return func(ctx context.Context, j judge.Judge, s judge.Subject, items []Item) ([]answer, error) {
		r, err := t.Ask(ctx, j, s, question.CompareInput{Answer: items[0].Text, References: items[0].Sources})
		return each(1, []judge.Ruling{r}, err, func(r judge.Ruling) answer {
			return answer{known: true, yes: r.Holds, degree: r.Degree}
		})
	}
}

// grading asks about the passages of one question.
func grading(t *judge.Task[[]judge.Source, []judge.Grade]) asker {
	return func(ctx context.Context, j judge.Judge, s judge.Subject, items []Item) ([]answer, error) {
		said, err := t.Ask(ctx, j, s, sources(texts(items)))
		return each(len(items), said, err, func(g judge.Grade) answer {
			return answer{known: g.Known, yes: g.Level >= 2, degree: g.Degree, why: g.Why}
		})
	}
}

func texts(items []Item) (out []string) {
	for _, x := range items {
		out = append(out, x.Text)
	}
	return out
}

func sources(texts []string) (out []judge.Source) {
	for i, text := range texts {
		out = append(out, judge.Source{Name: fmt.Sprintf("passage %d", i+1), Text: text})
	}
	return out
}

// each turns the answers of a judge into those of items; without an answer they are unknown.
func each[T any](n int, said []T, err error, of func(T) answer) ([]answer, error) {
	out := make([]answer, n)
	if err != nil {
		for i := range out {
			out[i].why, out[i].cause = err.Error(), judge.Reason(err)
		}
		return out, err
	}
	for i, s := range said {
		out[i] = of(s)
		out[i].cause = out[i].why
	}
	return out, nil
}

// Named returns questions by name; without names all of them.
func Named(names []string) ([]Question, error) {
	if len(names) == 0 {
		return Questions, nil
	}
	var known []string
	for _, q := range Questions {
		known = append(known, q.Name())
	}
	var out []Question
	for _, n := range names {
		i := slices.Index(known, n)
		if i < 0 {
			return nil, fmt.Errorf("question %q: expected one of %s", n, strings.Join(known, ", "))
		}
		out = append(out, Questions[i])
	}
	return out, nil
}

// batches groups items that a run asks about at once, in order of their first.
func (q Question) batches(items []Item) [][]Item {
	var out [][]Item
	at := map[string]int{}
	for i, x := range items {
		key := fmt.Sprint(i)
		switch q.Kind {
		case Claim, Point:
			key = fmt.Sprintf("%q %q", x.Asked, x.Sources)
		case Passage:
			key = fmt.Sprintf("%q", x.Asked)
		}
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, nil)
		}
		out[k] = append(out[k], x)
	}
	return out
}
