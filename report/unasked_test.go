package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// TestRunningRunCountsUnaskedCriticalCases: critical cases that a running run has not
// asked are not among those that passed.
func TestRunningRunCountsUnaskedCriticalCases(t *testing.T) {
	t.Parallel()
	h := header("live", ndcg)
	h.State, h.Dataset.Cases, h.Dataset.Critical = "running", 5, 3
	r := report.New(h, []assay.Record{
		{Case: assay.Case{ID: "a", Critical: true}, Answer: assay.AnswerRight, Response: &assay.Response{Answer: "x"}, Attempts: 1},
		{Seq: 1, Case: assay.Case{ID: "b"}, Answer: assay.AnswerRight, Response: &assay.Response{Answer: "x"}, Attempts: 1},
	})
	if s := r.Summary; s.Critical != 3 || s.CriticalUnasked != 2 || s.CriticalPassed() != 1 {
		t.Errorf("%d critical, %d not asked, %d passed", s.Critical, s.CriticalUnasked, s.CriticalPassed())
	}
	for _, language := range []string{"en", "zh-Hant"} {
		var b bytes.Buffer
		if err := lookup(t, "terminal").Write(&b, r, report.Options{Language: language}); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"en": "1 of 3 passed, 2 not asked", "zh-Hant": "3 個中通過 1 個，未提問 2 個"}[language]
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s: no %q in\n%s", language, want, &b)
		}
	}
}
