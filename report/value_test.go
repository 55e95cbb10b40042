package report_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
)

// scoredRun makes a run whose cases have these values of nDCG, and the tag
// "tagged".
func scoredRun(name string, values ...float64) *report.Report {
	h := header(name, ndcg)
	h.ID, h.Dataset.Cases = name, len(values)
	var records []assay.Record
	for i, v := range values {
		records = append(records, assay.Record{
			Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("c%d", i), Question: "?", Tags: []string{"tagged"}},
			Response: &assay.Response{Answer: "yes", Latency: time.Second}, Scores: map[string]assay.Score{"ndcg@10": assay.Value(v)},
		})
	}
	return report.New(h, records)
}

// TestIntervalsThatAreNotEven: Wilson's interval of ten hits among ten is
// 10/(10+1.96²) = 0.722 to 1. No form of "±" can say that.
func TestIntervalsThatAreNotEven(t *testing.T) {
	t.Parallel()
	hits := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	r := scoredRun("a", hits...)
	c := comparison(t, []*report.Report{r, scoredRun("b", hits...)})
	for name, want := range map[string][2]int{"terminal": {2, 4}, "markdown": {2, 4}, "html": {2, 4}} {
		// Once in the table of metrics and once by tag; for each run once among the
		// means and once beside its latency.
		for i, got := range []string{render(t, lookup(t, name), r, report.Options{Width: 60}),
			renderComparison(t, lookup(t, name), c, report.Options{Width: 60})} {
			if n := strings.Count(got, "0.722…1.000"); n != want[i] {
				t.Errorf("%s: the interval stands there %d times, want %d:\n%s", name, n, want[i], got)
			}
			if !strings.Contains(got, "95 % interval") {
				t.Errorf("%s: no column is named after the interval", name)
			}
			// A difference of nothing is "±0.000".
			if bad := regexp.MustCompile(`±(\?|0\.0*[1-9]|95)`).FindString(got); bad != "" {
				t.Errorf("%s: %q", name, bad)
			}
		}
	}
}

// TestComparisonOn80Columns stands in one table: the interval gives way.
func TestComparisonOn80Columns(t *testing.T) {
	t.Parallel()
	c := comparison(t, family(40, 0.2, "dense", "hybrid"))
	for width, want := range map[int][2]int{100: {1, 0}, 80: {1, 1}} {
		got := renderComparison(t, lookup(t, "terminal"), c, report.Options{Width: width})
		tables, below := strings.Count(got, " metric   │"), strings.Count(got, "│ 95 % interval     │ 95 % interval")
		if tables != want[0] || below != want[1] {
			t.Errorf("width %d: %d tables and %d headings of two lines, want %d and %d:\n%s", width, tables, below, want[0], want[1], got)
		}
	}
}

// TestIntervalThatIsNotKnown: of cases that are all of one group there is none.
func TestIntervalThatIsNotKnown(t *testing.T) {
	t.Parallel()
	r := scoredRun("a", 0.1, 0.2, 0.3, 0.4, 0.5)
	for i := range held(r) {
		held(r)[i].Case.Group = "one"
	}
	r = report.New(r.Header, held(r))
	for name, want := range map[string]string{"terminal": "0.300              ?", "markdown": "0.300 (5) [?]", "html": `>?</td>`} {
		if got := render(t, lookup(t, name), r, report.Options{}); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not there:\n%s", name, want, got)
		}
	}
}

// TestRemarksAreMerged: what differs in numbers only is one remark.
func TestRemarksAreMerged(t *testing.T) {
	t.Parallel()
	// Of twelve cases the target failed two. Hit, recall, nDCG and support have
	// scores of six others, token F1 and chrF of eight: n is 8 and 10.
	for _, name := range []string{"terminal", "markdown"} {
		got := strings.Join(strings.Fields(render(t, lookup(t, name), sample(t), report.Options{})), " ")
		for _, want := range []string{
			"the target failed in 2 cases: counted as 0; over the 6 answered: hit@1 0.833, recall@5 0.917, ndcg@10 0.898, support 0.942",
			"few cases: enough for a smoke test, not for a decision",
			"mean with any score of 3 unscored cases: 0.498…0.801",
		} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%s: %q stands there %d times, want 1:\n%s", name, want, strings.Count(got, want), got)
			}
		}
		if strings.Contains(got, "only 8 cases") || strings.Contains(got, "“answered”") {
			t.Errorf("%s: a remark was not merged:\n%s", name, got)
		}
	}
	// On the page every metric has its own.
	page := render(t, lookup(t, "html"), sample(t), report.Options{})
	for _, want := range []string{"counted as 0; over the 6 answered: 0.833", "only 8 cases: enough", "only 10 cases: enough"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	one := render(t, lookup(t, "terminal"), scoredRun("a", 0.5), report.Options{})
	if !strings.Contains(one, "only 1 case: enough") || !strings.Contains(one, "· 1 case ·") {
		t.Errorf("one case is not 1 case:\n%s", one)
	}
}

