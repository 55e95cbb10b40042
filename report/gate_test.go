package report_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
	"github.com/assay-eval/assay/summary"
)

// bounded gives a metric a threshold.
func bounded(m assay.MetricInfo, v float64) assay.MetricInfo {
	m.Threshold = &v
	return m
}

// scoredBy makes a run of cases that one metric scored.
func scoredBy(m assay.MetricInfo, scores ...assay.Score) *report.Report {
	var records []assay.Record
	for i, s := range scores {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{ID: fmt.Sprintf("c%02d", i), Question: "?"}, Response: &assay.Response{},
			Scores: map[string]assay.Score{m.Name: s}}
		records = append(records, r)
	}
	return report.New(header("x", m), records)
}

// TestGateLine: what came of a threshold, in every way that it can come.
func TestGateLine(t *testing.T) {
	t.Parallel()
	v := assay.Value
	lost := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	low := assay.Score{State: assay.JudgeError, Reason: "half", Upper: 0.2}
	for name, c := range map[string]struct {
		r    *report.Report
		want string
	}{
		"reached": {scoredBy(bounded(ndcg, 0.5), v(0.5), v(0.5)), "PASS · the threshold is reached"},
		"missed":  {scoredBy(bounded(ndcg, 0.85), v(0.5), v(0.7)), "FAIL · ndcg@10 0.600 (n 2) misses 0.85"},
		// Three decimals would say that 0.850 misses 0.85.
		"just missed": {scoredBy(bounded(ndcg, 0.85), v(0.8496), v(0.8496)), "FAIL · ndcg@10 0.8496 (n 2) misses 0.85"},
		"of nothing":  {scoredBy(bounded(ndcg, 0.85), assay.None("no label")), "FAIL · ndcg@10: measured on no case, wants ≥ 0.85"},
		// One of two is open: (0.9 + 0)/2 to (0.9 + 1)/2.
		"open": {scoredBy(bounded(ndcg, 0.85), v(0.9), lost),
			"UNSURE · ndcg@10 0.900 (n 1) may reach or miss 0.85: it lies in 0.450…0.950"},
		// One of two is 0.2 at most: (0.9 + 0.2)/2 misses, though 0.9 does not.
		"lost": {scoredBy(bounded(ndcg, 0.85), v(0.9), low), "FAIL · ndcg@10 0.900 (n 1): at best 0.55 misses 0.85"},
		"lower misses": {scoredBy(bounded(wer, 0.2), assay.Ratio(3, 10), assay.Ratio(3, 10)),
			"FAIL · wer 0.300 (n 2) misses 0.2"},
		"no bounds": {scoredBy(bounded(wer, 0.4), assay.Ratio(3, 10), lost),
			"UNSURE · wer 0.300 (n 1) is not known to reach 0.4: 1 of 2 cases could not be scored"},
	} {
		got := render(t, lookup(t, "terminal"), c.r, report.Options{Width: 200})
		if !strings.Contains(got, " gate     "+c.want+"\n") {
			t.Errorf("%s: want %q in\n%s", name, c.want, got)
		}
		word, rest, _ := strings.Cut(c.want, " · ")
		if md := render(t, lookup(t, "markdown"), c.r, report.Options{}); !strings.Contains(md, "- **Gate:** **"+word+"** – "+rest+"\n") {
			t.Errorf("%s: the Markdown report lacks it:\n%s", name, md)
		}
	}
}

