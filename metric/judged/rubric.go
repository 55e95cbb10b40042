package judged

import (
	"fmt"
	"math"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/metric"
)

// Rubric is the weighted mean of the marks of a user's own marking scheme.
var Rubric = define(metric.Def{
	Name:    "rubric",
	Title:   "Rubric",
	Doc:     "How good the answer is by a marking scheme of your own: dimensions with levels that are described, each marked with the words of the answer that show it.",
	Formula: "sum over dimensions of weight * level / highest level, divided by the sum of weights; the level of a panel is the mean of its judges, or their median when there are three",
	Edges: "A dimension without a mark leaves no value: it is never taken as the lowest level. Without a rubric there is no value. " +
		"What an answer that declines is worth is for the rubric to say.",
	Source: "own definition; G-Eval (Liu et al., EMNLP 2023) marks by one dimension",
	Reads:  metric.ReadAnswer,
	Asks:   judge.AskMarks,
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		dimensions := in.Assessment.Rubric.Dimensions
		if len(dimensions) == 0 {
			return assay.None("the run has no rubric"), nil
		}
		marks, err := in.Assessment.Marks.Get()
		if err != nil {
			return assay.Score{}, err
		}
		if len(marks) != len(dimensions) {
			return assay.Score{}, fmt.Errorf("the judge gave %d marks for %d dimensions", len(marks), len(dimensions))
		}
		sum, weights := 0.0, 0.0
		var evidence []assay.Evidence
		for i, d := range dimensions {
			m, most := marks[i], float64(d.Max())
			switch {
			case !(d.Weight > 0) || math.IsInf(d.Weight, 0) || most < 1:
				return assay.Score{}, fmt.Errorf("rubric: dimension %q: weight %v and %d levels: want a weight above 0 and two levels", d.Name, d.Weight, len(d.Anchors))
			case !(m.Level >= 0 && m.Level <= most):
				return assay.Score{}, fmt.Errorf("rubric: dimension %q: level %v: want 0 to %v", d.Name, m.Level, most)
			}
			sum += d.Weight * m.Level / most
			weights += d.Weight
			evidence = append(evidence, assay.Evidence{Kind: "mark", Text: reasoned(fmt.Sprintf("%s: %v of %v", d.Name, m.Level, most), m.Why), Where: marked(m)})
		}
		s := assay.Value(sum / weights)
		s.Evidence = evidence
		return s, nil
	}
})

// marked tells where in the answer a mark comes from, and how judges differed.
func marked(m judge.Mark) string {
	where := ""
	if m.Quote != "" {
		where = fmt.Sprintf("%q", start(m.Quote))
	}
	if v := votesOf(m.Votes); v != "" {
		if where != "" {
			where += ", "
		}
		where += v
	}
	return where
}
