package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
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
	Asks:   judge.Asks{question.Marks},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		rubric := in.Assessment.Rubric
		if len(rubric.Dimensions) == 0 {
			return assay.None("the run has no rubric"), nil
		}
		marks, err := question.Marks.Of(in.Assessment).Get()
		if err != nil {
			return assay.Score{}, err
		}
		score, err := judge.RubricScore(rubric, marks)
		if err != nil {
			return assay.Score{}, err
		}
		s := assay.Value(score)
		s.Evidence = markEvidence(rubric, marks)
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
