package words_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// What would show whether an answer is right is not what the case has.
func TestCheckReasonAsksForNoSecondReference(t *testing.T) {
	t.Parallel()
	for _, w := range words.All {
		for asks, want := range map[bool]assay.Want{false: {Answers: []string{"Lyon"}}, true: {Keywords: []string{"Lyon"}}} {
			check := summary.CheckOf(assay.Record{Case: assay.Case{Critical: true, Want: want}, Response: &assay.Response{Answer: "Paris"}, Answer: assay.AnswerUnknown})
			reason := w.CheckReason(check)
			if has := strings.Contains(reason, "short reference") || strings.Contains(reason, "簡短"); has != asks || check.State != summary.Unchecked {
				t.Errorf("%+v: %q", want, reason)
			}
		}
	}
}
