package report_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/stats"
)

// A githubCommand is a workflow command as the runner reads it.
type githubCommand struct {
	name       string
	properties map[string]string
	data       string
}

// githubCommands reads lines as GitHub's runner does: a command begins its line,
// after white space, or is "##[name …]" anywhere.
func githubCommands(t testing.TB, text string) []githubCommand {
	t.Helper()
	var out []githubCommand
	for _, l := range strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		l = strings.TrimSpace(l)
		rest, ok := strings.CutPrefix(l, "::")
		if !ok {
			if legacy := regexp.MustCompile(`##\[.*\]`).FindString(l); legacy != "" {
				out = append(out, githubCommand{name: legacy})
			}
			continue
		}
		head, data, ok := strings.Cut(rest, "::")
		if !ok {
			continue
		}
		name, list, _ := strings.Cut(head, " ")
		c := githubCommand{name: name, properties: map[string]string{},
			data: strings.NewReplacer("%0A", "\n", "%0D", "\r", "%25", "%").Replace(data)}
		for _, p := range strings.Split(list, ",") {
			if k, v, ok := strings.Cut(p, "="); ok {
				c.properties[k] = strings.NewReplacer("%3A", ":", "%2C", ",", "%0A", "\n", "%25", "%").Replace(v)
			}
		}
		out = append(out, c)
	}
	return out
}

func annotate(t testing.TB, r *report.Report, o report.Options, locate func(string) string) []githubCommand {
	t.Helper()
	var b bytes.Buffer
	if err := report.Annotations(&b, r, o, locate); err != nil {
		t.Fatal(err)
	}
	return githubCommands(t, b.String())
}

func TestAnnotations(t *testing.T) {
	t.Parallel()
	r := gated(t)
	held(r)[0].Case.Origin = assay.Origin{File: "data/gold, old: 50%.jsonl", Line: 7}
	got := annotate(t, r, report.Options{}, func(f string) string { return "eval/" + f })
	var all []string
	for _, c := range got {
		all = append(all, c.name+" "+c.properties["title"])
	}
	for _, want := range []string{"error FAIL faithfulness >= 0.85", "error FAIL composite >= 0.8", "error UNSURE hallucination <= 0.25",
		"error FAILED, critical tc_001", "error ERROR, critical tc_008", "warning assay"} {
		if !slices.Contains(all, want) {
			t.Errorf("no %q among %q", want, all)
		}
	}
	if slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, "tc_004") || strings.Contains(s, "answer_relevance") }) {
		t.Errorf("what is right is annotated: %q", all)
	}
	first := got[slices.Index(all, "error FAILED, critical tc_001")]
	if first.properties["file"] != "eval/data/gold, old: 50%.jsonl" || first.properties["line"] != "7" {
		t.Errorf("%+v", first)
	}
	if !strings.Contains(first.data, "\n") || !strings.Contains(first.data, "faithfulness 0.500 misses 0.85") {
		t.Errorf("%q", first.data)
	}
	elsewhere := annotate(t, r, report.Options{}, func(string) string { return "" })
	if _, ok := elsewhere[slices.Index(all, "error FAILED, critical tc_001")].properties["file"]; ok {
		t.Error("a file outside the repository is annotated")
	}
}

// Of many failed cases ten are annotated; critical ones always.
func TestAnnotationsAreFew(t *testing.T) {
	t.Parallel()
	want := 0.5
	m := ndcg
	m.Threshold = &want
	h := header("run", m)
	var records []assay.Record
	for i := range 40 {
		records = append(records, assay.Record{Seq: i, Case: assay.Case{ID: fmt.Sprint("q", i), Question: "?", Critical: i%20 == 19},
			Response: &assay.Response{}, Scores: map[string]assay.Score{m.Name: assay.Value(float64(i) / 1000)}})
	}
	h.Dataset.Cases = len(records)
	count := map[string]int{}
	for _, c := range annotate(t, report.New(h, records), report.Options{}, nil) {
		word, _, _ := strings.Cut(c.properties["title"], " q")
		count[word]++
	}
	if count["FAILED"] != 10 || count["FAILED, critical"] != 2 {
		t.Errorf("%v: want ten cases and both critical ones", count)
	}
}

