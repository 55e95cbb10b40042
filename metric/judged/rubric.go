package judged

import (
	"fmt"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// Rubric is the weighted mean of the marks of a user's own rubric.
var Rubric = define(metric.Def{
	Name:  "rubric",
	Title: "Rubric",
	Doc: "How good the answer is by a rubric of your own: dimensions with described levels, " +
		"each mark with the words of the answer that justify it.",
	Formula: "sum over dimensions of weight * level / highest level, divided by the sum of weights; " + panelFormula("level"),
	Edges: "If a dimension has no mark there is no value: it is never taken as the lowest level. Without a rubric there is no value. " +
		"The rubric says what an answer that declines is worth.",
	Source: "own definition; G-Eval (Liu et al., EMNLP 2023) marks by one dimension",
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.Marks},
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	if len(in.Assessment.Rubric.Dimensions) == 0 {
		return assay.None("the run has no rubric"), nil
	}
	return marked(in.Assessment.Rubric, question.Marks.Of(in.Assessment))
})

// KeyQuestions is the rubric of 100 points for a decomposition.
var KeyQuestions = define(metric.Def{
	Name:    "key_questions",
	Version: 2,
	Title:   "Key questions",
	Doc: "How well the key questions that the system derived from a question represent it: " +
		"fidelity 40 points, completeness 25, clarity 20, conciseness 15, as a share of 100. Two judges (--judge A,B) are averaged.",
	Formula: "(40 * fidelity + 25 * completeness + 20 * clarity + 15 * conciseness) / 100, " +
		"each dimension its points divided by the maximum; " + panelFormula("points"),
	Edges: "A system that derives no key questions, or does not report them, has no value. " +
		"If a dimension has no mark there is no value: it is never taken as 0 points.",
	Source: "a marking scheme for records of a legislature; the same as the key questions of an accuracy test",
	Reads:  metric.ReadTrace,
	Asks:   judge.Asks{question.KeyQuestions},
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	marks := question.KeyQuestions.Of(in.Assessment)
	if !marks.Asked() {
		return assay.None("the response reports no sub-questions"), nil
	}
	return marked(question.KeyQuestionsRubric(), marks)
})

// panelFormula says how the marks of several judges combine.
func panelFormula(mark string) string {
	return "the " + mark + " of a panel is the mean of its judges, or their median if there are three"
}

// marked scores the marks of a rubric, with each mark as evidence.
func marked(r judge.Rubric, part judge.Part[[]judge.Mark]) (assay.Score, error) {
	marks, err := part.Get()
	if err != nil {
		return assay.Score{}, err
	}
	score, err := judge.RubricScore(r, marks)
	if err != nil {
		return assay.Score{}, err
	}
	s := assay.Value(score)
	for i, d := range r.Dimensions {
		m := marks[i]
		s.Evidence = append(s.Evidence, assay.Evidence{
			Kind: "mark", Text: withReason(fmt.Sprintf("%s: %v of %d", d.Name, m.Level, d.Max()), m.Why), Where: quoteWhere(m.Quote, m.Votes),
		})
	}
	return s, nil
}

// quoteWhere quotes the words of the answer that a ruling rests on, with a
// split vote.
func quoteWhere(quote string, v judge.Votes) string {
	where := ""
	if quote != "" {
		where = fmt.Sprintf("%q", excerpt(quote))
	}
	return withVotes(where, v)
}
