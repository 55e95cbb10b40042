package report_test

import (
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/report"
)

// junitFile has what Jenkins and GitLab read of a file.
type junitFile struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     float64      `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string  `xml:"name,attr"`
	Tests      int     `xml:"tests,attr"`
	Failures   int     `xml:"failures,attr"`
	Errors     int     `xml:"errors,attr"`
	Skipped    int     `xml:"skipped,attr"`
	Time       float64 `xml:"time,attr"`
	Timestamp  string  `xml:"timestamp,attr"`
	Properties []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"properties>property"`
	Cases []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string       `xml:"name,attr"`
	Class   string       `xml:"classname,attr"`
	Time    float64      `xml:"time,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Out     string       `xml:"system-out"`
}

type junitResult struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// word says what became of a test.
func (c junitCase) word() string {
	switch {
	case c.Failure != nil:
		return "failure: " + c.Failure.Type + ": " + c.Failure.Message
	case c.Error != nil:
		return "error: " + c.Error.Type + ": " + c.Error.Message
	case c.Skipped != nil:
		return "skipped: " + c.Skipped.Message
	}
	return "passed"
}

func readJUnit(t testing.TB, r *report.Report, o report.Options) junitFile {
	t.Helper()
	var f junitFile
	if err := xml.Unmarshal([]byte(render(t, lookup(t, "junit"), r, o)), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func (s junitSuite) find(t testing.TB, start string) junitCase {
	t.Helper()
	i := slices.IndexFunc(s.Cases, func(c junitCase) bool { return strings.HasPrefix(c.Name, start) })
	if i < 0 {
		t.Fatalf("no test %q in %+v", start, s.Cases)
	}
	return s.Cases[i]
}

// The run of [gated] has five cases: tc_001 misses faithfulness and composite,
// the target failed tc_008, and of tc_010 context_recall and the composite,
// which have thresholds, could not be scored.
func TestJUnit(t *testing.T) {
	t.Parallel()
	f := readJUnit(t, gated(t), report.Options{})
	if len(f.Suites) != 2 || f.Suites[1].Name != "gate" {
		t.Fatalf("suites %+v, want one of cases and the gate", f.Suites)
	}
	cases := f.Suites[0]
	if cases.Tests != 5 || cases.Failures != 1 || cases.Errors != 2 || cases.Skipped != 0 || len(cases.Cases) != 5 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped of %d; want 5, 1, 2, 0", cases.Tests, cases.Failures, cases.Errors,
			cases.Skipped, len(cases.Cases))
	}
	if cases.Timestamp != "2026-11-21T13:34:09" {
		t.Errorf("timestamp %q", cases.Timestamp)
	}
	if f.Tests != cases.Tests+f.Suites[1].Tests || f.Failures != cases.Failures+f.Suites[1].Failures || f.Errors != 2 {
		t.Errorf("sums %+v", f)
	}
	for start, want := range map[string]string{
		"tc_001": "failure: critical: critical case: the answer is wrong, composite 0.720 misses 0.8, faithfulness 0.500 misses 0.85",
		"tc_004": "passed",
		"tc_008": "error: status: critical case: status: http 500",
		"tc_010": "error: not scored: context_recall could not be scored, wants ≥ 0.5",
		"tc_012": "passed",
	} {
		if got := cases.find(t, start).word(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s\nwant %s", start, got, want)
		}
	}
	failed := cases.find(t, "tc_001")
	for _, part := range []string{"question: ", "answer: ", "faithfulness: 0.500 (≥ 0.85: FAIL)",
		"contradicted: You can get a refund within 14 days."} {
		if !strings.Contains(failed.Failure.Text, part) {
			t.Errorf("the failure does not say %q:\n%s", part, failed.Failure.Text)
		}
	}
	// tc_008 took the 85 + 80 + 91 ms and 30 s of its four attempts.
	if got := cases.find(t, "tc_008").Time; got != 30.256 {
		t.Errorf("tc_008 took %v s, want 30.256", got)
	}
	sum := 0.0
	for _, c := range cases.Cases {
		sum += c.Time
	}
	if cases.Time < sum-1e-9 || cases.Time > sum+1e-9 {
		t.Errorf("the suite took %v s, its tests %v", cases.Time, sum)
	}
	if !strings.Contains(cases.find(t, "tc_004").Out, "faithfulness 1.000 (≥ 0.85: PASS)") {
		t.Errorf("a test that passed does not tell its scores: %q", cases.find(t, "tc_004").Out)
	}
	properties := map[string]string{}
	for _, p := range cases.Properties {
		if properties[p.Name] == "" {
			properties[p.Name] = p.Value
		}
	}
	for name, want := range map[string]string{"run": "20261121-133409123-k7q2mz4d", "dataset_hash": "sha256:9f86",
		"judge_prompts": "a91f03c2d4e5", "faithfulness": "0.700 [", "warning": "context_recall could not be computed"} {
		if !strings.HasPrefix(properties[name], want) {
			t.Errorf("property %s is %q, want %q", name, properties[name], want)
		}
	}
}

// What a rule came to decides its test; too few cases fail it only when strict.
func TestJUnitGate(t *testing.T) {
	t.Parallel()
	v := func(f float64) *float64 { return &f }
	r := sample(t)
	r.Gate = &gate.Outcome{
		Verdict: gate.Fail,
		Results: []gate.Result{
			{Rule: "errors <= 50%", Metric: "errors", Verdict: gate.Pass, Got: v(0.1)},
			{Rule: "recall@5 vs baseline >= -0.02", Metric: "recall@5", Verdict: gate.Fail, Baseline: v(0.9), Diff: v(-0.1), N: 12,
				Cases: []string{held(r)[0].Case.ID}, Reason: gate.Text("fell by 0.1")},
			{Rule: "hit@1 >= 0.5", Metric: "hit@1", Verdict: gate.Inconclusive, Reason: gate.Text("2 cases could not be scored")},
			{Rule: "ndcg@10.lower >= 0.4", Metric: "ndcg@10", Verdict: gate.Inconclusive, Noise: true, Reason: gate.Text("too few cases")},
		},
	}
	for _, strict := range []bool{false, true} {
		g := readJUnit(t, r, report.Options{Strict: strict}).Suites[1]
		failures, skipped := 2, 1
		if strict {
			failures, skipped = 3, 0
		}
		if g.Tests != 4 || g.Failures != failures || g.Skipped != skipped || g.Errors != 0 {
			t.Errorf("strict %v: %+v", strict, g)
		}
		lost := g.find(t, "recall@5 vs baseline")
		if lost.Failure == nil || lost.Failure.Type != "fail" || !strings.Contains(lost.Failure.Text, held(r)[0].Case.ID) ||
			!strings.Contains(lost.Failure.Message, "−0.100") {
			t.Errorf("%+v", lost.Failure)
		}
		if open := g.find(t, "hit@1"); open.Failure == nil || open.Failure.Type != "inconclusive" {
			t.Errorf("what could still decide passes: %s", open.word())
		}
	}
	r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("the baseline was judged by another judge")}}
	g := readJUnit(t, r, report.Options{}).Suites[1]
	if g.Failures != 1 || g.Cases[0].Failure == nil || g.Cases[0].Failure.Type != "refused" ||
		!strings.Contains(g.Cases[0].Failure.Text, "another judge") {
		t.Errorf("a baseline that was refused: %+v", g)
	}
}

func TestJUnitSkipsOnlyWhatCannotBeEvaluated(t *testing.T) {
	t.Parallel()
	h := header("run", ndcg)
	h.State, h.Dataset.Cases = "interrupted", 9
	unread := assay.Score{State: assay.JudgeError, Reason: "unreadable"}
	scores := []assay.Score{assay.Value(0), assay.None("no document is relevant"), unread, {State: assay.TargetError},
		{State: assay.Abstained}}
	var records []assay.Record
	for i, s := range scores {
		rec := assay.Record{Seq: i, Case: assay.Case{ID: string(rune('a' + i)), Question: "?"},
			Response: &assay.Response{Latency: -time.Second}, Scores: map[string]assay.Score{"ndcg@10": s}}
		if s.State == assay.TargetError {
			rec.Response, rec.Failure = nil, &assay.Failure{Kind: "timeout"}
		}
		records = append(records, rec)
	}
	s := readJUnit(t, report.New(h, records), report.Options{}).Suites[0]
	for start, want := range map[string]string{
		"a": "passed", "b": "skipped: no metric applies: no document is relevant",
		"c: ": "skipped: ndcg@10 could not be scored: unreadable",
		"d":   "error: timeout: ", "e": "passed", "cases that": "error: incomplete: 4 cases were not evaluated: the run is interrupted",
	} {
		if got := s.find(t, start).word(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", start, got, want)
		}
	}
	if s.Time != 0 {
		t.Errorf("a latency below 0 gives %v s", s.Time)
	}
}

// A case alone is as in a run with others: a metric with a threshold that its response has no part for is not scored.
func TestJUnitNeedsTheThresholdOfACaseAlone(t *testing.T) {
	t.Parallel()
	limited, limit := ndcg, 0.5
	limited.Threshold = &limit
	for reason, want := range map[string]string{assay.NoPassages: "error: not scored: ndcg@10 could not be scored", "no document is relevant": "passed"} {
		rec := assay.Record{Case: assay.Case{ID: "a", Question: "?"}, Response: &assay.Response{Answer: "x"},
			Scores: map[string]assay.Score{"ndcg@10": assay.None(reason), "exact_match": assay.Value(1)}}
		s := readJUnit(t, report.New(header("run", limited, assay.MetricInfo{Name: "exact_match"}), []assay.Record{rec}), report.Options{}).Suites[0]
		if got := s.find(t, "a").word(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
}

// A test is found again in the next run by its name and its class.
func TestJUnitNamesAreStable(t *testing.T) {
	t.Parallel()
	r := sample(t)
	held(r)[0].Case.Origin = assay.Origin{File: "eval/gold.jsonl", Line: 3}
	r.Header.Dataset.Name = "gold.v2.jsonl"
	again := *r
	again.Header.ID, again.Header.Started = "20270101-000000000-other000", start.AddDate(1, 0, 0)
	a, b := readJUnit(t, r, report.Options{}).Suites[0], readJUnit(t, &again, report.Options{}).Suites[0]
	for i := range a.Cases {
		if a.Cases[i].Name != b.Cases[i].Name || a.Cases[i].Class != b.Cases[i].Class {
			t.Errorf("%+v became %+v", a.Cases[i], b.Cases[i])
		}
	}
	if c := a.Cases[0]; !strings.HasPrefix(c.Class, "gold_v2_jsonl") || strings.Count(c.Class, ".") > 1 {
		t.Errorf("class %q", c.Class)
	}
}

// junit10 is what the schema junit-10 of Jenkins's xUnit plugin, which refuses a
// file for anything else, allows: the attributes of each element, those that it
// requires first, up to the bar.
var junit10 = map[string]string{
	"testsuites": "| name time tests failures errors",
	"testsuite":  "name tests failures errors | group time skipped timestamp hostname id package file log url",
	"properties": "|", "property": "name value |",
	"testcase": "name | time classname group",
	"failure":  "| type message", "error": "| type message", "skipped": "| type message",
	"system-out": "|",
}

// schemaTime is what Surefire's schema, the strictest, takes for a time.
var schemaTime = regexp.MustCompile(`^[0-9]+(\.[0-9]{0,3})?$`)

// inSchema holds a file to the schema.
func inSchema(t testing.TB, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		allowed, ok := junit10[e.Name.Local]
		if !ok {
			t.Fatalf("element %q", e.Name.Local)
		}
		required, _, _ := strings.Cut(allowed, "|")
		has := map[string]bool{}
		for _, a := range e.Attr {
			if !slices.Contains(strings.Fields(allowed), a.Name.Local) {
				t.Errorf("%s: attribute %q", e.Name.Local, a.Name.Local)
			}
			if a.Name.Local == "time" && !schemaTime.MatchString(a.Value) {
				t.Errorf("%s: time %q", e.Name.Local, a.Value)
			}
			has[a.Name.Local] = true
		}
		for _, name := range strings.Fields(required) {
			if !has[name] {
				t.Errorf("%s: no attribute %q", e.Name.Local, name)
			}
		}
	}
}

// What does not end with exit code 0 is not green, and the file holds to the
// schema, whatever came of the run.
func TestJUnitIsNotGreenWhereTheRunIsNot(t *testing.T) {
	t.Parallel()
	ok := func(i int) assay.Record {
		return assay.Record{
			Seq: i, Case: assay.Case{ID: string(rune('a' + i)), Question: "?", Origin: assay.Origin{File: "gold.jsonl", Line: i + 1}},
			// Three times 0.5037 s are no number of three decimals in binary.
			Response: &assay.Response{Latency: 503700 * time.Microsecond}, Scores: map[string]assay.Score{"ndcg@10": assay.Value(1)},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*assay.Header, *report.Report)
		strict bool
		red    int
		// test begins the name of the one that is red.
		test string
	}{
		{"as it should be", func(*assay.Header, *report.Report) {}, false, 0, ""},
		{"interrupted", func(h *assay.Header, _ *report.Report) { h.State, h.Dataset.Cases = "interrupted", 9 }, false, 1, "cases that"},
		{"interrupted after the last case", func(h *assay.Header, _ *report.Report) { h.State = "interrupted" }, false, 1, "run"},
		{"no case", func(h *assay.Header, r *report.Report) { h.Dataset.Cases, r.Source = 0, report.Loaded(nil) }, false, 1, "run"},
		{"a rule that is left open", func(_ *assay.Header, r *report.Report) {
			r.Gate = &gate.Outcome{Verdict: gate.Inconclusive,
				Results: []gate.Result{{Rule: "ndcg@10 >= 1", Verdict: gate.Inconclusive, Noise: true}}}
		}, false, 0, ""},
		{"a rule that is left open, strictly", func(_ *assay.Header, r *report.Report) {
			r.Gate = &gate.Outcome{Verdict: gate.Inconclusive,
				Results: []gate.Result{{Rule: "ndcg@10 >= 1", Verdict: gate.Inconclusive, Noise: true}}}
		}, true, 1, "ndcg@10 >= 1"},
		{"a gate that no rule explains", func(_ *assay.Header, r *report.Report) { r.Gate = &gate.Outcome{Verdict: gate.Fail} }, false, 1, "run"},
		{"a refused baseline", func(_ *assay.Header, r *report.Report) {
			r.Gate = &gate.Outcome{Verdict: gate.Fail, Refused: []gate.Finding{gate.Text("another judge")}}
		}, false, 1, "baseline"},
	} {
		h := header("run", ndcg)
		h.State, h.Dataset.Cases = "finished", 3
		r := report.New(h, []assay.Record{ok(0), ok(1), ok(2)})
		c.change(&h, r)
		outcome := r.Gate
		r = report.New(h, held(r))
		r.Gate = outcome
		o := report.Options{Strict: c.strict}
		inSchema(t, render(t, lookup(t, "junit"), r, o))
		f := readJUnit(t, r, o)
		var red []string
		tests := 0
		for _, s := range f.Suites {
			for _, test := range s.Cases {
				tests++
				if test.Failure != nil || test.Error != nil {
					red = append(red, test.Name)
				}
			}
		}
		if len(red) != c.red || f.Tests != tests || f.Failures+f.Errors != c.red || c.red == 1 && !strings.HasPrefix(red[0], c.test) {
			t.Errorf("%s: red %q of %d, told %+v, want %d (%s)", c.name, red, tests, f, c.red, c.test)
		}
		if green := f.Failures+f.Errors == 0; green != r.Conclusion(c.strict).OK() {
			t.Errorf("%s: green is %v, and the run comes to %+v", c.name, green, r.Conclusion(c.strict))
		}
	}
	inSchema(t, render(t, lookup(t, "junit"), sample(t), report.Options{}))
}

// wellFormed reads XML to its end, as strictly as a parser that refuses what
// XML 1.0 cannot hold.
func wellFormed(t testing.TB, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

func FuzzJUnit(f *testing.F) {
	for _, s := range []string{attack, "]]>", "<![CDATA[", "a\x00b\x08\x0b", "\xff\xfe", "\ufffe\uffff", "\U0010ffff", "&amp;&#0;", "\r\n\t",
		"<?xml?>", "", " ", strings.Repeat("界", 500)} {
		f.Add(s)
	}
	junit, err := report.Lookup("junit")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := oneCase(junit, text)
		wellFormed(t, got)
		var file junitFile
		if err := xml.Unmarshal([]byte(got), &file); err != nil {
			t.Fatal(err)
		}
		if file.Tests != 3 || len(file.Suites) != 2 || len(file.Suites[0].Cases) != 1 || file.Suites[0].Cases[0].Failure == nil {
			t.Fatalf("%q gives %+v", text, file)
		}
	})
}

func TestJUnitKeepsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a ]]> b": "a ]]> b", "<b> & \"c\"": "<b> & \"c\"", "x\x00\x1b[31my": "x[31my",
		"\xff": "\ufffd", "\uffff": "\ufffd"} {
		var file junitFile
		got := oneCase(lookup(t, "junit"), text)
		if err := xml.Unmarshal([]byte(got), &file); err != nil {
			t.Fatal(err)
		}
		if c := file.Suites[0].Cases[0]; !strings.Contains(c.Failure.Text, "answer: "+want) {
			t.Errorf("%q became %q, want %q", text, c.Failure.Text, want)
		}
	}
}