func TestAnnotationsOfTheWhole(t *testing.T) {
	t.Parallel()
	h := header("run", ndcg)
	h.Dataset.Cases = 2
	down := assay.Record{Case: assay.Case{ID: "a"}, Failure: &assay.Failure{Kind: "refused"},
		Scores: map[string]assay.Score{"ndcg@10": {State: assay.TargetError}}}
	other := down
	other.Case.ID, other.Seq = "b", 1
	all := annotate(t, report.New(h, []assay.Record{down, other}), report.Options{}, nil)
	if all[0].name != "error" || all[0].properties["title"] != "assay: ERROR" || !strings.Contains(all[0].data, "cases of 2") {
		t.Errorf("a run in which all failed: %+v", all[0])
	}
	up := down
	up.Failure, up.Response = nil, &assay.Response{}
	all = annotate(t, report.New(h, []assay.Record{up}), report.Options{}, nil)
	if all[0].properties["title"] != "assay: INCOMPLETE" || !strings.Contains(all[0].data, "1 of 2 cases were evaluated") {
		t.Errorf("half a run: %+v", all[0])
	}
	r := sample(t)
	r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("another dataset")}}
	all = annotate(t, r, report.Options{}, nil)
	if !slices.ContainsFunc(all, func(c githubCommand) bool { return c.name == "error" && c.data == "baseline refused: another dataset" }) {
		t.Errorf("a refused baseline: %+v", all)
	}
}

// FuzzAnnotations: whatever a text holds, the commands are those that a plain
// text gives.
func FuzzAnnotations(f *testing.F) {
	for _, s := range []string{attack, "x\n::set-output name=a::b", "::error::x", "##[add-mask]x", "%0A::error::x", "a\r::stop-commands::x",
		"\u2028::x", "\u0085::warning::x", ",file=/etc/passwd", "::"} {
		f.Add(s)
	}
	write := report.Format{Write: func(w io.Writer, r *report.Report, o report.Options) error { return report.Annotations(w, r, o, nil) }}
	names := func(commands []githubCommand) string {
		var out []string
		for _, c := range commands {
			out = append(out, c.name)
			for k := range c.properties {
				if k != "title" && k != "file" && k != "line" {
					out = append(out, k)
				}
			}
		}
		return strings.Join(out, " ")
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" {
			text += "\u00a0."
		}
		got := oneCase(write, text)
		if n := names(githubCommands(t, got)); n != names(githubCommands(t, oneCase(write, "x"))) {
			t.Fatalf("%q gives %s in\n%s", text, n, got)
		}
	})
}

// Nothing that goes through the writer is a command, in whatever parts it comes,
// and all of it is still there.
func TestHarmless(t *testing.T) {
	t.Parallel()
	bits := []string{":", "::", "#", "##", "##[", "[", "]", "\n", "\r", " ", "\t", "\u00a0", "\u2003", "error", "::error::x",
		"##[add-mask]x", "中", "std::vector", "e"}
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom(bits), 1, 12).Draw(t, "parts")
		var b bytes.Buffer
		w := report.Harmless(&b)
		for _, p := range parts {
			for len(p) > 0 {
				n := rapid.IntRange(1, len(p)).Draw(t, "n")
				if k, err := w.Write([]byte(p[:n])); k != n || err != nil {
					t.Fatal(k, err)
				}
				p = p[n:]
			}
		}
		text := strings.Join(parts, "")
		if got := strings.ReplaceAll(b.String(), "\u200b", ""); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		for _, l := range strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if strings.HasPrefix(strings.TrimSpace(l), "::") || strings.Contains(l, "##[") {
				t.Fatalf("%q leaves a command: %q", text, b.String())
			}
		}
	})
	var b bytes.Buffer
	fmt.Fprint(report.Harmless(&b), "std::vector at http://[::1]:80 # [x]\n")
	if b.String() != "std::vector at http://[::1]:80 # [x]\n" {
		t.Errorf("what is no command is changed: %q", b.String())
	}
}

