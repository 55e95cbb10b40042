package judged_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/judge"
	"github.com/assay-eval/assay/judge/question"
)

// under is a finding by a threshold, and those at the lower and at the upper end of its interval.
func under(here, low, high judge.Finding) judge.Finding {
	here.Ends = &[2]judge.Finding{low, high}
	return here
}

// Bounds hold the scores at both ends of the interval of a threshold: of metrics that rise with
// support, fall with it, and of rulings and citations. The value is that at the threshold.
func TestBoundsHoldBothEndsOfAThreshold(t *testing.T) {
	t.Parallel()
	yes := judge.Finding{Verdict: judge.Supported, Degree: 1, Singly: true, Quotes: []judge.Quote{{Source: 0, Alone: true}}}
	no := judge.Finding{Verdict: judge.NotFound}
	firm, ifLow, unlessHigh := under(yes, yes, yes), under(no, yes, no), under(yes, yes, no)
	for name, want := range map[string][3]float64{ // value, lower, upper
		"faithfulness": {0.5, 0.25, 0.75}, "hallucination": {0.5, 0.25, 0.75}, "citation_recall": {0.5, 0, 1}, "answer_correctness": {1, 0, 1},
		"context_used_precision": {1, 1, 1}, "answer_correctness_f1": {2. / 3, 0.4, 6. / 7},
	} {
		x := whole(t)
		a := x.Assessment
		question.Answer.Set(a, says(judge.Answered, 4))
		setBoth(a, question.AnswerPassages, question.AnswerAlone, judge.Known([]judge.Finding{firm, unlessHigh, ifLow, under(no, no, no)}))
		question.AnswerReference.Set(a, yesNo(0, 0, 0, 0))
		if name == "answer_correctness_f1" {
			x.Case.Want.Answers = []string{"0.5"} // the cosine, which has no weight
			question.AnswerReference.Set(a, judge.Known([]judge.Finding{firm, unlessHigh, ifLow, under(no, no, no)}))
		}
		setBoth(a, question.Citations, question.CitationsAlone, judge.Known([]judge.Cited{
			{Sentence: 1, Text: "One.", Cites: []int{0}, Finding: unlessHigh}, {Sentence: 2, Text: "Two.", Cites: []int{0}, Finding: ifLow}}))
		question.Equivalence.Set(a, judge.Known(judge.Ruling{Holds: true, Degree: 1, Ends: &[2]judge.Ruling{{Holds: true, Degree: 1}, {}}}))
		s := scored(t, name, x)
		if s.State != assay.Scored || [3]float64{s.Value, s.Lower, s.Upper} != want {
			t.Errorf("%s: %+v, want %v", name, s, want)
		}
		if open := strings.Contains(s.Reason, "the threshold of the judge has an interval"); open != (want[1] < want[2]) {
			t.Errorf("%s: reason %q", name, s.Reason)
		}
	}
	x := whole(t)
	question.Answer.Set(x.Assessment, says(judge.Answered, 5))
	setBoth(x.Assessment, question.AnswerPassages, question.AnswerAlone, judge.Known([]judge.Finding{firm, firm, firm, unlessHigh, {}}))
	s := scored(t, "faithfulness", x)
	if s.Value != 1 || s.Lower != 0.6 || s.Upper != 1 || s.Reason != "the judge gave no ruling on 1 of 5; the threshold of the judge has an "+
		"interval: at its ends the score is from 0.75 to 1" {
		t.Errorf("with a missing ruling: %+v", s)
	}
}
