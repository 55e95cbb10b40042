package judge

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/assay-eval/assay/stats"
)

const (
	// FarApart is how far the scores of two judges may differ: a quarter of the scale,
	// the step from one level of a rubric of five to the next. Beyond it a third judge is
	// asked, and the disagreement is told.
	FarApart = 0.25
	// thirdLevel is how many levels of a dimension two judges may differ.
	thirdLevel = 1
	// NoLevel is the entry in [Mark.Levels] of a judge without a mark.
	NoLevel = -1
)

// RubricScore is Σ weight·level/max ÷ Σ weight over the dimensions of a rubric,
// 0 to 1. It is an error if a mark is missing or off its scale, or if the rubric has no
// dimension or one without a weight: a missing mark is not a 0.
func RubricScore(r Rubric, marks []Mark) (float64, error) {
	switch {
	case len(r.Dimensions) == 0:
		return 0, fmt.Errorf("rubric %q: no dimensions: expected at least one", r.Name)
	case len(marks) != len(r.Dimensions):
		return 0, fmt.Errorf("the judge gave %d marks for %d dimensions", len(marks), len(r.Dimensions))
	}
	var sum, weight float64
	for i, d := range r.Dimensions {
		level, top := marks[i].Level, float64(d.Max())
		switch {
		// The negation also refuses NaN.
		case !(d.Weight > 0) || top < 1:
			return 0, fmt.Errorf("rubric: dimension %q: weight %v and %d levels: expected a weight above 0 and two levels", d.Name, d.Weight,
				len(d.Anchors))
		case !(level >= 0 && level <= top):
			return 0, fmt.Errorf("rubric: dimension %q: level %v: expected 0 to %v", d.Name, level, top)
		}
		sum += d.Weight * level / top
		weight += d.Weight
	}
	if math.IsInf(weight, 0) {
		return 0, fmt.Errorf("rubric %q: the sum of the weights overflows", r.Name)
	}
	return sum / weight, nil
}

// NeedsThird reports whether two judges differ so much that a third must be asked: their
// scores by more than 0.25, or their levels of a dimension by more than one. ok is false
// if one of them has no score.
func NeedsThird(r Rubric, first, second []Mark) (needs, ok bool) {
	a, errA := RubricScore(r, first)
	b, errB := RubricScore(r, second)
	if errA != nil || errB != nil {
		return false, false
	}
	needs = math.Abs(a-b) > FarApart
	for i := range first {
		needs = needs || math.Abs(first[i].Level-second[i].Level) > thirdLevel*step(r.Dimensions[i])
	}
	return needs, true
}

// step is the size of a level: 1, or a quarter of the points.
func step(d Dimension) float64 {
	if d.Points > 0 {
		return float64(d.Points) / 4
	}
	return 1
}

// CombineMarks combines the marks of several judges, dimension by dimension: their mean, or
// their median. A judge without marks has nil; at least one has marks. Quote and reason are
// those of the judge nearest to the result; Levels has the level of each judge.
func CombineMarks(r Rubric, median bool, byJudge ...[]Mark) []Mark {
	out := make([]Mark, len(r.Dimensions))
	for d := range out {
		levels := make([]int, len(byJudge))
		var given []Mark
		for j, marks := range byJudge {
			levels[j] = NoLevel
			if marks != nil {
				levels[j] = int(math.Round(marks[d].Level))
				given = append(given, marks[d])
			}
		}
		level := middle(given, median)
		m := given[0]
		for _, g := range given[1:] {
			if math.Abs(g.Level-level) < math.Abs(m.Level-level) {
				m = g
			}
		}
		out[d] = Mark{Level: level, Levels: levels, Quote: m.Quote, Why: m.Why}
		for _, g := range given {
			if g.Level == level {
				out[d].For++
			} else {
				out[d].Against++
			}
		}
	}
	return out
}

func middle(marks []Mark, median bool) float64 {
	levels := make([]float64, len(marks))
	sum := 0.0
	for i, m := range marks {
		levels[i] = m.Level
		sum += m.Level
	}
	if !median {
		return sum / float64(len(levels))
	}
	slices.Sort(levels)
	m, _ := stats.Quantile(levels, 0.5)
	return m
}

// Sheet decides the marks of a rubric. Every pass marks all dimensions together, as a
// single pass would.
type Sheet[In any] struct {
	Ballot[Mark]
	Rubric func(in In) Rubric
}

func (h Sheet[In]) decide(ctx context.Context, t *Task[In, []Mark], by voters, s Subject, in In) ([]Mark, error) {
	r := h.Rubric(in)
	ask := func(ctx context.Context, j Judge) ([]Mark, error) { return t.Ask(ctx, j, s, in) }
	if p, ok := by.(*panel); ok {
		return p.mark(ctx, t.Name, r, ask)
	}
	p := poll[Mark]{election[Mark]{h.Ballot, t.Name, func(ctx context.Context, j Judge, items []int) ([]Mark, error) {
		given, err := ask(ctx, j)
		if err != nil {
			return nil, err
		}
		return Pick(given, items), nil
	}}, by.(*voting), true}
	out, last, err := p.run(ctx, len(r.Dimensions))
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].why = r.Dimensions[i].Name + ": " + out[i].why
	}
	return p.rulings(t.Name, out, last)
}

func (h Sheet[In]) entries(in In, out []Mark) (got, want int) {
	return len(out), len(h.Rubric(in).Dimensions)
}

// mark needs the marks of two judges unless the rubric allows a single one; with RequireAll
// those of all. It asks the third judge if two differ too much.
func (p *panel) mark(ctx context.Context, operation string, r Rubric, ask func(context.Context, Judge) ([]Mark, error)) ([]Mark, error) {
	if len(r.Dimensions) == 0 {
		return nil, nil
	}
	byJudge, err := hear(ctx, p, operation, ask)
	if err != nil {
		return nil, err
	}
	given := 0
	for _, marks := range byJudge {
		if marks != nil {
			given++
		}
	}
	if given == 1 && len(p.judges) > 1 && !r.AllowSingleJudge {
		return nil, undecided(operation, fmt.Sprintf("1 of %d judges gave marks, and the rubric does not allow a single judge", len(p.judges)), nil)
	}
	if given < 2 || len(p.judges) > 2 {
		return CombineMarks(r, false, byJudge...), nil
	}
	if needs, ok := NeedsThird(r, byJudge[0], byJudge[1]); !ok || !needs {
		return CombineMarks(r, false, byJudge...), nil
	}
	if p.third == nil {
		a, _ := RubricScore(r, byJudge[0]) // both have one, as NeedsThird found
		b, _ := RubricScore(r, byJudge[1])
		Warn(ctx, fmt.Sprintf("mark: the judges are far apart (%.2f and %.2f), and there is no third judge: their mean stands", a, b))
		return CombineMarks(r, false, byJudge...), nil
	}
	third, err := ask(ctx, p.third)
	switch {
	case Over(ctx, err):
		return nil, cmp.Or(ctx.Err(), err)
	case err != nil:
		Warn(ctx, "mark: the judges are far apart, and the third judge failed: their mean stands: "+Reason(err))
		return CombineMarks(r, false, byJudge...), nil
	}
	return CombineMarks(r, true, append(byJudge, third)...), nil
}
