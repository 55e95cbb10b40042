package judged

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// AnswerCorrectness is whether the answer says what a reference answer does.
var AnswerCorrectness = define(metric.Def{
	Name:    "answer_correctness",
	Title:   "Answer correctness",
	Doc:     "Whether the answer says what one of the reference answers does: right or wrong, by one ruling on the whole. A judge that estimates gives a degree.",
	Formula: "1 when the judge rules that the answer is equivalent to a reference answer, else 0",
	Edges:   correctEdge + "A contradiction, a vital part left out or a wrong number makes it wrong; more than the reference says does not.",
	Source:  "own definition: a binary ruling with a closed question, as in SimpleQA (Wei et al., 2024)",
	Needs:   metric.NeedAnswers,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Equivalence},
}, func(metric.Params) formula { return correct })
