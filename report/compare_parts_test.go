package report_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/columns"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

// comparisonFile is what these tests read of a comparison as JSON.
type comparisonFile struct {
	Tests   int
	Summary map[string]struct {
		Differences map[string]difference
	}
	ByTag map[string]struct {
		Cases   int
		Tested  bool
		Summary map[string]struct {
			Differences map[string]difference
		}
	} `json:"by_tag"`
	Standings struct {
		Metric string
		Runs   map[string]struct {
			Mean    float64
			N       int
			Cost    float64 `json:"cost_usd"`
			Latency float64 `json:"latency_ms"`
			Front   bool
			By      string `json:"dominated_by"`
			Tied    []string
		}
	}
	Changes map[string][]struct {
		ID, Metric     string
		Old, New, Diff float64
		Better         bool
	}
	BothWrong struct {
		Rule  string
		Of    int
		Cases []string
	} `json:"both_wrong"`
	Settings map[string]map[string]*string
	Cases    []struct {
		ID, Question string
		DrawOf       string `json:"draw_of"`
		Draw         int
		Runs         map[string]struct {
			Status string
			Answer *string
		}
	}
}

type difference struct {
	N, Wins, Ties, Losses, Clusters int
	SD, SignP                       *float64
	MDE, DZ                         *float64
	TCI                             []float64 `json:"t_ci"`
	Shown                           bool
	Sentence                        string
}

