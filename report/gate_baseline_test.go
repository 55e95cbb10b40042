package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/stats"
)

func at(v float64) *float64 { return &v }

// heldTo is the run of [gated] held to rules and a baseline too: one rule of
// each kind that can be shown.
func heldTo(t testing.TB) *report.Report {
	t.Helper()
	r := gated(t)
	r.Gate.Results = append(slices.Clone(r.Gate.Results),
		gate.Result{Rule: "errors <= 1%", Metric: "errors", Want: 0.01, Verdict: gate.Fail, Got: at(0.2), N: 5, Cases: []string{"tc_008"},
			Reason: gate.Text("20 % exceeds 1 %")},
		gate.Result{Rule: "p95_latency <= 8s", Metric: "p95_latency", Want: 8, Verdict: gate.Pass, Got: at(5.27)},
		gate.Result{Rule: "cost <= $1.5", Metric: "cost", Want: 1.5, Verdict: gate.Pass, Got: at(0.0395)},
		gate.Result{
			Rule: "context_precision vs baseline >= -0.02", Metric: "context_precision", Want: -0.02, Verdict: gate.Fail, Got: at(0.76),
			Baseline: at(0.96), Diff: at(-0.2), CI: &stats.Interval{Lo: -0.56, Hi: 0.001}, Level: 0.95, N: 5, Cases: []string{"tc_008", "tc_001"},
			Reason: gate.Text("−0.2 is below −0.02"),
		},
		gate.Result{
			Rule: "answer_relevance.lower vs baseline >= -0.03", Metric: "answer_relevance", Want: -0.03, Verdict: gate.Inconclusive, Noise: true,
			Got:      at(0.71),
			Baseline: at(0.7), Diff: at(0.01), CI: &stats.Interval{Lo: -0.05,
				Hi: 0.07}, Level: 0.95, N: 5, Reason: gate.Text("5 cases are too few to tell"),
		},
	)
	r.Gate.Verdict = gate.Fail
	r.Gate.Tracked = []gate.Result{{Rule: "context_recall", Metric: "context_recall", Got: at(0.75), Baseline: at(0.75), Diff: at(0),
		CI: &stats.Interval{Lo: -0.1, Hi: 0.1}, Level: 0.95, N: 4}}
	r.Gate.Warnings = []gate.Finding{gate.Text("the corpus differs from the baseline's: sha256:aa → sha256:bb")}
	return r
}

// TestGateGolden pins how rules and a baseline are shown.
func TestGateGolden(t *testing.T) {
	t.Parallel()
	r := heldTo(t)
	var terminal, markdown, object bytes.Buffer
	for _, err := range []error{
		report.Terminal.Gate(&terminal, r, report.Options{Width: 100}), report.Markdown.Gate(&markdown, r, report.Options{}),
		report.GateJSON(&object, r, report.Options{}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "gate.txt", terminal.String())
	golden(t, "gate.md", markdown.String())
	golden(t, "gate.json", object.String())
}

// TestGateIsInEveryReport: the sentence of a rule that did not pass, and the
// table with those that did.
func TestGateIsInEveryReport(t *testing.T) {
	t.Parallel()
	r := heldTo(t)
	sentence := "context_precision vs baseline >= -0.02: 0.960 → 0.760 (−0.200, −0.560…+0.001, n 5); lost most: tc_008, tc_001"
	for format, want := range map[string][]string{
		"terminal": {"FAIL · " + sentence, " p95_latency <= 8s ", " 5.27 s ", "FAIL · errors <= 1%: 20 % exceeds 1 %; cases: tc_008",
			" context_recall ", " tracked ", "corpus differs"},
		"markdown": {
			"**FAIL** · context\\_precision vs baseline", "| `context_precision vs baseline >= -0.02` | **FAIL** | 0.960 | 0.760 | −0.200 " +
				"| −0.560…+0.001 | 5 | tc\\_008, tc\\_001 |",
			"| `context_recall` | tracked | 0.750 | 0.750 | ±0.000 |  | 4 |", "| `cost <= $1.5` | PASS |  | \\$0.0395 |",
		},
		"html": {"context_precision vs baseline &gt;= -0.02: 0.960 → 0.760", "<code>cost &lt;= $1.5</code>",
			`<b class="verdict">tracked</b>`, "the corpus differs from the baseline"},
	} {
		got := render(t, lookup(t, format), r, report.Options{Width: 250})
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: want %q in\n%.6000s", format, w, got)
			}
		}
	}
}

