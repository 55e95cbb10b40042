package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// KeyQuestions is the marking scheme of 100 points for a decomposition.
var KeyQuestions = define(metric.Def{
	Name:    "key_questions",
	Version: 2,
	Title:   "Key questions",
	Doc: "How well the key questions that the system took a question apart into stand for it: " +
		"fidelity 40 points, completeness 25, clarity 20, conciseness 15, as a share of 100. Two judges (--judge A,B) are averaged.",
	Formula: "(40 * fidelity + 25 * completeness + 20 * clarity + 15 * conciseness) / 100, " +
		"each dimension its points divided by the most; " +
		"the points of a panel are the mean of its judges, or their median when there are three",
	Edges: "A system that takes nothing apart, or does not tell what into, has no value. " +
		"A dimension without a mark leaves no value: it is never taken as no points.",
	Source: "a marking scheme used for records of a legislature; the same as the key questions of an accuracy test",
	Reads:  metric.ReadTrace,
	Asks:   judge.Asks{question.KeyQuestions},
}, func(metric.Params) formula {
	return func(in metric.Input) (assay.Score, error) {
		if !question.KeyQuestions.Of(in.Assessment).Asked() {
			return assay.None("the response tells of no sub-questions"), nil
		}
		marks, err := question.KeyQuestions.Of(in.Assessment).Get()
		if err != nil {
			return assay.Score{}, err
		}
		scheme := question.KeyQuestionsRubric()
		score, err := judge.RubricScore(scheme, marks)
		if err != nil {
			return assay.Score{}, err
		}
		s := assay.Value(score)
		s.Evidence = markEvidence(scheme, marks)
		return s, nil
	}
})

// markEvidence tells the level of every dimension, with its reason.
func markEvidence(r judge.Rubric, marks []judge.Mark) []assay.Evidence {
	var out []assay.Evidence
	for i, d := range r.Dimensions {
		m := marks[i]
		out = append(out, assay.Evidence{Kind: "mark", Text: reasoned(fmt.Sprintf("%s: %v of %d", d.Name, m.Level, d.Max()), m.Why), Where: marked(m)})
	}
	return out
}