// TestNoThresholds: without one there is no word of gates, and no empty column.
func TestNoThresholds(t *testing.T) {
	t.Parallel()
	for _, f := range []string{"terminal", "markdown"} {
		got := strings.ToLower(render(t, lookup(t, f), small(t), report.Options{}))
		for _, word := range []string{"gate", "pass ", "unsure", "| threshold", "threshold  status", "weight", "composite", "estimated cost"} {
			if strings.Contains(got, word) {
				t.Errorf("%s: %q in a run without thresholds:\n%s", f, word, got)
			}
		}
	}
	page := render(t, lookup(t, "html"), small(t), report.Options{})
	for _, word := range []string{`id="gate"`, `data-label="threshold">`, `class="threshold"`, `"verdict"`} {
		if strings.Contains(page, word) {
			t.Errorf("html: %s in a run without thresholds", word)
		}
	}
	if !strings.Contains(render(t, lookup(t, "json"), small(t), report.Options{}), `"gate": null`) {
		t.Error("json: the gate is not null")
	}
}

func TestGateInJSON(t *testing.T) {
	t.Parallel()
	type rule struct {
		Rule, Metric, Verdict, Reason string
		Want                          float64
		Got                           *float64
		Bounds                        []float64
	}
	var d struct {
		Gate struct {
			Verdict string
			Rules   []rule
		}
		Summary map[string]struct {
			Weight    float64
			Threshold *float64
			Verdict   string
		}
		ByTag map[string]struct{ Summary map[string]map[string]any } `json:"by_tag"`
		Cost  map[string]*float64
		Cases []struct {
			ID, Status string
			Attempts   int
			Tries      []map[string]any
		}
	}
	if err := json.Unmarshal([]byte(render(t, lookup(t, "json"), gated(t), report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	if d.Gate.Verdict != "fail" || len(d.Gate.Rules) != 6 {
		t.Fatalf("gate %+v, want fail by six rules", d.Gate)
	}
	if r := d.Gate.Rules[0]; r.Rule != "faithfulness >= 0.85" || r.Verdict != "fail" || r.Want != 0.85 || r.Got == nil || *r.Got != 0.7 ||
		r.Bounds != nil || r.Reason != "0.7 misses 0.85" {
		t.Errorf("faithfulness: %+v", r)
	}
	if r := d.Gate.Rules[3]; r.Rule != "hallucination <= 0.25" || r.Verdict != "inconclusive" || len(r.Bounds) != 2 || r.Bounds[0] != 0.1 {
		t.Errorf("hallucination: %+v", r)
	}
	if s := d.Summary["faithfulness"]; s.Weight != 0.4 || s.Threshold == nil || *s.Threshold != 0.85 || s.Verdict != "fail" {
		t.Errorf("summary of faithfulness: %+v", s)
	}
	if s := d.Summary["context_precision"]; s.Weight != 0.2 || s.Threshold != nil || s.Verdict != "" {
		t.Errorf("summary of context_precision: %+v", s)
	}
	if tag := d.ByTag["billing"].Summary["faithfulness"]; tag == nil || tag["verdict"] != nil {
		t.Errorf("a tag has a verdict, which is of the whole: %v", tag)
	}
	// Micro-dollars: the target 310+331+373+387, judging 38,100 of 42,000.
	for name, want := range map[string]float64{"estimated_usd": 0.042, "actual_usd": 0.001401, "judging_usd": 0.0381, "total_usd": 0.039501} {
		if got := d.Cost[name]; got == nil || *got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if c := d.Cases[2]; c.ID != "tc_008" || c.Status != "error" || c.Attempts != 4 || len(c.Tries) != 4 ||
		!cmp.Equal(c.Tries[0], map[string]any{"kind": "timeout", "message": "no response within 30s", "latency_ms": 30000.0,
			"wait_ms": 1100.0}) || c.Tries[3]["wait_ms"] != nil {
		t.Errorf("the attempts of tc_008: %+v", c)
	}
	if d.Cases[0].Tries != nil || d.Cases[0].Status != "failed" {
		t.Errorf("tc_001: %+v, want failed without failed attempts", d.Cases[0])
	}
}

func TestGateInHistory(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	for _, r := range []*report.Report{gated(t), sample(t)} {
		if err := report.AppendHistory(path, r); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(read(t, path), "\n")
	var first, second map[string]any
	if json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &second) != nil {
		t.Fatalf("got %q", lines)
	}
	for name, want := range map[string]any{"composite_score": 0.6725, "verdict": "fail", "test_count": 5.0, "failures": 2.0,
		"critical_failures": 2.0, "judging_usd": 0.0381, "timestamp": "2026-11-21T13:36:43.123Z"} {
		if first[name] != want {
			t.Errorf("%s: %v, want %v", name, first[name], want)
		}
	}
	var third struct {
		Composite *float64 `json:"composite_score"`
	}
	whole := gatedMetrics()[5]
	if err := report.AppendHistory(path, report.New(header("empty", whole), nil)); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(strings.Split(read(t, path), "\n")[2]), &third); err != nil || third.Composite != nil {
		t.Errorf("a composite of no case: %v, %v, want null", third.Composite, err)
	}
	for _, name := range []string{"composite_score", "verdict"} {
		if got, there := second[name]; got != nil || !there {
			t.Errorf("a run without any: %s is %v, want null", name, got)
		}
	}
}

// TestOrderOfLowIsExplained: where less is better, the number before a case is not the mean of its scores.
func TestOrderOfLowIsExplained(t *testing.T) {
	t.Parallel()
	for better, want := range map[string]string{
		"higher": " lowest cases, by the mean of their scores (1 of 1)\n c00  0.20  ?\n",
		"lower":  " lowest cases, by the mean of their scores from worst, 0, to best, 1 (1 of 1)\n c00  0.80  ?\n",
	} {
		m := ndcg
		m.Better = better
		if text := render(t, lookup(t, "terminal"), scoredBy(m, assay.Value(0.2)), report.Options{}); !strings.Contains(text, want) {
			t.Errorf("%s is better: no %q:\n%s", better, want, text)
		}
	}
}

// TestFailedCasesComeFirst: cases that failed have a part of their own before
// those that are merely low, and each is bounded.
func TestFailedCasesComeFirst(t *testing.T) {
	t.Parallel()
	var scores []assay.Score
	for i := range 80 {
		scores = append(scores, assay.Value([]float64{0.9, 0.2, 0.4, 0.8}[i%4]))
	}
	r := scoredBy(bounded(ndcg, 0.5), scores...) // half of them miss it
	for _, c := range []struct {
		format      string
		o           report.Options
		failed, low string
	}{
		{"terminal", report.Options{}, " failed cases (8 of 40)\n c01  ndcg@10 0.200 misses 0.5  ?\n", ""},
		{"terminal", report.Options{Cases: 41}, " failed cases (40)\n", " lowest cases, by the mean of their scores (1 of 40)\n c03  0.80  ?\n"},
		{"markdown", report.Options{}, "## Failed cases (40)\n\n### FAILED: c01 – ?\n", ""},
		{"markdown", report.Options{Cases: 42}, "## Failed cases (40)\n",
			"## Lowest cases, by the mean of their scores (2 of 40)\n\n### 0.80: c03 – ?\n"},
		{"markdown", report.Options{Cases: 3}, "## Failed cases (3 of 40)\n", ""},
		{"markdown", report.Options{Cases: 3}, "… and 37 failed cases more in the other formats.\n", ""},
	} {
		got := render(t, lookup(t, c.format), r, c.o)
		failed, low := strings.Index(got, c.failed), strings.Index(got, c.low)
		if failed < 0 || low < 0 || c.low != "" && low < failed || c.low == "" && strings.Contains(strings.ToLower(got), "lowest cases") {
			t.Errorf("%s, %+v: want %q and then %q in\n%s", c.format, c.o, c.failed, c.low, got)
		}
	}
	if got := render(t, lookup(t, "terminal"), r, report.Options{Cases: -1}); strings.Contains(got, " cases (") {
		t.Errorf("no cases were wanted:\n%s", got)
	}
}

// TestCaseThatCannotReach: a score that is not known fails the case when the
// best that it could be misses.
func TestCaseThatCannotReach(t *testing.T) {
	t.Parallel()
	r := scoredBy(bounded(ndcg, 0.5), assay.Score{State: assay.JudgeError, Reason: "half", Lower: 0.1, Upper: 0.4},
		assay.Score{State: assay.JudgeError, Reason: "half", Lower: 0.1, Upper: 0.8})
	got := render(t, lookup(t, "markdown"), r, report.Options{})
	for _, want := range []string{
		"**Below threshold:** ndcg@10 is 0.400 at best and misses 0.5", "`ndcg@10`: not scored (≥ 0.5: FAIL) – half",
		"`ndcg@10`: not scored (≥ 0.5: UNSURE) – half", "1 ok, 1 below threshold",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}

// TestCompositeOrdersCases: what the user weighs decides which case is lowest.
func TestCompositeOrdersCases(t *testing.T) {
	t.Parallel()
	whole := assay.MetricInfo{Name: "composite", Title: "Composite", Better: "higher", Range: ratio, Version: 1}
	var records []assay.Record
	for i, c := range [][2]float64{{0.1, 0.9}, {0.9, 0.3}, {0.5, 1}, {1, 1}} {
		records = append(records, assay.Record{
			Seq: i, Attempts: 1, Case: assay.Case{ID: string(rune('a' + i)), Question: "?", Tags: []string{"all"}}, Response: &assay.Response{},
			Scores: map[string]assay.Score{"ndcg@10": assay.Value(c[0]), "composite": assay.Value(c[1])},
		})
	}
	r := report.New(header("x", ndcg, whole), records)
	got := render(t, lookup(t, "terminal"), r, report.Options{})
	b, c, a := strings.Index(got, " b  0.30  ?"), strings.Index(got, " c  0.50  ?"), strings.Index(got, " a  0.90  ?")
	if b < 0 || b > c || c > a || strings.Contains(got, "\n d ") {
		t.Errorf("want b by its composite, c by its nDCG, a, and not d:\n%s", got)
	}
	for _, f := range []string{"terminal", "markdown", "html"} {
		if got := render(t, lookup(t, f), r, report.Options{}); strings.Index(strings.ToLower(got),
			"composite") > strings.Index(strings.ToLower(got), "ndcg@10") {
			t.Errorf("%s: the composite is not first", f)
		}
	}
}

// TestCompareLeavesOutOtherWeights: composites of other weights are other
// metrics.
func TestCompareLeavesOutOtherWeights(t *testing.T) {
	t.Parallel()
	run := func(name string, weight float64) *report.Report {
		r := gated(t)
		h := r.Header
		h.Name, h.Metrics = name, slices.Clone(h.Metrics)
		h.Metrics[0].Weight, h.Metrics[1].Weight = weight, 0.6-weight
		return report.New(h, held(r))
	}
	if c := comparison(t, []*report.Report{run("x", 0.4), run("y", 0.4)}); c.Rows[0].Name != "composite" {
		t.Errorf("the first row is %s, want the composite", c.Rows[0].Name)
	}
	c := comparison(t, []*report.Report{run("x", 0.4), run("y", 0.3)})
	left := words.Caution{Kind: words.OtherWeights, Metric: "composite", Run: "y"}
	is := func(r summary.ComparisonRow) bool { return r.Name == "composite" }
	if slices.ContainsFunc(c.Rows, is) || !slices.Contains(c.Cautions, left) {
		t.Errorf("%d rows, cautions %+v: want the composite left out", len(c.Rows), c.Cautions)
	}
}

func TestSlowThreshold(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{
		"5s": "slow (over 5 s): 1", "2.5": "slow (over 2.5 s): 1", "1m30s": "slow (over 1m 30s): 1", "250ms": "slow (over 250 ms): 1",
		"": "slow 1", "x": "slow 1", "-5s": "slow 1", "0": "slow 1", "NaN": "slow 1",
	} {
		r := scoredBy(ndcg, assay.Value(1))
		r.Header.Config["slow-threshold"] = set
		held(r)[0].Response.Latency, held(r)[0].Slow = time.Minute, true
		got := render(t, lookup(t, "terminal"), report.New(r.Header, held(r)), report.Options{})
		if !strings.Contains(got, " · n 1 · "+want+"\n") {
			t.Errorf("%q: want %q in\n%s", set, want, got)
		}
	}
}

// TestCost tells the target's money from that of judging, and what was expected.
func TestCost(t *testing.T) {
	t.Parallel()
	spending := func(calls int, cost int64) *assay.Spending {
		return &assay.Spending{Calls: calls, Usage: assay.Usage{Cost: cost}}
	}
	for name, c := range map[string]struct {
		target              int64
		judged, paid, guess *assay.Spending
		want                string
	}{
		"target alone": {target: 200000, want: "cost     $0.20"},
		"both": {target: 200000, judged: spending(4, 900000), paid: spending(3, 300000), guess: spending(5, 400000),
			want: "cost     estimated $0.40 for judging, 5 calls · actual $0.50 (target $0.20, judging $0.30)"},
		"no ledger": {judged: spending(4, 900000), want: "cost     actual $0.90 (judging $0.90)"},
		"no price": {judged: spending(4, 0), paid: spending(4, 0), guess: spending(5, 0),
			want: "cost     estimated 5 calls for judging, at no known price"},
		"free": {judged: spending(4, 0), paid: spending(4, 0), guess: spending(5, 0),
			want: "cost     estimated $0.00 for judging, 5 calls · actual $0.00 (judging $0.00)"},
		"paid earlier": {judged: spending(4, 900000), paid: spending(0, 0), guess: spending(0, 0), want: ""},
		"paid, guessed": {judged: spending(4, 900000), paid: spending(0, 0), guess: spending(4, 400000),
			want: "cost     estimated $0.40 for judging, 4 calls · actual $0.00 (judging $0.00: every reply was paid for earlier)"},
	} {
		r := scoredBy(ndcg, assay.Value(1))
		held(r)[0].Response.Usage.Cost, held(r)[0].Judging = c.target, c.judged
		r.Header.Spending, r.Header.Estimated = c.paid, c.guess
		if name == "no price" {
			r.Header.Warnings = []string{assay.UnknownPrice + "p m"}
		}
		got := render(t, lookup(t, "terminal"), report.New(r.Header, held(r)), report.Options{Width: 200})
		if c.want == "" && strings.Contains(got, " cost ") || !strings.Contains(got, c.want+"\n") {
			t.Errorf("%s: want %q in\n%s", name, c.want, got)
		}
	}
}

// TestCostWithoutAPrice has a model without a price: its tokens are shown, and a sum is no total.
func TestCostWithoutAPrice(t *testing.T) {
	t.Parallel()
	r := scoredBy(ndcg, assay.Value(1))
	r.Header.Warnings = []string{assay.UnknownPrice + "mine m: its cost is not counted"}
	held(r)[0].Response.Usage = assay.Usage{InputTokens: 400, OutputTokens: 200}
	shown := func(format string) string {
		return render(t, lookup(t, format), report.New(r.Header, held(r)), report.Options{Width: 200})
	}
	if got := shown("html"); strings.Contains(got, "$0") || !strings.Contains(got, "400 tokens in, 200 out") {
		t.Errorf("want the tokens and no dollars in\n%.3000s", got)
	}
	held(r)[0].Response.Usage.Cost = 200000
	more := held(r)[0]
	more.Seq, more.Case.ID, more.Response = 1, "other", &assay.Response{Answer: "x", Usage: assay.Usage{InputTokens: 4}}
	whole := report.New(assay.Header{Metrics: r.Header.Metrics}, append(held(r), more))
	if got := render(t, lookup(t, "terminal"), whole, report.Options{Width: 200}); !strings.Contains(got, "≥ $0.20") {
		t.Errorf("one of two responses has no cost: want a lower bound in\n%s", got)
	}
	for _, format := range []string{"html", "terminal"} {
		if got := shown(format); !strings.Contains(got, "≥ $0.20") {
			t.Errorf("%s: want a lower bound in\n%.3000s", format, got)
		}
	}
}

// TestClaimsAreListedOnce: what several metrics found is one claim, and stands
// only in its own part.
func TestClaimsAreListedOnce(t *testing.T) {
	t.Parallel()
	got := render(t, lookup(t, "markdown"), gated(t), report.Options{})
	if n := strings.Count(got, "Support handles refunds."); n != 1 {
		t.Errorf("a claim is listed %d times, want once", n)
	}
	at := strings.Index(got, "**Unsupported claims:**")
	if at < 0 || strings.Index(got, "contradicted: You can get a refund") < at || strings.Index(got, "**Judge’s reasoning:**") > at {
		t.Errorf("want the judge's reasoning, then the unsupported claims:\n%s", got)
	}
	r := gated(t)
	h := r.Header
	h.Judge = &assay.JudgeInfo{Provider: "offline", Estimate: true}
	if got := render(t, lookup(t, "markdown"), report.New(h, held(r)), report.Options{}); strings.Contains(got, "Judge’s reasoning") ||
		!strings.Contains(got, "**What the estimates rest on:**") {
		t.Errorf("estimates pass for a judge's reasoning:\n%s", got)
	}
}

func TestCSVTellsAttempts(t *testing.T) {
	t.Parallel()
	rows, err := csv.NewReader(strings.NewReader(render(t, lookup(t, "csv"), hostileGate(t), report.Options{}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "tries")
	if at < 0 || rows[0][at-1] != "attempts" {
		t.Fatalf("heading %q: want attempts and tries", rows[0])
	}
	if got := rows[3][at]; !strings.HasPrefix(got, "1. <script>") || !strings.Contains(got, "waited 1.00 s") || rows[3][at-1] != "4" {
		t.Errorf("got %q after %q attempts", got, rows[3][at-1])
	}
	for _, row := range rows {
		for _, c := range row {
			if strings.ContainsAny(c, "\x1b\x07\u202e") || c != "" && strings.ContainsRune("=+-@", rune(c[0])) && !isNumber(c) {
				t.Errorf("a cell that acts: %q", c)
			}
		}
	}
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func TestTryAloneIsNotListed(t *testing.T) {
	t.Parallel()
	failure := assay.Failure{Kind: "refused", Message: "connection refused"}
	r := report.New(header("x", ndcg), []assay.Record{{
		Case: assay.Case{ID: "a", Question: "?"}, Attempts: 1, Failure: &failure,
		Tries:  []assay.Try{{Failure: failure, Latency: 2 * time.Millisecond}},
		Scores: map[string]assay.Score{"ndcg@10": {State: assay.TargetError}},
	}})
	got := render(t, lookup(t, "markdown"), r, report.Options{})
	if !strings.Contains(got, "**Failure:** refused after 1 attempt, 2.0 ms\n") || strings.Contains(got, "Failed attempts") {
		t.Errorf("want the failure with its time, and no list of one:\n%s", got)
	}
}

// TestComparedStatusIsTheRunsOwn: each run is held to its own thresholds.
func TestComparedStatusIsTheRunsOwn(t *testing.T) {
	t.Parallel()
	loose, strict := scoredBy(ndcg, assay.Value(0.4), assay.Value(0.9)), scoredBy(bounded(ndcg, 0.5), assay.Value(0.4), assay.Value(0.9))
	strict.Header.Name = "strict"
	c := comparison(t, []*report.Report{loose, strict})
	if page := renderComparison(t, lookup(t, "html"), c, report.Options{}); strings.Count(page, "below threshold") != 1 {
		t.Errorf("%d cases failed, want that of the strict run", strings.Count(page, "below threshold"))
	}
}
