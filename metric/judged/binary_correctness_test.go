package judged_test

import (
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// The score is the ruling; without one there is none, and a split vote is shown.
func TestBinaryCorrectness(t *testing.T) {
	t.Parallel()
	x := asked(0)
	x.Case.Want.Answers = []string{"1957"}
	ruled := func(r judge.Ruling) assay.Score {
		question.TrueFalse.Set(x.Assessment, judge.Known(r))
		return scored(t, "binary_correctness", x)
	}
	value(t, "TRUE", ruled(judge.Ruling{Holds: true, Degree: 1, Why: "TRUE"}), 1)
	s := ruled(judge.Ruling{Why: "FALSE", Votes: judge.Votes{For: 2, Against: 1}})
	value(t, "FALSE", s, 0)
	if len(s.Evidence) != 1 || s.Evidence[0].Kind != "not equivalent" || s.Evidence[0].Text != "FALSE" ||
		s.Evidence[0].Where != "split vote 2 to 1" {
		t.Errorf("evidence %+v", s.Evidence)
	}
	question.TrueFalse.Set(x.Assessment, judge.Failed[judge.Ruling](errJudge))
	state(t, "failed", scored(t, "binary_correctness", x), assay.JudgeError)
	x.Case.Want.Answers = nil
	state(t, "without a reference", scored(t, "binary_correctness", x), assay.NotApplicable)
}
