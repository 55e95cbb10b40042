package judged

import (
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
	"github.com/assay-eval/assay/metric"
)

// OverallAccuracy is whether the answer is right, or rightly declines.
var OverallAccuracy = define(metric.Def{
	Name:    "overall_accuracy",
	Title:   "Overall accuracy",
	Doc:     "Whether the target does the right thing: answers rightly what can be answered, and declines what cannot. It is answer_correctness over all cases that are marked, those without a reference answer among them.",
	Formula: "answerable: 1 when the answer is equivalent to a reference answer; not answerable: 1 when it declines; else 0",
	Edges:   "An answerable case without a reference answer has no value. " + kindEdge,
	Source:  "selective prediction (El-Yaniv and Wiener, JMLR 2010)",
	Needs:   metric.NeedAnswerable,
	Reads:   metric.ReadAnswer,
	Asks:    judge.Asks{question.Answer, question.Equivalence},
}, func(metric.Params) formula { return correct })