func comparisonJSON(t testing.TB, c *report.Comparison) comparisonFile {
	t.Helper()
	var d comparisonFile
	if err := json.Unmarshal([]byte(renderComparison(t, lookup(t, "json"), c, report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// yes makes a run whose only metric is hit@1, one digit a case: the answer is right or wrong.
func yes(name, hits string) *report.Report {
	h := header(name, hit)
	h.ID = name
	h.Dataset.Cases = len(hits)
	var records []assay.Record
	for i, d := range hits {
		records = append(records, assay.Record{
			Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("c%d", i), Question: fmt.Sprintf("What is %d?", i)},
			Response: &assay.Response{Answer: "an answer"}, Scores: map[string]assay.Score{"hit@1": assay.Value(float64(d - '0'))},
			Answer: map[rune]assay.Correctness{'0': assay.AnswerWrong, '1': assay.AnswerRight}[d],
		})
	}
	return report.New(h, records)
}

func TestBothWrong(t *testing.T) {
	t.Parallel()
	// Both miss c1 and c4; c2 and c3 are each solved by one.
	c := comparison(t, []*report.Report{yes("a", "10100"), yes("b", "10010")})
	d := comparisonJSON(t, c).BothWrong
	if !strings.Contains(d.Rule, "a critical case that lacks an expected document") || d.Of != 5 || !slices.Equal(d.Cases, []string{"c1", "c4"}) {
		t.Errorf("got %+v, want c1 and c4 of 5", d)
	}
	if got := renderComparison(t, lookup(t, "terminal"), c, report.Options{}); !strings.Contains(got,
		"both runs get 2 of 5 cases wrong: c1, c4\n") {
		t.Errorf("the terminal does not name them:\n%s", got)
	}

	// A case that the target fails is wrong; one that a run was not asked is not counted.
	x, y := yes("x", "1110"), yes("y", "111")
	for _, r := range []*report.Report{x, y} {
		held(r)[1].Response, held(r)[1].Failure = nil, &assay.Failure{Kind: "timeout"}
		r.Cases = columns.Of(held(r))
	}
	if d := comparisonJSON(t, comparison(t, []*report.Report{x, y})).BothWrong; d.Of != 3 || !slices.Equal(d.Cases, []string{"c1"}) {
		t.Errorf("got %+v, want c1 of 3", d)
	}
}

func TestChangedMost(t *testing.T) {
	t.Parallel()
	// Six gains and three losses, all of one size.
	c := comparison(t, []*report.Report{yes("a", "000000111"), yes("b", "111111000")})
	all := comparisonJSON(t, c).Changes["b"]
	var ids []string
	for _, x := range all {
		ids = append(ids, x.ID)
		if x.Diff != x.New-x.Old || x.Better != (x.Diff > 0) || x.Metric != "hit@1" {
			t.Errorf("got %+v", x)
		}
	}
	// Losses first among equals.
	if want := []string{"c6", "c7", "c8", "c0", "c1", "c2", "c3", "c4", "c5"}; !slices.Equal(ids, want) {
		t.Errorf("changed: %q, want %q", ids, want)
	}
	// The larger change comes first, also where the metric is an error rate; a
	// lower one is better.
	rates := comparisonJSON(t, comparison(t, []*report.Report{errorRates("old", 0.5, 0.1, 0.9, 0.2),
		errorRates("new", 0.4, 0.1, 0.5, 0.5)})).Changes["new"]
	if len(rates) != 3 || rates[0].ID != "c2" || !rates[0].Better || rates[1].ID != "c3" || rates[1].Better || rates[2].ID != "c0" {
		t.Errorf("got %+v, want c2, c3, c0", rates)
	}
	// Of these, each of the five gains is larger than any of the losses, but half
	// of the four shown are losses.
	uneven := comparison(t, []*report.Report{errorRates("old", 0.9, 0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1),
		errorRates("new", 0.1, 0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4)})
	got := renderComparison(t, lookup(t, "terminal"), uneven, report.Options{Cases: 4})
	if order := regexp.MustCompile(`(?m)^ c\d .* [▲▼]`).FindAllString(got, -1); !slices.EqualFunc(order, []string{"c0 ▲",
		"c1 ▲", "c7 ▼", "c6 ▼"}, func(line, want string) bool {
		return line[1:3] == want[:2] && strings.HasSuffix(line, want[3:])
	}) || !strings.Contains(got, "(4 of 8)") {
		t.Errorf("shown: %q, want the two largest gains and the two largest losses:\n%s", order, got)
	}
	if got := renderComparison(t, lookup(t, "terminal"), uneven, report.Options{Cases: -1}); strings.Contains(got, "changed most") {
		t.Error("cases are shown although none were asked for")
	}
}

func TestComparisonHasEveryNumber(t *testing.T) {
	t.Parallel()
	c := strategies(t)
	d := comparisonJSON(t, c)
	if d.Tests != 8 {
		t.Errorf("%d tests, want 4 metrics × 2 runs", d.Tests)
	}
	x := d.Summary["mrr"].Differences["hybrid"]
	if x.N != 60 || x.Clusters != 60 || x.MDE == nil || x.SD == nil || x.DZ == nil || x.TCI == nil || x.Sentence == "" || !x.Shown {
		t.Errorf("got %+v", x)
	}
	if tag := d.ByTag["names"]; tag.Cases != 30 || !tag.Tested || !tag.Summary["mrr"].Differences["hybrid"].Shown ||
		tag.Summary["mrr"].Differences["hybrid"].N != 30 {
		t.Errorf("by tag: %+v", tag)
	}
	if s := d.Standings; s.Metric != "mrr" || s.Runs["dense"].Front || s.Runs["dense"].By != "sparse" ||
		!slices.Equal(s.Runs["dense"].Tied, []string{"sparse"}) || !s.Runs["hybrid"].Front || s.Runs["hybrid"].Cost != 0.00036 ||
		s.Runs["hybrid"].Latency != 50 {
		t.Errorf("standings: %+v", s)
	}
	if len(d.Settings) != 1 || *d.Settings["retriever"]["hybrid"] != "hybrid" {
		t.Errorf("settings: %v, want the retriever alone", d.Settings)
	}
}

// A baseline file remembers scores and nothing else: nothing is made up for it,
// and nothing it lacks looks like a failure.
func TestCompareWithABaseline(t *testing.T) {
	t.Parallel()
	full := strategies(t).Reports
	c := comparison(t, []*report.Report{remembered(full[0]), full[2]})
	d := comparisonJSON(t, c)
	if d.Cases[0].Runs["main"].Status != "" || d.Cases[0].Runs["main"].Answer != nil || d.Cases[0].Runs["hybrid"].Status != "ok" ||
		d.Cases[0].Question == "" {
		t.Errorf("got %+v", d.Cases[0])
	}
	if want := comparisonJSON(t, comparison(t, []*report.Report{full[0], full[2]})); len(d.BothWrong.Cases) > 0 ||
		d.Summary["mrr"].Differences["hybrid"].Wins != want.Summary["mrr"].Differences["hybrid"].Wins {
		t.Errorf("a baseline gives other results than the run that it was taken from, or makes cases wrong: %+v", d.BothWrong)
	}
	if len(d.Settings) != 0 {
		t.Errorf("settings: %v, but the baseline remembers none", d.Settings)
	}
	for _, f := range report.Formats {
		if f.Compare == nil || f.Name == "json" {
			continue
		}
		got := renderComparison(t, f, c, report.Options{})
		for _, bad := range []string{"``", "seed 0", " , ", "| |  |", "assay ,", "corpus ·"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s: a blank: %q", f.Name, bad)
			}
		}
	}
	// Two baselines know no question.
	two := comparison(t, []*report.Report{remembered(full[0]), remembered(full[2])})
	if got := renderComparison(t, lookup(t, "markdown"), two, report.Options{}); !strings.Contains(got, "| Case | Metric |") ||
		strings.Contains(got, "| Question |") {
		t.Errorf("a column of questions that nobody knows:\n%s", got)
	}
	if two.Runs[1] != "run-2" {
		t.Errorf("the second baseline is called %q, want its run's id", two.Runs[1])
	}
}

func TestCompareRepeatedRuns(t *testing.T) {
	t.Parallel()
	full := strategies(t).Reports
	c := comparison(t, []*report.Report{repeated(full[0]), repeated(full[2])})
	d := comparisonJSON(t, c)
	if x := d.Summary["mrr"].Differences["hybrid"]; x.N != 60 {
		t.Errorf("%d pairs, want one a case", x.N)
	}
	if len(d.Cases) != 120 || d.Cases[1].DrawOf != "q01" || d.Cases[1].Draw != 1 || d.Cases[1].Question == "" {
		t.Errorf("%d cases, the second %+v; want every draw with the case that it is of", len(d.Cases), d.Cases[1])
	}
	for _, x := range d.Changes["hybrid"] {
		if strings.Contains(x.ID, "#") {
			t.Errorf("a draw changed: %+v; want cases", x)
		}
	}
	if d.BothWrong.Of != 60 {
		t.Errorf("%d cases could be missed, want 60", d.BothWrong.Of)
	}
}

func TestNamesOfRunsAreUnique(t *testing.T) {
	t.Parallel()
	r := yes("same", "10")
	c := comparison(t, []*report.Report{r, r, r})
	if want := []string{"same", "same (2)", "same (3)"}; !slices.Equal(c.Runs, want) {
		t.Errorf("runs %q, want %q", c.Runs, want)
	}
	if got := renderComparison(t, lookup(t, "terminal"), c, report.Options{}); !strings.Contains(got, "have the same value in both") {
		t.Errorf("a run beside itself:\n%s", got)
	}
}

func TestSettingsThatDiffer(t *testing.T) {
	t.Parallel()
	a, b := yes("a", "10"), yes("b", "01")
	a.Header.Config = map[string]string{"top-k": "10", "retriever": "dense", "name": "a", "output": "x"}
	b.Header.Config = map[string]string{"top-k": "20", "retriever": "dense", "name": "b", "rerank": "cross"}
	a.Header.Target.Settings = map[string]string{"top_k": "10", "depth": "50", "bm25": "x"}
	b.Header.Target.Settings = map[string]string{"top_k": "20", "depth": "80"}
	b.Header.Version = "v2"
	d := comparisonJSON(t, comparison(t, []*report.Report{a, b})).Settings
	want := map[string]string{"top-k": "10 20", "rerank": " cross", "target depth": "50 80", "assay": "devel-1a18b70c0ffe v2"}
	for key, values := range want {
		of := func(run string) string {
			if v := d[key][run]; v != nil {
				return *v
			}
			return ""
		}
		if got := of("a") + " " + of("b"); got != values {
			t.Errorf("%s: %q, want %q", key, got, values)
		}
	}
	if len(d) != len(want) {
		t.Errorf("settings %v, want those of %v", d, want)
	}
}

// hostile is a comparison in which every text of a system is an attack.
func hostile(t testing.TB) *report.Comparison {
	t.Helper()
	var reports []*report.Report
	for k, hits := range []string{strings.Repeat("0", 26) + "1111", strings.Repeat("1", 24) + "000000", strings.Repeat("1", 24) + "000000"} {
		r := yes(fmt.Sprintf("%d %s", k, attack), hits)
		r.Header.ID = fmt.Sprintf("id %d %s", k, attack)
		r.Header.Config = map[string]string{"retriever": attack + fmt.Sprint(k), "key " + attack: fmt.Sprint(k)}
		r.Header.Dataset.Name = attack
		for i := range held(r) {
			rec := &held(r)[i]
			rec.Case.ID += " " + attack
			rec.Case.Question = attack
			rec.Case.Tags = []string{"tag " + attack}
			rec.Response.Answer = attack
			rec.Response.Usage.Cost = int64(100 * (k + 1))
			if i%5 == 0 {
				rec.Case.Tags = nil
			}
		}
		r.Cases = columns.Of(held(r))
		reports = append(reports, r)
	}
	c := comparison(t, reports)
	c.Cautions = append(c.Cautions, words.Caution{Run: attack})
	return c
}

func TestComparisonDefusesText(t *testing.T) {
	t.Parallel()
	c := hostile(t)
	md := renderComparison(t, lookup(t, "markdown"), c, report.Options{})
	for _, part := range []string{"## By tag", "## Quality, cost and latency", "## Cases that changed most", "## Cases that no run solves",
		"## Set otherwise", "## Warnings"} {
		if !strings.Contains(md, part) {
			t.Errorf("nothing hostile is tested in %q", part)
		}
	}
	outside := regexp.MustCompile("`+[^`\n]*`+").ReplaceAllString(md, "code")
	for _, bad := range []string{"<script>", "<img", "](https://", "\x1b", "\u202e", "@someone"} {
		at := strings.Index(outside, bad)
		for at > 0 && outside[at-1] == '\\' {
			next := strings.Index(outside[at+1:], bad)
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at >= 0 {
			t.Errorf("Markdown holds %q: %q", bad, outside[max(at-20, 0):min(at+40, len(outside))])
		}
	}
	// A cell must not end its row: every row of a table has as many bars as its
	// heading.
	bars := regexp.MustCompile(`(?:^|[^\\])\|`)
	want := 0
	for _, l := range strings.Split(md, "\n") {
		if !strings.HasPrefix(l, "|") {
			want = 0
			continue
		}
		n := len(bars.FindAllString(l, -1))
		if want == 0 {
			want = n
		}
		if n != want {
			t.Errorf("a row of %d bars under a heading of %d: %s", n, want, l)
		}
	}
	// On a wide terminal nothing is cut off.
	for _, width := range []int{80, 2000} {
		term := renderComparison(t, lookup(t, "terminal"), c, report.Options{Width: width})
		if regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x{202a}-\x{202e}]`).MatchString(term) {
			t.Errorf("a control character reaches a terminal of %d columns", width)
		}
	}
	page := renderComparison(t, lookup(t, "html"), c, report.Options{})
	if strings.Contains(page, "<img") || strings.Contains(page, "<script>window") {
		t.Error("an attack is part of the page")
	}
}

// The comment of a pull request has room for 65,536 characters.
func TestMarkdownFitsAComment(t *testing.T) {
	t.Parallel()
	c := comparison(t, family(300, 0.05, "a", "b", "c", "d", "e"))
	if n := len(renderComparison(t, lookup(t, "markdown"), c, report.Options{})); n > 30_000 {
		t.Errorf("%d bytes", n)
	}
}

// The table for a quick look is of one family: the plain metrics where they are
// as many as those of another.
func TestTableOfStrategies(t *testing.T) {
	t.Parallel()
	run := func(name string, metrics ...string) *report.Report {
		var infos []assay.MetricInfo
		scores := map[string]assay.Score{}
		for i, m := range metrics {
			infos = append(infos, assay.MetricInfo{Name: m, Title: m, Better: "higher", Range: ratio, Version: 1})
			scores[m] = assay.Value(float64(i+1) / 8)
		}
		return report.New(header(name, infos...), []assay.Record{{Attempts: 1, Case: assay.Case{ID: "q", Question: "?"},
			Response: &assay.Response{}, Scores: scores}})
	}
	for _, test := range []struct {
		metrics []string
		want    string
	}{
		{[]string{"precision@5", "hit@5", "recall@5", "mrr", "mrr@10"},
			"| Strategy | MRR | Recall@5 | Hit@5 | Precision@5 |\n|---|---:|---:|---:|---:|\n| a | 0.50 | 0.38 | 0.25 | 0.12 |\n"},
		{[]string{"src_mrr@10", "src_hit@5", "hit@5"}, "| Strategy | MRR@10 | Hit@5 |\n"},
		{[]string{"passage_hit@5", "hit@5", "src_hit@5"}, "| Strategy | Hit@5 |\n|---|---:|\n| a | 0.25 |\n"},
	} {
		c := comparison(t, []*report.Report{run("a", test.metrics...), run("b", test.metrics...)})
		if got := renderComparison(t, lookup(t, "markdown"), c, report.Options{}); !strings.HasPrefix(got,
			"# Comparison of 2 runs\n\n"+test.want) {
			t.Errorf("%q: got\n%.300s\nwant\n%s", test.metrics, got, test.want)
		}
	}
	if got := renderComparison(t, lookup(t, "markdown"), comparison(t, []*report.Report{run("a", "token_f1"), run("b", "token_f1")}),
		report.Options{}); strings.Contains(got, "| Strategy | \n") || !strings.HasPrefix(got, "# Comparison of 2 runs\n\nhandbook") {
		t.Errorf("a table without columns:\n%.300s", got)
	}
}