// TestColumnsAddUp: every case of a metric is in one of the columns n, not scored and n/a.
func TestColumnsAddUp(t *testing.T) {
	t.Parallel()
	got := render(t, lookup(t, "terminal"), sample(t), report.Options{})
	rows := regexp.MustCompile(`(?m)^ +\S+ +\d.* (\d+) +(\d+) +(\d+)(?:  .*)?$`).FindAllStringSubmatch(got, -1)
	if len(rows) < 3 {
		t.Fatalf("%d rows:\n%s", len(rows), got)
	}
	for _, row := range rows {
		sum := 0
		for _, cell := range row[1:] {
			n, _ := strconv.Atoi(cell)
			sum += n
		}
		if sum != 12 {
			t.Errorf("%q has %d cases, want 12", row[0], sum)
		}
	}
}

// TestTargetThatFailsAlways has no mean over what it answered, and where less
// is better no worst value.
func TestTargetThatFailsAlways(t *testing.T) {
	t.Parallel()
	r := scoredRun("a", 1)
	r.Header.Metrics = []assay.MetricInfo{ndcg, wer}
	held(r)[0].Response, held(r)[0].Failure = nil, &assay.Failure{Kind: "timeout"}
	gone := assay.Score{State: assay.TargetError}
	held(r)[0].Scores = map[string]assay.Score{"ndcg@10": gone, "wer": gone}
	got := render(t, lookup(t, "terminal"), report.New(r.Header, held(r)), report.Options{})
	repeated := report.New(assay.Header{Metrics: r.Header.Metrics, Repeat: 3}, held(r))
	got += render(t, lookup(t, "terminal"), repeated, report.Options{})
	for _, want := range []string{
		"the target failed in 1 case: counted as 0\n", "the target failed in 1 case: left out of the mean\n",
		"the target failed in draws of 1 case: each draw counted as 0\n", "the target failed in draws of 1 case: left out of the mean\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not there:\n%s", want, got)
		}
	}
}

// TestLatencyThatIsNotKnown: a recorded response has none, which is not 0.
func TestLatencyThatIsNotKnown(t *testing.T) {
	t.Parallel()
	r, other := scoredRun("a", 0.5, 0.6), scoredRun("b", 0.5, 0.7)
	for i := range held(r) {
		held(r)[i].Response.Latency = 0
	}
	r = report.New(r.Header, held(r))
	rows, err := csv.NewReader(strings.NewReader(render(t, lookup(t, "csv"), r, report.Options{}))).ReadAll()
	if err != nil || rows[1][7] != "" {
		t.Errorf("csv: %q, %v; want an empty cell", rows[1][7], err)
	}
	var d struct {
		Latency any `json:"latency_ms"`
		Cases   []map[string]any
	}
	if err := json.Unmarshal([]byte(render(t, lookup(t, "json"), r, report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	if v, there := d.Cases[0]["latency_ms"]; !there || v != nil || d.Latency != nil {
		t.Errorf("json: a case has %v, the run %v; want null", v, d.Latency)
	}
	var c struct {
		Cases []struct {
			Runs map[string]struct {
				Latency *float64 `json:"latency_ms"`
			}
		}
	}
	two := comparison(t, []*report.Report{r, other})
	if err := json.Unmarshal([]byte(renderComparison(t, lookup(t, "json"), two, report.Options{})), &c); err != nil {
		t.Fatal(err)
	}
	if a, b := c.Cases[0].Runs["a"].Latency, c.Cases[0].Runs["b"].Latency; a != nil || b == nil || *b != 1000 {
		t.Errorf("comparison: %v and %v, want null and 1000", a, b)
	}
	known := `<p class="note">1.00 s</p>`
	page := render(t, lookup(t, "html"), r, report.Options{})
	if strings.Contains(page, `data-id="time"`) || strings.Contains(page, "0 ms") {
		t.Error("html: the page has a time")
	}
	page = renderComparison(t, lookup(t, "html"), two, report.Options{})
	if strings.Count(page, known) != 2 || strings.Contains(page, "0 ms") {
		t.Error("html: the comparison does not know which times it knows")
	}
	for _, name := range []string{"terminal", "markdown"} {
		if got := render(t, lookup(t, name), r, report.Options{}); strings.Contains(strings.ToLower(got), "latency") {
			t.Errorf("%s: a latency:\n%s", name, got)
		}
	}
	path := filepath.Join(t.TempDir(), "results.jsonl")
	if err := report.AppendHistory(path, r); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); !strings.Contains(got, `"latency_p95_ms":null`) {
		t.Errorf("history: %s", got)
	}
	sameAfterReading(t, r)
}

// TestStatusBelowThreshold: "failed" is left to targets.
func TestStatusBelowThreshold(t *testing.T) {
	t.Parallel()
	r := sample(t)
	r.Summary.OK, r.Summary.Failed = r.Summary.OK-1, 1
	for name, want := range map[string]string{
		"terminal": "1 of 12 cases below threshold",
		"markdown": "6 right, 4 wrong (2 errors), 2 unknown, 1 below threshold",
		"html":     "6 right, 4 wrong (2 errors), 2 unknown, 1 below threshold",
		"json":     `"failed": 1`,
	} {
		if got := render(t, lookup(t, name), r, report.Options{}); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not there:\n%s", name, want, got)
		}
	}
}
