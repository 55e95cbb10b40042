package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
)

var correctness = assay.MetricInfo{Name: "answer_correctness", Title: "Answer correctness", Better: "higher", Range: ratio, Version: 1,
	Judged: true}

// columnRun is a run of n cases in which recall@5 and hit@1 are 1 throughout, the judge
// finds every second answer wrong, and token_f1 applies to no case.
func columnRun(name string, n int) *report.Report {
	var records []assay.Record
	for i := range n {
		rec := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("c%d", i), Question: fmt.Sprintf("What is %d?", i)},
			Response: &assay.Response{Answer: "It is."}, Answer: assay.AnswerRight,
			Scores: map[string]assay.Score{"hit@1": assay.Value(1), "recall@5": assay.Value(1), "ndcg@10": assay.Value(float64(i) / 10),
				"token_f1": {State: assay.NotApplicable}, "answer_correctness": assay.Value(1)}}
		if i%2 == 1 {
			wrong := assay.Value(0)
			wrong.Evidence = []assay.Evidence{{Kind: "not equivalent", Text: "it <gives> 1956"}}
			rec.Scores["answer_correctness"], rec.Answer = wrong, assay.AnswerWrong
		}
		records = append(records, rec)
	}
	return report.New(header(name, hit, recall, ndcg, f1, correctness), records)
}

// heads lists the headings that are shown, in order.
func heads(b *browser) []string {
	return strings.Split(eval[string](b, `[...document.querySelectorAll(".cases thead th")]
		.filter(th => getComputedStyle(th).display !== "none").map(th => th.textContent).join("|")`), "|")
}

// The reason of failure and what a judge ruled come first; columns on which all cases agree
// are one line, which opens them with the keyboard too.
func TestCaseColumnsInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.open(columnRun("run", 6))
	folded := []string{"Case", "Status", "Reason of failure", "Question", "answer_correctness", "ndcg@10"}
	if got := heads(b); !slices.Equal(got, folded) {
		t.Errorf("columns %q, want %q", got, folded)
	}
	if got := eval[string](b, `document.getElementById("agreed").textContent`); got !=
		"all 6 cases agree: hit@1 1.000, recall@5 1.000, token_f1 n/a" {
		t.Errorf("the line is %q", got)
	}
	if got := eval[string](b, `document.querySelector(".cases tbody tr").innerText`); !strings.Contains(got, "wrong") ||
		!strings.Contains(got, "not equivalent: it <gives> 1956") {
		t.Errorf("the first case is %q", got)
	}
	eval[any](b, `document.getElementById("agreed").focus() || 1`)
	b.Do(chromedp.KeyEvent("\r"))
	open := slices.Concat(folded[:5], []string{"hit@1", "recall@5", "ndcg@10", "token_f1"})
	if got := heads(b); !slices.Equal(got, open) {
		t.Errorf("opened: columns %q, want %q", got, open)
	}
	if got := eval[string](b, `document.getElementById("agreed").getAttribute("aria-expanded")`); got != "true" {
		t.Errorf("aria-expanded is %q", got)
	}
	b.Do(chromedp.EmulateViewport(390, 900))
	b.Until(`window.innerWidth === 390`)
	row := eval[string](b, `document.querySelector(".cases tbody tr").innerText`)
	for _, want := range []string{"c1", "wrong", "What is 1?", "0.000", "1.000"} {
		if !strings.Contains(row, want) {
			t.Errorf("390 pixels: the row lacks %q:\n%s", want, row)
		}
	}
	if got := eval[string](b, `[".cases", ".cases thead th", ".cases tbody tr", ".cases tbody td"]
		.map(s => document.querySelector(s).getAttribute("role")).join()`); got != "table,columnheader,row,cell" {
		t.Errorf("390 pixels: the roles are %s", got)
	}
	if over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("390 pixels: the page is %d too wide", over)
	}
	if torn := eval[string](b, tornWords); torn != "" {
		t.Errorf("390 pixels: words of a table break: %s", torn)
	}
	eval[any](b, `document.getElementById("agreed").click() || 1`)
	if got := heads(b); !slices.Equal(got, folded[:5]) {
		t.Errorf("390 pixels, folded: columns %q, want %q", got, folded[:5])
	}
	// A metric that is chosen has its column, folded or not.
	eval[any](b, `(s => {
		s.value = [...s.options].find(o => o.text === "recall@5").value;
		s.dispatchEvent(new Event("change"));
		return 1;
	})(document.getElementById("metric"))`)
	if got := heads(b); !slices.Contains(got, "recall@5") || slices.Contains(got, "hit@1") {
		t.Errorf("with recall@5 chosen: columns %q", got)
	}
	b.Clean()
}

