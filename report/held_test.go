package report_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

var rowOfCase = regexp.MustCompile(`<tr data-id="([^"]+)" data-is="([^"]*)"`)

// rowsOf returns the cases in the table of a page and those of them that were drawn.
func rowsOf(page string) (ids, drawn []string) {
	for _, m := range rowOfCase.FindAllStringSubmatch(page, -1) {
		ids = append(ids, m[1])
		if slices.Contains(strings.Fields(m[2]), "drawn") {
			drawn = append(drawn, m[1])
		}
	}
	return ids, drawn
}

// partly is a run of n cases with scores from high to low, every tenth of which is
// critical; the critical cases in failed have a wrong answer, and those in timeout no
// response.
func partly(name string, n int, failed, timeout func(i int) bool, value func(i int) float64) *report.Report {
	h := header(name, recall)
	h.Dataset.Cases = n
	var records []assay.Record
	for i := range n {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("q%04d", i), Question: "?", Critical: i%10 == 0},
			Response: &assay.Response{Answer: "a"}, Scores: map[string]assay.Score{"recall@5": assay.Value(value(i))}}
		if r.Case.Critical {
			r.Answer = assay.AnswerRight
			if failed(i) {
				r.Answer = assay.AnswerWrong
			}
		}
		if timeout(i) {
			r.Response, r.Failure = nil, &assay.Failure{Kind: "timeout", Message: "no response"}
			r.Scores["recall@5"] = assay.Score{State: assay.TargetError}
		}
		records = append(records, r)
	}
	return report.New(h, records)
}

func never(int) bool { return false }

// TestPageHoldsSome: a page without room for all cases has the critical ones that failed,
// the worst of the others, and a sample of the rest, which is the same every time.
func TestPageHoldsSome(t *testing.T) {
	t.Parallel()
	const n = 2000
	r := partly("dense", n, func(i int) bool { return i%200 == 0 }, func(i int) bool { return i%100 == 3 },
		func(i int) float64 { return 1 - float64(i)/n })
	page := render(t, lookup(t, "html"), r, report.Options{})
	ids, drawn := rowsOf(page)
	if len(ids) != 500 || len(drawn) != 100 {
		t.Fatalf("%d cases, %d of them drawn, want 500 and 100", len(ids), len(drawn))
	}
	held := map[string]bool{}
	for _, id := range ids {
		held[id] = true
	}
	for i := range n {
		if id := fmt.Sprintf("q%04d", i); (i%200 == 0 || i%100 == 3) && !held[id] {
			t.Errorf("the page lacks %s, which failed", id)
		}
	}
	// 10 critical, 20 without a response, then the 370 lowest: from the end of the dataset.
	for i := n - 300; i < n; i++ {
		if id := fmt.Sprintf("q%04d", i); !held[id] || slices.Contains(drawn, id) {
			t.Errorf("the page lacks %s, one of the lowest, or has it by chance only", id)
		}
	}
	want := "This page holds 500 of 2000 cases: all 10 critical cases that failed, then the 390 worst (not ok, then wrong, then by score), " +
		"then 100 drawn at random from the rest (seed 7). The search, the filters and the order of the table know only these. All cases: " +
		"<code>assay cases 20261121-133409123-k7q2mz4d --format csv</code>"
	if !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, regexp.MustCompile(`This page holds[^\n]*`).FindString(page))
	}
	for _, want := range []string{`data-all="500 cases on this page"`, `data-some="# of the 500 cases on this page"`,
		`<option value="drawn">drawn at random</option>`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if again := render(t, lookup(t, "html"), r, report.Options{}); again != page {
		t.Error("the page differs when it is written again")
	}
	// A sample is of the whole rest, not of its beginning.
	first, last := n, 0
	for _, id := range drawn {
		var i int
		if _, err := fmt.Sscanf(id, "q%d", &i); err != nil {
			t.Fatal(err)
		}
		first, last = min(first, i), max(last, i)
	}
	if first > 200 || last < 1400 {
		t.Errorf("the drawn cases lie between %d and %d", first, last)
	}
}

// TestComparisonOfManyCriticalCases: the critical cases that failed may fill the whole page.
func TestComparisonOfManyCriticalCases(t *testing.T) {
	t.Parallel()
	value := func(i int) float64 { return float64(i) / 1000 }
	before := partly("before", 1000, never, never, value)
	after := partly("after", 1000, func(int) bool { return true }, never, value)
	page := renderComparison(t, lookup(t, "html"), comparison(t, []*report.Report{before, after}), report.Options{Cases: 80})
	if want := "This page holds 80 of 1000 cases: 80 of the 100 critical cases that failed."; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, regexp.MustCompile(`This page holds[^\n]*`).FindString(page))
	}
}