// TestGateOnNarrowTerminals: columns are left out before words are cut, and
// nothing is wider than the terminal.
func TestGateOnNarrowTerminals(t *testing.T) {
	t.Parallel()
	r := heldTo(t)
	for _, width := range []int{40, 60, 80, 120} {
		var b bytes.Buffer
		if err := report.Terminal.Gate(&b, r, report.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(b.String(), "\n") {
			if n := len([]rune(l)); n > width {
				t.Errorf("width %d: %d columns: %q", width, n, l)
			}
		}
		if !strings.Contains(b.String(), "Δ") || !strings.Contains(b.String(), "UNSURE") {
			t.Errorf("width %d: the difference or the verdict is gone:\n%s", width, b.String())
		}
	}
}

// TestRefusedBaseline: the reason is the first thing said, and a gate of which
// it is all fails.
func TestRefusedBaseline(t *testing.T) {
	t.Parallel()
	r := small(t)
	r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("the gold set has 20 cases, the baseline was saved on 21"),
		gate.Text("<b>judge</b>\x1b[2J")}}
	for format, want := range map[string]string{
		"terminal": " gate     FAIL · baseline refused: the gold set has 20 cases, the baseline was saved on 21\n",
		"markdown": "- **Gate:** **FAIL**\n  - **FAIL** · baseline refused: the gold set has 20 cases, the baseline was saved on 21\n",
		"html":     `<b class="verdict fail">FAIL</b> baseline refused: the gold set has 20 cases, the baseline was saved on 21`,
	} {
		got := render(t, lookup(t, format), r, report.Options{Width: 120})
		if !strings.Contains(got, want) {
			t.Errorf("%s: want %q in\n%.4000s", format, want, got)
		}
		if strings.Contains(got, "\x1b[2J") || format != "terminal" && strings.Contains(got, "<b>judge") {
			t.Errorf("%s: a reason acts", format)
		}
	}
	if got := render(t, lookup(t, "json"), r, report.Options{}); !strings.Contains(got, `"rules": []`) {
		t.Error("json: the rules are no list")
	}
}

// TestGateRoundTrip: what is read is judged as it was when it was written.
func TestGateRoundTrip(t *testing.T) {
	t.Parallel()
	r := heldTo(t)
	again, err := report.Read(strings.NewReader(render(t, lookup(t, "json"), r, report.Options{})))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Gate, again.Gate, cmp.Comparer(sameFinding)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	path := t.TempDir() + "/results.jsonl"
	if err := report.AppendHistory(path, r); err != nil {
		t.Fatal(err)
	}
	var line struct{ Verdict string }
	if err := json.Unmarshal([]byte(read(t, path)), &line); err != nil || line.Verdict != "fail" {
		t.Errorf("history: %v, %v", line, err)
	}
}

// TestRuleIsNoThreshold: a rule about a metric is not shown as its threshold.
func TestRuleIsNoThreshold(t *testing.T) {
	t.Parallel()
	r := small(t)
	name := r.Header.Metrics[0].Name
	r.Gate = &gate.Outcome{Verdict: gate.Pass, Results: []gate.Result{{Rule: name + " >= 0.1", Metric: name, Want: 0.1, Verdict: gate.Pass,
		Got: at(0.5)}}}
	got := render(t, lookup(t, "terminal"), r, report.Options{})
	if strings.Contains(got, "threshold") || !strings.Contains(got, " gate     PASS · the rule is met\n") {
		t.Errorf("want a rule that is met, and no threshold:\n%s", got)
	}
	if page := render(t, lookup(t, "html"), r, report.Options{}); strings.Contains(page, `data-label="threshold">`) ||
		!strings.Contains(page, `id="gate"`) {
		t.Error("html: want the panel of the gate, and no column of thresholds")
	}
}