// One case agrees with itself only, and a score that is missing for a failure agrees with
// none.
func TestNothingAgreed(t *testing.T) {
	t.Parallel()
	broken := columnRun("run", 4)
	for i := range held(broken) {
		held(broken)[i].Scores["hit@1"] = assay.Score{State: assay.JudgeError, Reason: "no reply"}
	}
	held(broken)[2].Scores["recall@5"] = assay.Value(1 - 1e-9)
	delete(held(broken)[3].Scores, "token_f1")
	broken.Cases = columns.Of(held(broken))
	for name, r := range map[string]*report.Report{"one case": columnRun("run", 1), "failed, near, absent": broken} {
		page := render(t, lookup(t, "html"), r, report.Options{})
		if strings.Contains(page, "agree: ") || strings.Contains(page, " data-folded>") {
			t.Errorf("%s: a column is folded", name)
		}
	}
	if page := render(t, lookup(t, "html"), columnRun("run", 1), report.Options{}); strings.Contains(page, "Reason of failure") {
		t.Error("the page has a column for reasons, and no case failed")
	}
	if page := render(t, lookup(t, "html"), columnRun("run", 3), report.Options{Language: "zh-Hant"}); !strings.Contains(page,
		"3 個案例全部一致：hit@1 1.000、recall@5 1.000、token_f1 ") || !strings.Contains(page, "失敗原因") {
		t.Error("the page in Chinese lacks the line or the column")
	}
}

// A comparison begins with what a judge ruled too, tells why each run failed, and folds
// metrics on which the runs agree.
func TestComparedColumnsInABrowser(t *testing.T) {
	b := newBrowser(t)
	before, after := columnRun("before", 6), columnRun("after", 6)
	held(after)[1].Scores["answer_correctness"], held(after)[1].Answer = assay.Value(1), assay.AnswerRight
	after.Cases = columns.Of(held(after))
	b.openComparison(comparison(t, []*report.Report{before, after}))
	folded := []string{"Case", "Reason of failure", "Question", "before", "after", "Δ"}
	if got := heads(b); !slices.Equal(got, folded) {
		t.Errorf("columns %q, want %q", got, folded)
	}
	if got := eval[string](b, `document.getElementById("metric").selectedOptions[0].text`); got != "answer_correctness" {
		t.Errorf("the first metric is %q, want the judged one", got)
	}
	if got := eval[string](b, `document.getElementById("agreed").textContent`); got !=
		"all runs agree on all 6 cases: hit@1 1.000, recall@5 1.000, ndcg@10, token_f1 n/a" {
		t.Errorf("the line is %q", got)
	}
	// The case that only the baseline fails comes first.
	if got := eval[string](b, `document.querySelector(".cases tbody tr").innerText`); !strings.HasPrefix(got, "c1") ||
		!strings.Contains(got, "before: the answer is wrong") || strings.Count(got, "wrong") != 1 {
		t.Errorf("the first case is %q", got)
	}
	eval[any](b, `document.getElementById("agreed").click() || 1`)
	if got := heads(b); !slices.Equal(got, slices.Concat(folded, []string{"hit@1", "recall@5", "ndcg@10", "token_f1"})) {
		t.Errorf("opened: columns %q", got)
	}
	b.Clean()
}

// Two runs that agree on everything can be looked through as well.
func TestEqualRunsInABrowser(t *testing.T) {
	b := newBrowser(t)
	b.openComparison(comparison(t, []*report.Report{columnRun("a", 3), columnRun("b", 3)}))
	if got := eval[int](b, `document.querySelectorAll(".cases tbody tr").length`); got != 3 {
		t.Errorf("%d rows, want 3", got)
	}
	if got := heads(b); !slices.Contains(got, "Δ") {
		t.Errorf("columns %q", got)
	}
	b.Clean()
}
