package words_test

import (
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// A critical case with a reference answer can be unchecked: no sentence asks for another one.
func TestUncheckedAsksForNoSecondReference(t *testing.T) {
	t.Parallel()
	for _, w := range words.All {
		said := w.Say("Reason.CriticalUnchecked", words.V{"n": 1, "of": 3})
		if !strings.Contains(said, "where there is none") && !strings.Contains(said, "沒有參考答案時") {
			t.Errorf("%q", said)
		}
	}
}

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

// Expected documents and passages that no passage can be matched with are not asked for.
func TestCheckReasonAsksForNoDocumentsThatAreThere(t *testing.T) {
	t.Parallel()
	for _, w := range words.All {
		for _, want := range []assay.Want{{Documents: map[string]int{"a.txt": 1}}, {Passages: []string{"It is red."}}, {}, {Documents: map[string]int{"a.txt": 0}}} {
			check := summary.CheckOf(assay.Record{Case: assay.Case{Critical: true, Want: want}, Response: &assay.Response{NoAnswer: true}})
			reason, asks := w.CheckReason(check), want.Documents["a.txt"] == 0 && want.Passages == nil
			if has := strings.Contains(reason, "expected documents") || strings.Contains(reason, "預期文件"); has != asks || check.State != summary.Unchecked {
				t.Errorf("%+v: %q", want, reason)
			}
		}
	}
}

// A case that its own checks leave open lacks their results, and no judge.
func TestCheckReasonNamesOwnChecks(t *testing.T) {
	t.Parallel()
	own := assay.Score{State: assay.JudgeError, Upper: 1, Evidence: []assay.Evidence{{Kind: "no result", Text: `expression "latency < 2"`},
		{Kind: "no result", Text: "second"}}}
	r := assay.Record{Case: assay.Case{Critical: true}, Response: &assay.Response{Answer: "Paris"}, Scores: map[string]assay.Score{"checks_passed": own}}
	failing, unproven := own, assay.Value(1)
	unproven.Evidence = []assay.Evidence{{Kind: assay.KindUnproven, Text: "length"}}
	failing.Upper, failing.Evidence = 0.5, []assay.Evidence{{Kind: "failed", Text: `contains "Lyon"`}}
	for i, wants := range [][]string{
		{`no result of expression "latency < 2" and 1 more`, `breaks checks_passed >= 1: contains "Lyon"`, "a check of the case has no result",
			"the checks of the case pass, but do not show that the answer is right: length"},
		{`檢查沒有結果：expression "latency < 2"，還有 1 個`, `違反 checks_passed >= 1：contains "Lyon"`, "案例的檢查沒有結果", "案例的檢查全部通過，但不足以證明回答正確：length"},
	} {
		short := own
		short.Evidence = nil
		for j, score := range []assay.Score{own, failing, short, unproven} {
			r.Scores["checks_passed"] = score
			if got := words.All[i].CheckReason(summary.CheckOf(r)); got != wants[j] {
				t.Errorf("%q, want %q", got, wants[j])
			}
		}
	}
}