// TestLargePageLinksToItsCases: what names cases links to those that the page holds.
func TestLargePageLinksToItsCases(t *testing.T) {
	t.Parallel()
	var records []assay.Record
	for i := range 800 {
		lost := &assay.Attribution{Failed: true, Stage: "retrieve", Facts: []assay.Fact{{ID: "f", Lost: "retrieve"}}}
		records = append(records, assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("q%04d", i), Question: "?"},
			Response: &assay.Response{Answer: "a"}, Scores: map[string]assay.Score{"recall@5": assay.Value(0)}, Attribution: lost})
	}
	h := header("dense", recall)
	h.Dataset.Cases = len(records)
	page := render(t, lookup(t, "html"), report.New(h, records), report.Options{})
	held, _ := rowsOf(page)
	links := regexp.MustCompile(`<li><a [^>]*href="#[^"]*">(q\d+)</a></li>`).FindAllStringSubmatch(page, -1)
	if len(links) == 0 {
		t.Fatal("no case is linked to")
	}
	for _, link := range links {
		if !slices.Contains(held, link[1]) {
			t.Errorf("%s is linked to, and the page does not hold it", link[1])
		}
	}
}

// TestPageWithRoomForAll: a page with all cases says nothing of a choice.
func TestPageWithRoomForAll(t *testing.T) {
	t.Parallel()
	r := partly("dense", 500, never, never, func(i int) float64 { return float64(i) / 500 })
	page := render(t, lookup(t, "html"), r, report.Options{})
	ids, drawn := rowsOf(page)
	if len(ids) != 500 || drawn != nil {
		t.Errorf("%d cases, %d drawn, want 500 and none", len(ids), len(drawn))
	}
	for _, no := range []string{"This page holds", "on this page", "drawn at random"} {
		if strings.Contains(page, no) {
			t.Errorf("the page says %q", no)
		}
	}
}

// TestPageOfManyCriticalCases: critical cases that failed come before all others, and the
// page says how many of them it has no room for.
func TestPageOfManyCriticalCases(t *testing.T) {
	t.Parallel()
	r := partly("dense", 1000, func(i int) bool { return true }, never, func(i int) float64 { return float64(i) / 1000 })
	for cases, want := range map[int]string{
		80:  "This page holds 80 of 1000 cases: 80 of the 100 critical cases that failed.",
		110: "This page holds 110 of 1000 cases: all 100 critical cases that failed, then 10 drawn at random from the rest (seed 7).",
	} {
		page := render(t, lookup(t, "html"), r, report.Options{Cases: cases})
		if !strings.Contains(page, want) {
			t.Errorf("%d cases: the page lacks %q", cases, want)
		}
		if ids, _ := rowsOf(page); len(ids) != cases {
			t.Errorf("%d cases, want %d", len(ids), cases)
		}
	}
}

// TestComparisonHoldsSome: of a large comparison the page has what a run broke or changed
// most, some that every run misses, and a sample.
func TestComparisonHoldsSome(t *testing.T) {
	t.Parallel()
	const n = 1000
	value := func(i int) float64 {
		if i%4 == 0 {
			return 0
		}
		return 0.5
	}
	before := partly("before", n, never, never, value)
	after := partly("after", n, func(i int) bool { return i == 30 || i == 990 }, never, func(i int) float64 {
		if i >= 100 && i < 110 {
			return 1
		}
		return value(i)
	})
	for k, r := range []**report.Report{&before, &after} {
		for i := range held(*r) {
			if value(i) == 0 && !held(*r)[i].Case.Critical && (k == 0 || i < 100 || i >= 110) {
				held(*r)[i].Answer = assay.AnswerWrong
			}
		}
		*r = report.New((*r).Header, held(*r))
	}
	after.Header.ID = "20261122-133409123-k7q2mz4d"
	page := renderComparison(t, lookup(t, "html"), comparison(t, []*report.Report{before, after}), report.Options{Cases: 100})
	ids, _ := rowsOf(page)
	if len(ids) != 100 {
		t.Fatalf("%d cases, want 100", len(ids))
	}
	for _, i := range []int{30, 990, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109} {
		if id := fmt.Sprintf("q%04d", i); !slices.Contains(ids, id) {
			t.Errorf("the page lacks %s", id)
		}
	}
	want := "This page holds 100 of 1000 cases: all 2 critical cases that failed, then the 10 that changed most, " +
		"then 68 that every run misses, then 20 drawn at random from the rest (seed 7). " +
		"The search, the filters and the order of the table know only these. All cases: " +
		"<code>assay compare 20261121-133409123-k7q2mz4d 20261122-133409123-k7q2mz4d --format json</code>"
	if !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, regexp.MustCompile(`This page holds[^\n]*`).FindString(page))
	}
}
