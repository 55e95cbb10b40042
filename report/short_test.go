package report_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
)

// many returns the report of a run with twelve metrics over n cases, of which all but
// the first are worse and worse.
func many(n int) *report.Report {
	var metrics []assay.MetricInfo
	for i := range 12 {
		metrics = append(metrics, assay.MetricInfo{Name: fmt.Sprintf("m%02d", i), Better: "higher", Range: ratio, Version: 1})
	}
	h := header("many", metrics...)
	h.Dataset.Cases = n
	var records []assay.Record
	for i := range n {
		scores := map[string]assay.Score{}
		for _, m := range metrics {
			scores[m.Name] = assay.Value(1 - float64(i)/float64(2*n))
		}
		records = append(records, assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("case%02d", i), Question: "?",
			Tags: []string{fmt.Sprintf("tag%02d", i)}}, Response: &assay.Response{}, Scores: scores})
	}
	return report.New(h, records)
}

// TestShort: a short report has seven metrics, those that a rule is about first, five
// cases and the path; a long one has them all.
func TestShort(t *testing.T) {
	t.Parallel()
	r := many(30)
	var p gate.Policy
	for _, text := range []string{"m11 >= 0.99", "m10 >= 0.1"} {
		rule, err := gate.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, rule)
	}
	r.Judge(p)
	row := regexp.MustCompile(`(?m)^ (m\d\d) +\d`)
	named := func(s string) (out []string) {
		for _, m := range row.FindAllStringSubmatch(s, -1) {
			out = append(out, m[1])
		}
		return out
	}
	short := render(t, lookup(t, "terminal"), r, report.Options{Short: true, Page: "out.html", Width: 80})
	if got := strings.Join(named(short), " "); got != "m00 m01 m02 m03 m04 m10 m11" {
		t.Errorf("metrics %s:\n%s", got, short)
	}
	for _, want := range []string{"FAIL", "… and 5 more metrics: -v", "(5 of 29)", "\nreport: out.html\n"} {
		if !strings.Contains(short, want) {
			t.Errorf("it lacks %q:\n%s", want, short)
		}
	}
	if n := strings.Count(short, "\n case"); n != 5 {
		t.Errorf("%d cases, want 5:\n%s", n, short)
	}
	long := render(t, lookup(t, "terminal"), r, report.Options{Page: "out.html"})
	if got := named(long); len(got) != 12 || strings.Contains(long, ": -v") {
		t.Errorf("metrics %q:\n%s", got, long)
	}
}

// TestFewCasesHaveNoInterval: below five cases no readable format shows an interval, and
// JSON says that they are few. Tags of one case each have no table.
func TestFewCasesHaveNoInterval(t *testing.T) {
	t.Parallel()
	ends := regexp.MustCompile(`\d…[\d+−-]`)
	for n, want := range map[int]bool{1: false, 4: false, 5: true} {
		r := many(n)
		for _, format := range []string{"terminal", "markdown", "html", "comment"} {
			text := render(t, lookup(t, format), r, report.Options{})
			if got := ends.FindString(text); (got != "") != want {
				t.Errorf("%d cases, %s: interval %q, want any: %t", n, format, got, want)
			}
			if !want && format != "comment" && (strings.Contains(text, "95 % interval") || !strings.Contains(text, "no interval below 5")) {
				t.Errorf("%d cases, %s: it names intervals, or does not say why there are none:\n%s", n, format, text)
			}
			if strings.Contains(text, "by tag") {
				t.Errorf("%d cases, %s: a table by tag of one case each:\n%s", n, format, text)
			}
		}
		text := render(t, lookup(t, "json"), r, report.Options{})
		if !strings.Contains(text, `"ci": [`) || !strings.Contains(text, "enough for a smoke test") {
			t.Errorf("%d cases: JSON lacks the interval or what limits it:\n%.2000s", n, text)
		}
	}
}

// TestUnknownAnswersAreAreNotAttributed: a case of which nothing tells whether its answer
// is right names no stage, as the table of wrong answers does not count it.
func TestUnknownAnswersAreAreNotAttributed(t *testing.T) {
	t.Parallel()
	for answer, want := range map[assay.Correctness]bool{
		assay.AnswerWrong: true, "": true, assay.AnswerUnknown: false, assay.AnswerRight: false,
	} {
		h := header("attributed", recall)
		h.Dataset.Cases = 1
		r := report.New(h, []assay.Record{{Attempts: 1, Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{Answer: "x"},
			Answer: answer, Scores: map[string]assay.Score{"recall@5": assay.Value(0.5)},
			Attribution: &assay.Attribution{Failed: true, Stage: "retrieve", Facts: []assay.Fact{{ID: "f", Lost: "retrieve"}}}}})
		text := render(t, lookup(t, "terminal"), r, report.Options{})
		if strings.Contains(text, "wrong, 0.50, fails at retrieve") != want || strings.Contains(text, "Of 1 wrong answer") != want {
			t.Errorf("answer %q: want the stage in the list and in the sentence: %t\n%s", answer, want, text)
		}
		if csv := render(t, lookup(t, "csv"), r, report.Options{}); strings.Contains(csv, ",retrieve,") != want {
			t.Errorf("answer %q: want the stage in %s: %t", answer, csv, want)
		}
	}
}

