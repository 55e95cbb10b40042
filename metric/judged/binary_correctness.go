package judged

import (
	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// BinaryCorrectness is whether a judge says TRUE to the answer.
var BinaryCorrectness = define(metric.Def{
	Name:  "binary_correctness",
	Title: "Binary correctness", LabelQuestion: assay.LabelRight,
	Doc: "Whether the answer conveys the same facts as one of the reference answers, by a judge that says only TRUE or FALSE: " +
		"the shortest question, for small models and many cases. answer_correctness also has the reason.",
	Formula: "1 if the judge says TRUE, else 0",
	Edges: "A reply that says both, neither or more than one word is asked again, and then leaves the case without a score. " +
		"An empty answer is FALSE without a call. Marks of answerable cases are not read.",
	Source: "own definition: a binary ruling in one word, as in LLM-as-a-judge tests of semantic equivalence",
	Needs:  metric.NeedAnswers,
	Reads:  metric.ReadAnswer,
	Asks:   judge.Asks{question.TrueFalse},
}, func(in metric.Input, _ metric.Params) (assay.Score, error) {
	r, err := question.TrueFalse.Of(in.Assessment).Get()
	if err != nil {
		return assay.Score{}, err
	}
	return compared(r)
})
