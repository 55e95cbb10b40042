package report_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
)

// A critical case that is asked several times is one case, and fails if one draw fails.
func TestDrawsOfCriticalCasesAreOneCase(t *testing.T) {
	t.Parallel()
	h := header("draws", ndcg)
	h.Repeat, h.Dataset.Cases, h.Dataset.Critical = 3, 3, 2
	var recs []assay.Record
	for draw := range 3 {
		for i, id := range []string{"a", "b", "c"} {
			c := assay.Case{ID: id, Critical: id != "c"}
			rec := assay.Record{Seq: len(recs), Case: c.Repeated(draw), Answer: assay.AnswerRight, Response: &assay.Response{Answer: "x", Latency: 5 * time.Millisecond}, Attempts: 1}
			if i == 1 && draw > 0 {
				rec.Answer = assay.AnswerWrong
			}
			recs = append(recs, rec)
		}
	}
	r := report.New(h, recs)
	r.Judge(gate.Policy{})
	if s := r.Summary; s.Critical != 2 || s.CriticalFailed != 1 || s.CriticalPassed() != 1 {
		t.Errorf("%d critical, %d failed, %d passed", s.Critical, s.CriticalFailed, s.CriticalPassed())
	}
	for name, want := range map[string][]string{
		"terminal": {"3 cases × 3 draws (2 critical)", "1 of 2 passed, 1 failed", "b#2 failed"},
		"markdown": {"3 cases × 3 draws (2 critical)", "1 of 2 passed, 1 failed", "**FAILED** `b#2`"},
		"comment":  {"1 of 2 critical cases failed", "3 cases × 3 draws:", "1 of 2 passed, 1 failed", "(1)"},
		"html":     {"1 / 2"},
	} {
		var b bytes.Buffer
		if err := lookup(t, name).Write(&b, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(b.String(), w) && !strings.Contains(b.String(), strings.ReplaceAll(w, "#", "&#35;")) {
				t.Errorf("%s: no %q", name, w)
			}
		}
		for _, w := range []string{"of 6 ", "9 cases", "b#3 failed", "`b#3`"} {
			if strings.Contains(b.String(), w) && name != "html" {
				t.Errorf("%s: %q", name, w)
			}
		}
	}
	// A draw that is not asked yet may fail.
	h.State = "running"
	if s := report.New(h, recs[:4]).Summary; s.CriticalUnasked != 2 || s.CriticalPassed() != 0 {
		t.Errorf("running: %d not asked, %d passed", s.CriticalUnasked, s.CriticalPassed())
	}
	// An unchecked draw did not fail, and the page counts draws as draws.
	h.State = "finished"
	recs[4].Answer, recs[4].Response, recs[4].Scores = "", nil, map[string]assay.Score{"ndcg@10": {State: assay.TargetError, Reason: assay.NoResponse}}
	recs[4].Failure = &assay.Failure{Kind: "timeout"}
	recs[0].Answer, recs[0].Scores = assay.AnswerUnknown, map[string]assay.Score{"ndcg@10": assay.Value(0)}
	for _, lang := range []struct {
		code string
		want []string
	}{
		{"en", []string{"1 draw: the target gave no response", "Bars count the draws by score", "holds 5 of 9 draws: 2 draws that failed, of critical cases"}},
		{"zh-Hant", []string{"1 次作答: 受測系統沒有回應", "各分數的作答數", "本頁包含 9 次作答中的 5 次：關鍵案例的 2 次失敗作答"}},
	} {
		var b bytes.Buffer
		if err := lookup(t, "html").Write(&b, report.New(h, recs), report.Options{Language: lang.code, Cases: 5}); err != nil {
			t.Fatal(err)
		}
		for _, w := range lang.want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("no %q", w)
			}
		}
	}
}