// TestWrongAnswersAreCountedOnce: a wrong answer that could not be followed is one of the wrong
// answers, whose stage is unknown.
func TestWrongAnswersAreCountedOnce(t *testing.T) {
	t.Parallel()
	h := header("wrong", recall)
	h.Dataset.Cases = 2
	followed := assay.Record{Attempts: 1, Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{Answer: "x"},
		Answer: assay.AnswerWrong, Attribution: &assay.Attribution{Failed: true, Stage: "retrieve", Facts: []assay.Fact{{ID: "f", Lost: "retrieve"}}}}
	other := followed
	other.Seq, other.Case.ID, other.Attribution = 1, "b", nil
	r := report.New(h, []assay.Record{followed, other})
	if w := r.Summary.Waterfall; r.Summary.Answers.Wrong != 2 || w.Failed != 2 || w.Open != 1 {
		t.Errorf("%+v, of %d wrong answers %d are open", r.Summary.Answers, w.Failed, w.Open)
	}
	for format, want := range map[string]string{
		"terminal": "Of 2 wrong answers, 1 is attributed to retrieve (50 %), and for 1 the stage is unknown; fixing retrieve",
		"html":     "1 of 2 wrong answers",
	} {
		if text := strings.Join(strings.Fields(render(t, lookup(t, format), r, report.Options{})), " "); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", format, want, text)
		}
	}
}

// TestShortSaysWhatWouldNameTheStage: where the stage of wrong answers is unknown, the short report
// says which setting would name it.
func TestShortSaysWhatWouldNameTheStage(t *testing.T) {
	t.Parallel()
	h := header("unknown", recall)
	h.Dataset.Cases = 1
	r := report.New(h, []assay.Record{{Attempts: 1, Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{Answer: "x"},
		Answer: assay.AnswerWrong, Attribution: &assay.Attribution{Failed: true, Unknown: "texts"}}})
	text := strings.Join(strings.Fields(render(t, lookup(t, "terminal"), r, report.Options{Short: true})), " ")
	if !strings.Contains(text, "stage unknown in 1 case: passages have no text, and no label names their ids; report the text of each passage") {
		t.Error(text)
	}
}

// TestShortCountsCriticalCases: the short report names four critical cases that did not pass, and counts the rest.
func TestShortCountsCriticalCases(t *testing.T) {
	t.Parallel()
	h := header("critical", recall)
	h.Dataset.Cases = 9
	var records []assay.Record
	for i := range 9 {
		records = append(records, assay.Record{Seq: i, Attempts: 1, Answer: assay.AnswerWrong, Response: &assay.Response{Answer: "x"},
			Case: assay.Case{ID: fmt.Sprint("c", i), Question: "?", Critical: true, Want: assay.Want{Answers: []string{"y"}}}})
	}
	text := strings.Join(strings.Fields(render(t, lookup(t, "terminal"), report.New(h, records), report.Options{Short: true})), " ")
	if !strings.Contains(text, "c3 failed") || strings.Contains(text, "c4 failed") || !strings.Contains(text, "… and 5 more") {
		t.Error(text)
	}
}

// TestCriticalStateInEveryFormat: a critical case that is wrong, or that nothing checked,
// is not ok in any format.
func TestCriticalStateInEveryFormat(t *testing.T) {
	t.Parallel()
	h := header("critical", recall)
	h.Dataset.Cases = 3
	var records []assay.Record
	for i, answer := range []assay.Correctness{assay.AnswerRight, assay.AnswerWrong, assay.AnswerUnknown} {
		records = append(records, assay.Record{Seq: i, Attempts: 1, Answer: answer, Response: &assay.Response{Answer: "x"},
			Case: assay.Case{ID: string(answer), Question: "?", Critical: true, Want: assay.Want{Answers: []string{"y"}}}})
	}
	r := report.New(h, records)
	r.Judge(gate.Policy{AllCritical: true})
	for format, want := range map[string][]string{
		"terminal": {"critical cases are right  FAIL    1 failed, 1 unchecked  3", "1 of 3 critical cases failed, 1 unchecked;"},
		"markdown": {"| `critical cases are right` | **FAIL** | 1 failed, 1 unchecked | 3 |"},
		"comment":  {"| `critical cases are right` | – | 1 failed, 1 unchecked | – | **FAIL** 1 of 3 critical cases failed, 1 unchecked |"},
		"junit":    {`message="critical cases are right: 1 of 3 critical cases failed, 1 unchecked"`},
		"json":     {`"got": 1`, `"want": 3`},
		"csv":      {"right,ok,true,passed,", "wrong,ok,true,failed,", "unknown,ok,true,unchecked,"},
		"html":     {"1 failed, 1 unchecked</td>", "ok · critical<", "failed · critical<", "unchecked · critical<"},
	} {
		text := render(t, lookup(t, format), r, report.Options{})
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%.3000s", format, w, text)
			}
		}
		// The row says it of the case that is right, and the panel why.
		if n := strings.Count(text, "ok · critical"); format == "html" && (n != 2 || !strings.Contains(text, "ok · critical · the answer is right")) {
			t.Errorf("%d times a critical case is ok, want 2", n)
		}
	}
}