// TestReasonIsNotSaidTwice: a difference that misses its limit says so itself,
// unless it is rounded to it, or is not what the rule is about.
func TestReasonIsNotSaidTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule string
		diff float64
		told bool
	}{
		{"ndcg@10 vs baseline >= -0.03", -0.0304, true},
		{"ndcg@10 vs baseline >= -0.03", -0.04, false},
		{"ndcg@10.lower vs baseline >= -0.03", -0.04, true},
	} {
		r := small(t)
		r.Gate = &gate.Outcome{Verdict: gate.Fail, Results: []gate.Result{{
			Rule: c.rule, Metric: "ndcg@10", Want: -0.03, Verdict: gate.Fail, Baseline: at(0.9), Diff: &c.diff, N: 3,
			Reason: gate.Text("it misses it"),
		}}}
		if got := render(t, lookup(t, "terminal"), r, report.Options{Width: 200}); strings.Contains(got, "n 3): it misses it\n") != c.told {
			t.Errorf("%s, %g: reason told %v, want %v in\n%s", c.rule, c.diff, !c.told, c.told, got)
		}
	}
}

// TestGateOfReasonsAlone: where a refused baseline is all that there is, there is
// no table, and no heading or empty line for one.
func TestGateOfReasonsAlone(t *testing.T) {
	t.Parallel()
	r := scoredBy(ndcg, assay.Value(1))
	r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("the gold set has 1 case, the baseline was saved on 2")}}
	for _, format := range []string{"terminal", "markdown"} {
		got := render(t, lookup(t, format), r, report.Options{})
		if strings.Contains(got, "## Gate") || strings.Contains(got, "gate  status") || strings.Contains(got, "\n\n\n") ||
			!strings.Contains(got, "baseline refused: the gold set has 1 case") {
			t.Errorf("%s: want the reason, and no table\n%s", format, got)
		}
	}
	for name, write := range map[string]func(io.Writer, *report.Report, report.Options) error{"terminal": report.Terminal.Gate,
		"markdown": report.Markdown.Gate} {
		var out bytes.Buffer
		if err := write(&out, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Contains(got, "status") || strings.HasSuffix(got, "\n\n") || !strings.Contains(got, "FAIL") {
			t.Errorf("%s: want the reason, and no table\n%q", name, got)
		}
	}
}

// TestGateNamesItsLevel: the heading of the intervals says how sure they are; a
// run of an earlier version does not tell.
func TestGateNamesItsLevel(t *testing.T) {
	t.Parallel()
	for level, want := range map[float64]string{0.9: "90 % interval", 0: "interval"} {
		r := scoredBy(ndcg, assay.Value(1))
		r.Gate = &gate.Outcome{Verdict: gate.Pass, Results: []gate.Result{{
			Rule: "ndcg@10 vs baseline >= 0", Metric: "ndcg@10", Verdict: gate.Pass, Got: at(1), Baseline: at(1), Diff: at(0),
			CI: &stats.Interval{}, N: 5, Level: level,
		}}}
		for format, line := range map[string]string{"terminal": "Δ  " + want,
			"markdown": "| Δ | " + strings.ToUpper(want[:1]) + want[1:] + " |",
			"html":     `<th scope="col" class="num">` + strings.ToUpper(want[:1]) + want[1:] + "</th>"} {
			if got := render(t, lookup(t, format), r, report.Options{Width: 120}); !strings.Contains(squeezed(got), line) {
				t.Errorf("level %g, %s: want %q in\n%.3000s", level, format, line, got)
			}
		}
	}
}

var blanks = regexp.MustCompile(`Δ {2,}`)

func squeezed(s string) string { return blanks.ReplaceAllString(s, "Δ  ") }