func TestStepSummary(t *testing.T) {
	t.Parallel()
	r := family(3000, 0, "large")[0]
	for _, limit := range []int{0, 60000, 20000, 3000, 10} {
		var b strings.Builder
		if err := report.StepSummary(&b, r, report.Options{Cases: 3000}, limit); err != nil {
			t.Fatal(err)
		}
		most := limit
		if limit == 0 {
			most = report.SummaryLimit
		}
		got := b.String()
		if len(got) > most {
			t.Errorf("limit %d: %d bytes", limit, len(got))
		}
		if limit == 10 {
			continue
		}
		if !strings.HasPrefix(got, "# Evaluation of large") {
			t.Errorf("limit %d: begins %.40q", limit, got)
		}
		if elements, _ := foreign(t, got); elements != nil {
			t.Errorf("limit %d: %q", limit, elements)
		}
		if limit == 60000 && strings.Contains(got, "*Cut here") {
			t.Errorf("limit %d: cut, where fewer cases would do", limit)
		}
		if strings.Count(got, "<details>") != strings.Count(got, "</details>") {
			t.Errorf("limit %d: details are left open", limit)
		}
		if whole := strings.Contains(got, "## To reproduce") &&
			strings.HasSuffix(got, "</details>\n"); whole == strings.Contains(got, "*Cut here") {
			t.Errorf("limit %d: cut without a word, or a word without a cut", limit)
		}
	}
}

