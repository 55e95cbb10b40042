package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/summary"
)

// drawn is a run that asked three cases three times: one passes always, one
// never, one in two draws of three.
func drawn(t testing.TB, threshold bool) *report.Report {
	t.Helper()
	h := header("dense", ndcg, hit)
	h.Repeat, h.Dataset.Cases, h.Dataset.Total = 3, 3, 3
	if threshold {
		bar := 0.5
		h.Metrics[0].Threshold = &bar
	}
	var recs []assay.Record
	for draw := range 3 {
		for i, v := range [][]float64{{1, 1, 1}, {0, 0.1, 0.2}, {0.9, 0.1, 0.6}} {
			c := assay.Case{ID: string(rune('a' + i)), Question: "What is it?", Tags: []string{"<b>x"}}.Repeated(draw)
			recs = append(recs, assay.Record{
				Seq: 3*draw + i, Case: c, Attempts: 1, Started: start, Response: answered("so", 1e6, nil),
				Scores: map[string]assay.Score{"ndcg@10": assay.Value(v[draw]), "hit@1": assay.Value(float64(i / 2 * (draw % 2)))},
			})
		}
	}
	return report.New(h, recs)
}

// pass^k rests on the cases that are scored in every draw, and says how many these are.
func TestPassesCountTheirCases(t *testing.T) {
	t.Parallel()
	r := drawn(t, false)
	held(r)[1].Scores["hit@1"] = assay.Score{State: assay.JudgeError, Reason: "no ruling"}
	r = report.New(r.Header, held(r))
	for _, format := range []string{"markdown", "html"} {
		if text := render(t, lookup(t, format), r, report.Options{}); !strings.Contains(text, "0.500 (n 2)") {
			t.Errorf("%s: pass@3 of hit@1 is over two cases of three:\n%s", format, text[strings.Index(text, "Draws"):])
		}
	}
}

func TestRepeatsAreShown(t *testing.T) {
	t.Parallel()
	r := drawn(t, true)
	for format, want := range map[string][]string{
		"terminal": {"3 cases × 3 draws", "draws    3 of each case · pass@1 0.556", "pass@3 0.667", "pass^3 0.333", "2 of 3 cases differ",
			"c (2 of 3 pass, hit@1 by 1)", "ndcg@10 ±0.385 (2)"},
		"markdown": {"3 cases × 3 draws", "## Draws", "| 3 | 0.667 |", "| `ndcg@10` | 2 | 0.240 | ±0.385 | `c` by 0.800 |", "differ by less in 95 % of pairs"},
		"html":     {`<h2>Draws</h2>`, `>0.667</td>`, `<code>c</code> by 0.800`},
		"json":     {`"repeats"`, `"pass_hat_k"`, `"repeat": 3`, `"draw": 2`},
	} {
		text := render(t, lookup(t, format), r, report.Options{Width: 120})
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%s", format, w, text[:min(len(text), 4000)])
			}
		}
	}
	for i := range held(r) {
		held(r)[i].Case.Critical = i%3 == 0
	}
	if text := render(t, lookup(t, "terminal"), report.New(r.Header, held(r)), report.Options{}); !strings.Contains(text,
		"3 cases × 3 draws (1 critical)") {
		t.Errorf("one case in three is critical, not so many draws:\n%s", text)
	}
	// n counts cases: three, whatever the number of draws.
	if m := r.Summary.Metrics[0]; m.N != 3 || r.Summary.Tags[0].Cases != 3 || r.Summary.Cases != 9 {
		t.Errorf("n %d, %d with the tag, %d records; want 3, 3, 9", m.N, r.Summary.Tags[0].Cases, r.Summary.Cases)
	}
	// Without a threshold nothing can fail, and no rate of passing is shown.
	if text := render(t, lookup(t, "terminal"), drawn(t, false), report.Options{}); strings.Contains(text, "pass@") {
		t.Errorf("nothing could fail:\n%s", text)
	}
	if text := render(t, lookup(t, "markdown"), drawn(t, false), report.Options{}); !strings.Contains(text,
		"| `hit@1` | 1 | 0.333 | ±0.533 | `c` by 1.000 | 0.333 | 0.000 | 3 |") {
		t.Errorf("the binary metric has no rates:\n%s", text)
	}
}

// Draws that do not differ say so, and nothing of rates and spreads.
func TestSameDrawsAreSaid(t *testing.T) {
	t.Parallel()
	r := drawn(t, true)
	for i := range held(r) {
		held(r)[i].Scores = held(r)[i%3].Scores
	}
	r = report.New(r.Header, held(r))
	for format, want := range map[string]string{"terminal": "3 of each case · all the same",
		"markdown": "All draws of every case gave the same scores."} {
		if text := render(t, lookup(t, format), r, report.Options{Width: 120}); !strings.Contains(text, want) || strings.Contains(text, "pass@") {
			t.Errorf("%s: no %q, or rates beside it:\n%s", format, want, text)
		}
	}
}

func TestRepeatsAreRead(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(filepath.Join(requiretest.Root(), "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, threshold := range []bool{true, false} {
		r := drawn(t, threshold)
		// A draw that nobody could judge makes a case count twice.
		held(r)[4].Scores["ndcg@10"] = assay.Score{State: assay.JudgeError, Reason: "unreadable"}
		r = report.New(r.Header, held(r))
		if r.Summary.Metrics[0].Partial != 1 {
			t.Fatalf("got %+v", r.Summary.Metrics[0])
		}
		text := render(t, lookup(t, "json"), r, report.Options{})
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Error(err)
		}
		again, err := report.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Formats {
			if render(t, f, again, report.Options{}) != render(t, f, r, report.Options{}) {
				t.Errorf("%s of the report that was read is another", f.Name)
			}
		}
		// What was read pairs draws by their case.
		if got := summary.Values(again.Header.Metrics[0], again.Cases); len(got) != 3 || got[1].Case != "b" || got[0].Draws != 3 {
			t.Errorf("values %+v", got)
		}
		for what, spoilt := range map[string]string{
			`lacks the metric "hit@1"`: strings.Replace(text, `"hit@1": {
    "n": 3`, `"hit@2": {
    "n": 3`, 1),
			"has no status": strings.Replace(text, `"case": "c",
    "status"`, `"case": "c",
    "statuses"`, 1),
		} {
			if _, err := report.Read(strings.NewReader(spoilt)); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("error %v, want %q", err, what)
			}
		}
	}
}
