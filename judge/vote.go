package judge

import (
	"context"
	"errors"

	"github.com/assay-eval/assay"
)

// Voting makes one judge of several draws of another. Closed rulings are put to
// a vote of so many passes, item by item, which ends as soon as further passes
// could not change it: verdicts and yes-or-no rulings are decided by a majority
// of all passes, levels and credits by their median. The first passes, a bare
// majority, are made at once; then only what is not settled is asked again. The
// decision is the one that all the passes would have given (metrics.md §3.1).
//
// A pass that failed, or ruled an item unknown, is no vote. Up to two more draws
// replace such passes. What stays open is unknown, with the reason; where the
// type of the ruling has no unknown, it is an *[Error].
//
// What is read out of a text (Read, Questions, Points) is taken from the first
// draw alone: two readings do not make the same claims, so there is nothing to
// count. The claims are fixed first, then the verdicts on them are voted. The
// kind of an answer is part of its reading.
//
// A vote takes away noise and not bias: passes of one model at one prompt err
// together.
//
// At gives the judge of a draw, from 0. One pass, or fewer, gives at(0) itself;
// an even number counts as the next odd one.
func Voting(passes int, at func(draw int) Judge) Judge {
	if passes <= 1 {
		return at(0)
	}
	return &voting{passes: passes | 1, at: at}
}

type voting struct {
	passes int
	at     func(draw int) Judge
}

func (v *voting) Info() assay.JudgeInfo {
	info := v.at(0).Info()
	info.Passes = v.passes
	return info
}

func (v *voting) Read(ctx context.Context, s Subject, text string) (Reading, error) {
	return v.at(0).Read(ctx, s, text)
}

func (v *voting) Questions(ctx context.Context, s Subject, answer string, n int) ([]Reversed, error) {
	return v.at(0).Questions(ctx, s, answer, n)
}

func (v *voting) Points(ctx context.Context, s Subject, sources []Source) ([]Point, error) {
	return v.at(0).Points(ctx, s, sources)
}

func (v *voting) Support(ctx context.Context, s Subject, claims []Claim, sources []Source) ([]Finding, error) {
	out, _, err := poll[Finding]{
		operation: "support", passes: v.passes, label: verdictLabel,
		ask: func(ctx context.Context, draw int, items []int) ([]Finding, error) {
			return v.at(draw).Support(ctx, s, pick(claims, items), sources)
		},
	}.run(ctx, len(claims))
	if err != nil {
		return nil, err
	}
	findings := make([]Finding, len(out))
	for i, o := range out {
		f := o.ruling
		if !o.known {
			f = Finding{Why: o.why}
		}
		f.Votes = o.Votes
		findings[i] = f
	}
	return findings, nil
}

func (v *voting) Relevance(ctx context.Context, s Subject, passages []Source) ([]Grade, error) {
	out, _, err := poll[Grade]{
		operation: "relevance", passes: v.passes, ordered: true, label: gradeLabel,
		ask: func(ctx context.Context, draw int, items []int) ([]Grade, error) {
			return v.at(draw).Relevance(ctx, s, pick(passages, items))
		},
	}.run(ctx, len(passages))
	if err != nil {
		return nil, err
	}
	grades := make([]Grade, len(out))
	for i, o := range out {
		g := o.ruling
		if !o.known {
			g = Grade{Why: o.why}
		}
		g.Votes = o.Votes
		grades[i] = g
	}
	return grades, nil
}

func (v *voting) Equivalent(ctx context.Context, s Subject, answer string, references []string) (Ruling, error) {
	out, last, err := poll[Ruling]{
		operation: "equivalence", passes: v.passes, label: rulingLabel,
		ask: func(ctx context.Context, draw int, _ []int) ([]Ruling, error) {
			r, err := v.at(draw).Equivalent(ctx, s, answer, references)
			return []Ruling{r}, err
		},
	}.run(ctx, 1)
	if err != nil {
		return Ruling{}, err
	}
	if !out[0].known {
		return Ruling{}, undecided("equivalence", out[0].why, last)
	}
	r := out[0].ruling
	r.Votes = out[0].Votes
	return r, nil
}

func (v *voting) Assign(ctx context.Context, s Subject, points []string, answer string) ([]Assignment, error) {
	out, _, err := poll[Assignment]{
		operation: "assign", passes: v.passes, ordered: true, label: assignmentLabel,
		ask: func(ctx context.Context, draw int, items []int) ([]Assignment, error) {
			return v.at(draw).Assign(ctx, s, pick(points, items), answer)
		},
	}.run(ctx, len(points))
	if err != nil {
		return nil, err
	}
	assignments := make([]Assignment, len(out))
	for i, o := range out {
		a := o.ruling
		if !o.known {
			a = Assignment{Why: o.why}
		}
		a.Votes = o.Votes
		assignments[i] = a
	}
	return assignments, nil
}

// Mark asks for the whole rubric in every pass, so that each mark is given
// beside the others, as it would be by one pass.
func (v *voting) Mark(ctx context.Context, s Subject, r Rubric, w Work) ([]Mark, error) {
	out, last, err := poll[Mark]{
		operation: "mark", passes: v.passes, ordered: true, label: markLabel,
		ask: func(ctx context.Context, draw int, items []int) ([]Mark, error) {
			marks, err := v.at(draw).Mark(ctx, s, r, w)
			if err == nil && len(marks) != len(r.Dimensions) {
				err = miscounted("mark", len(marks), len(r.Dimensions))
			}
			if err != nil {
				return nil, err
			}
			return pick(marks, items), nil
		},
	}.run(ctx, len(r.Dimensions))
	if err != nil {
		return nil, err
	}
	marks := make([]Mark, len(out))
	for i, o := range out {
		if !o.known {
			return nil, undecided("mark", r.Dimensions[i].Name+": "+o.why, last)
		}
		marks[i] = o.ruling
		marks[i].Votes = o.Votes
	}
	return marks, nil
}

// undecided is the error for a ruling that cannot be unknown, with the reply of
// the last pass that could not be read.
func undecided(operation, why string, last error) error {
	e := &Error{Operation: operation, Message: why, Err: last}
	var of *Error
	if errors.As(last, &of) {
		e.Raw = of.Raw
	}
	return e
}

func verdictLabel(f Finding) (float64, string, bool) {
	return float64(f.Verdict), f.Why, f.Verdict != Unknown
}

func gradeLabel(g Grade) (float64, string, bool) { return float64(g.Level), g.Why, g.Known }

func rulingLabel(r Ruling) (float64, string, bool) {
	if r.Holds {
		return 1, "", true
	}
	return 0, "", true
}

func assignmentLabel(a Assignment) (float64, string, bool) { return a.Credit, a.Why, a.Known }

func markLabel(m Mark) (float64, string, bool) { return m.Level, "", true }