func TestComment(t *testing.T) {
	t.Parallel()
	v := func(f float64) *float64 { return &f }
	r := gated(t)
	r.Gate.Results = append(r.Gate.Results, gate.Result{Rule: "faithfulness vs baseline >= -0.02", Metric: "faithfulness",
		Verdict: gate.Fail, Got: v(0.7), Baseline: v(0.9), Diff: v(-0.2), N: 5, Cases: []string{"tc_001"}, Reason: gate.Text("fell")})
	r.Gate.Tracked = []gate.Result{{Rule: "context_recall vs baseline", Metric: "context_recall", Baseline: v(0.7), Diff: v(0.05), N: 4}}
	f := lookup(t, "comment")
	got := render(t, f, r, report.Options{Page: "https://github.com/o/r/actions/runs/1"})
	if first, _, _ := strings.Cut(got, "\n"); first != "<!-- assay:hybrid -->" || first != report.CommentMark(r) {
		t.Errorf("begins with %q", first)
	}
	for _, part := range []string{"FAIL · evaluation of hybrid",
		"| `faithfulness vs baseline >= -0.02` | 0.900 | 0.700 | −0.200 | **FAIL** fell |", "`tc_008`, **critical**",
		"**Lost most in** `faithfulness vs baseline >= -0.02`",
		"1 metric, tracked without a verdict", "| `context_recall` | 0.700 | 0.750 | +0.050 |", "](https://github.com/o/r/actions/runs/1)"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	h := sample(t)
	h.Gate = nil
	if got := render(t, f, h, report.Options{}); !strings.Contains(got, "This run has no gate") || strings.Contains(got, "PASS") {
		t.Errorf("a run without a gate:\n%s", got)
	}
}

func TestCommentMark(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"hybrid": "<!-- assay:hybrid -->", "-->\n<script>": "<!-- assay:script -->",
		"a b--c/d.json": "<!-- assay:a-b-c-d.json -->", "中": "<!-- assay: -->",
		strings.Repeat("n", 81): "<!-- assay:" + strings.Repeat("n", 80) + " -->"} {
		h := header(name)
		if got := report.CommentMark(report.New(h, nil)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

// Nothing in a comment acts, and none is longer than GitHub takes.
func TestCommentIsHarmlessAndShort(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*report.Report{"name": hostileName(t), "gate": hostileGate(t)} {
		got := render(t, lookup(t, "comment"), r, report.Options{})
		_, body, _ := strings.Cut(got, "\n")
		if elements, _ := foreign(t, body); elements != nil {
			t.Errorf("%s: %q", name, elements)
		}
	}
	r := sample(t)
	r.Gate = &gate.Outcome{Verdict: gate.Fail}
	for i := range 3000 {
		r.Gate.Results = append(r.Gate.Results, gate.Result{Rule: fmt.Sprintf("m%d >= 0.5 🙂", i), Verdict: gate.Fail,
			Reason: gate.Text(strings.Repeat("界", 200))})
	}
	got := render(t, lookup(t, "comment"), r, report.Options{})
	if n := len(utf16.Encode([]rune(got))); n > report.CommentLimit || n < report.CommentLimit/2 || !strings.Contains(got, "*Cut here") {
		t.Errorf("%d characters", n)
	}
}

// An interval of a gate is written as that of a comparison.
func TestGateIntervalExcludesZero(t *testing.T) {
	t.Parallel()
	r, was, diff := sample(t), 0.5, -0.1
	r.Gate = &gate.Outcome{Verdict: gate.Fail, Results: []gate.Result{{Rule: "ndcg@10 >= baseline", Metric: "ndcg@10", Verdict: gate.Fail,
		Baseline: &was, Diff: &diff, CI: &stats.Interval{Lo: -0.225, Hi: -5e-324}, N: 20, Reason: gate.Text("r")}}}
	if got := render(t, lookup(t, "markdown"), r, report.Options{}); !strings.Contains(got, "−0.225…\\<0") && !strings.Contains(got, "−0.225…&lt;0") &&
		!strings.Contains(got, "−0.225…<0") {
		t.Errorf("the interval does not exclude 0:\n%s", got)
	}
}

func TestConclusion(t *testing.T) {
	t.Parallel()
	ok := family(5, 0, "a")[0]
	at := func(change func(*report.Report)) *report.Report {
		r := *ok
		change(&r)
		return &r
	}
	results := func(v gate.Verdict, noise bool) func(*report.Report) {
		return func(r *report.Report) {
			r.Gate = &gate.Outcome{Verdict: v, Results: []gate.Result{{Rule: "x", Verdict: v, Noise: noise}}}
		}
	}
	for _, test := range []struct {
		name   string
		r      *report.Report
		strict bool
		want   string
	}{
		{"no gate", at(func(r *report.Report) { r.Gate = nil }), false, "DONE"},
		{"passed", at(results(gate.Pass, false)), true, "PASS"},
		{"failed", at(results(gate.Fail, false)), false, "FAIL"},
		{"could still decide", at(results(gate.Inconclusive, false)), false, "UNSURE"},
		{"too few cases", at(results(gate.Inconclusive, true)), false, "PASS"},
		{"too few cases, strict", at(results(gate.Inconclusive, true)), true, "UNSURE"},
		{"refused", at(func(r *report.Report) {
			r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("x")}}
		}), false, "FAIL"},
		{"critical", at(func(r *report.Report) {
			results(gate.Pass, false)(r)
			r.Summary.Critical, r.Summary.CriticalFailed = 1, 1
		}), false, "FAIL"},
		{"half", at(func(r *report.Report) { results(gate.Pass, false)(r); r.Header.Dataset.Cases = 6 }), false, "INCOMPLETE"},
		{"all failed", at(func(r *report.Report) { results(gate.Pass, false)(r); r.Summary.Errors = 5 }), false, "ERROR"},
		{"nothing", report.New(header("x"), nil), false, "ERROR"},
	} {
		c := test.r.Conclusion(test.strict)
		if c.Word != test.want || c.OK() != (test.want == "PASS" || test.want == "DONE") {
			t.Errorf("%s: %+v, want %s", test.name, c, test.want)
		}
		if refused := test.name == "refused"; refused != strings.Contains(c.Why, "baseline") {
			t.Errorf("%s: because %q", test.name, c.Why)
		}
	}
}
