package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/gate"
	"github.com/assay-eval/assay/internal/requiretest"
	"github.com/assay-eval/assay/report"
	"github.com/assay-eval/assay/report/words"
)

func lookup(t testing.TB, name string) report.Format {
	t.Helper()
	f, err := report.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sameAfterReading checks that every format of a report that was written and
// read has the same bytes.
func sameAfterReading(t rapidOrTest, r *report.Report) {
	var b bytes.Buffer
	if err := report.JSON(&b, r, report.Options{}); err != nil {
		t.Fatalf("%v", err)
	}
	again, err := report.Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	for _, f := range report.Formats {
		var before, after bytes.Buffer
		if err := f.Write(&before, r, report.Options{}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if err := f.Write(&after, again, report.Options{}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if !bytes.Equal(before.Bytes(), after.Bytes()) {
			t.Fatalf("%s differs after reading:\n%s", f.Name, cmp.Diff(before.String(), after.String()))
		}
	}
}

type rapidOrTest interface{ Fatalf(string, ...any) }

func TestReadGivesTheSameReport(t *testing.T) {
	t.Parallel()
	r := sample(t)
	sameAfterReading(t, r)
	sameAfterReading(t, gated(t))
	sameAfterReading(t, report.New(header("empty", ndcg), nil))
	sameAfterReading(t, family(30, 0.1, "run")[0])

	for _, r := range []*report.Report{r, gated(t)} {
		var b bytes.Buffer
		if err := report.JSON(&b, r, report.Options{}); err != nil {
			t.Fatal(err)
		}
		again, err := report.Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(shown(t, r), again, sameReport); d != "" {
			t.Errorf("the report that was read differs (-written +read):\n%s", d)
		}
	}
}

func sameFinding(a, b gate.Finding) bool { return a.In(words.English) == b.In(words.English) }

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return len(a) == len(b) && len(a) == 0 || json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

func TestReadProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { sameAfterReading(t, randomReport(t)) })
}

// randomReport draws a report. Its latencies are of at most a day: of weeks, a number of
// milliseconds in JSON has no digit left for a nanosecond.
func randomReport(t *rapid.T) *report.Report {
	bound, share := ndcg, wer
	if rapid.Bool().Draw(t, "gated") {
		at, most := rapid.Float64Range(0, 1).Draw(t, "threshold"), rapid.Float64Range(0, 5).Draw(t, "most")
		bound.Threshold, share.Threshold, bound.Weight = &at, &most, 1
	}
	h := header(rapid.String().Draw(t, "name"), bound, share, support)
	h.Config["slow-threshold"] = rapid.SampledFrom([]string{"", "5s", "2.5", "-1s", "x"}).Draw(t, "slow")
	h.Started = time.Unix(0, rapid.Int64Range(0, 1<<60).Draw(t, "started"))
	h.Warnings = rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "warnings")
	var records []assay.Record
	for i := range rapid.IntRange(0, 6).Draw(t, "cases") {
		r := assay.Record{Seq: i, Attempts: 1, Case: assay.Case{
			ID: "c" + rapid.String().Draw(t, "id"), Question: rapid.String().Draw(t, "question"), Critical: rapid.Bool().Draw(t, "critical"),
			Tags: rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "=c", "中"}), 0, 2).Draw(t, "tags"),
			Want: assay.Want{
				Answers: rapid.OneOf(rapid.Just[[]string](nil), rapid.SliceOfN(rapid.String(), 0, 2)).Draw(t, "answers"),
				Documents: rapid.OneOf(rapid.Just[map[string]int](nil),
					rapid.MapOfN(rapid.SampledFrom([]string{"a.md", "b.md", "中.md"}), rapid.IntRange(-1, 3), 0, 3)).Draw(t, "documents"),
			},
			Metadata: map[string]any{"n": rapid.Float64Range(-1e9, 1e9).Draw(t, "metadata"), "i": rapid.IntRange(0, 1<<52).Draw(t, "whole")},
		}, Scores: map[string]assay.Score{"ndcg@10": randomScore(t, 1), "wer": randomScore(t, 5), "support": randomScore(t, 1)}}
		r.Tries = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) assay.Try {
			wait := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "wait"))
			return assay.Try{Failure: assay.Failure{Kind: rapid.String().Draw(t, "kind"), Message: rapid.String().Draw(t, "message")},
				Latency: wait / 2, Wait: wait}
		}), 0, 3).Draw(t, "tries")
		r.Slow = rapid.Bool().Draw(t, "slow")
		if rapid.Bool().Draw(t, "answered") {
			r.Response = &assay.Response{
				Answer: rapid.String().Draw(t, "answer"), Latency: time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "latency")),
				Usage: assay.Usage{InputTokens: rapid.IntRange(0, 9999).Draw(t, "tokens"), Cost: rapid.Int64Range(0, 1e12).Draw(t, "cost")},
				Passages: rapid.OneOf(rapid.Just[[]assay.Passage](nil), rapid.SliceOfN(rapid.Custom(func(t *rapid.T) assay.Passage {
					return assay.Passage{Document: rapid.SampledFrom([]string{"", "a.md", "x/b.md"}).Draw(t, "document"),
						Text: rapid.String().Draw(t, "text"), Score: rapid.Float64().Draw(t, "score")}
				}), 0, 3)).Draw(t, "passages"),
				Trace: &assay.Trace{Stages: []assay.Stage{{Name: rapid.String().Draw(t, "stage"),
					Latency: time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "time")),
					Output: json.RawMessage(rapid.SampledFrom([]string{``, `"x"`, `[1, 2]`, `{"a" : "b"}`, `not json`, `[{"text":"t"}]`, `null`}).Draw(t,
						"output"))}}},
				Warnings: rapid.SliceOfN(rapid.String(), 0, 2).Draw(t, "warnings"),
			}
		} else {
			r.Failure = &assay.Failure{Kind: rapid.String().Draw(t, "kind"), Message: rapid.String().Draw(t, "message")}
		}
		records = append(records, r)
	}
	return report.New(h, records)
}

func randomScore(t *rapid.T, top float64) assay.Score {
	state := assay.State(rapid.IntRange(1, 5).Draw(t, "state"))
	s := assay.Score{State: state, Reason: rapid.String().Draw(t, "reason")}
	if state == assay.Scored {
		s.Value = rapid.Float64Range(0, top).Draw(t, "value")
		s.Lower, s.Upper = s.Value/2, min(top, s.Value*1.5)
		s.Num, s.Den = rapid.Float64Range(0, 9).Draw(t, "num"), 9
		s.Evidence = []assay.Evidence{{Kind: "missing", Text: rapid.String().Draw(t, "evidence"),
			Spans: []assay.Span{{Passage: 2, Start: 3, End: rapid.IntRange(4, 9).Draw(t, "end")}}}}
	}
	return s
}

// TestSchema checks what is written against the published schema.
func TestSchema(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(filepath.Join(requiretest.Root(), "docs", "report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	claim := assay.Value(0.5)
	claim.Evidence = []assay.Evidence{{Kind: assay.KindSupported, Text: "x", Spans: []assay.Span{{End: 2}, {Passage: 1, Start: 3, End: 9}}}}
	claimed := report.New(header("claimed", ndcg), []assay.Record{{Attempts: 1, Case: assay.Case{ID: "c", Question: "?"},
		Response: &assay.Response{Answer: "so"}, Scores: map[string]assay.Score{ndcg.Name: claim}}})
	watched, p := header("watched", ndcg), 0.0004
	watched.Canaries = []assay.Canary{
		{Provider: "openai", Model: "m", Since: watched.Started, Items: 20, Changed: 5, P: &p, Differs: true, Past: []time.Time{watched.Started}},
		{Provider: "openai", Model: "n", Why: "no room"}, {Provider: "openai", Model: "o", Since: watched.Started, First: true, Items: 20, Usual: 1},
	}
	for name, r := range map[string]*report.Report{"claimed": claimed, "watched": report.New(watched, nil), "sample": sample(t), "gated": gated(t), "empty": report.New(header("empty", ndcg), nil),
		"family": family(20, 0, "run")[0], "held": heldTo(t), "lost": lost(t, 20, "lost", 0)} {
		text := render(t, lookup(t, "json"), r, report.Options{})
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// The schema is worth something only if it notices what is wrong.
		for what, spoil := range map[string]func(map[string]any){
			"another schema":         func(d map[string]any) { d["schema"] = "assay.report/2" },
			"no summary":             func(d map[string]any) { delete(d, "summary") },
			"an unknown member":      func(d map[string]any) { d["sumary"] = 1 },
			"cases that are no list": func(d map[string]any) { d["cases"] = map[string]any{} },
		} {
			spoilt, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			spoil(spoilt.(map[string]any))
			if schema.Validate(spoilt) == nil {
				t.Errorf("%s: the schema accepts %s", name, what)
			}
		}
	}
}

func TestJSONSaysUnknownAsNull(t *testing.T) {
	t.Parallel()
	var d struct {
		Summary map[string]struct {
			Mean *float64
			N    int
		}
		Latency *struct{} `json:"latency_ms"`
		Gate    *struct{}
		Cost    map[string]*float64
		Cases   []struct {
			ID       string
			Answer   *string
			Passages *[]any
			Scores   map[string]struct {
				State string
				Value *float64
			}
		}
	}
	none := report.New(header("empty", ndcg), nil)
	if err := json.Unmarshal([]byte(render(t, lookup(t, "json"), none, report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	if s := d.Summary["ndcg@10"]; s.Mean != nil || s.N != 0 || d.Latency != nil || d.Gate != nil || d.Cost["actual_usd"] != nil {
		t.Errorf("a run without cases knows something: %+v", d)
	}
	if err := json.Unmarshal([]byte(render(t, lookup(t, "json"), sample(t), report.Options{})), &d); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]struct {
		state           string
		value, passages bool
	}{0: {"scored", true, true}, 4: {"not_applicable", false, true}, 6: {"target_error", false, false}, 8: {"judge_error", false, false}} {
		c := d.Cases[i]
		s := c.Scores["ndcg@10"]
		if s.State != want.state || (s.Value != nil) != want.value || (c.Passages != nil) != want.passages {
			t.Errorf("%s: state %q, value %v, passages %v: want %+v", c.ID, s.State, s.Value, c.Passages, want)
		}
	}
	if d.Cases[4].Passages == nil || len(*d.Cases[4].Passages) != 0 {
		t.Error("nothing retrieved is not an empty list")
	}
}

// TestBytesThatAreNotUTF8 are one replacement character each, in every format.
func TestBytesThatAreNotUTF8(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats {
		got, want := oneCase(f, "a\xff\xfeb"), oneCase(f, "a\ufffd\ufffdb")
		if f.Name == "json" || f.Name == "tests" {
			got = strings.ReplaceAll(got, `\ufffd`, "\ufffd")
		}
		if got != want {
			t.Errorf("%s: %s", f.Name, cmp.Diff(want, got))
		}
	}
}

// TestPassageScoreThatIsNoNumber must not make the report impossible.
func TestPassageScoreThatIsNoNumber(t *testing.T) {
	t.Parallel()
	r := sample(t)
	held(r)[0].Response.Passages[0].Score = math.NaN()
	held(r)[1].Response.Passages[0].Score = math.Inf(1)
	for _, f := range report.Formats {
		if got := unhashed(render(t, f, r, report.Options{})); strings.Contains(got, "NaN") {
			t.Errorf("%s: NaN", f.Name)
		}
	}
	if !math.IsNaN(held(r)[0].Response.Passages[0].Score) {
		t.Error("a format changed the record that it shows")
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	good := render(t, lookup(t, "json"), small(t), report.Options{})
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "not a report: the file is empty"},
		"no JSON":        {"{\n\"schema\": oops}", "not a report: line 2"},
		"cut off":        {good[:len(good)/2], "unexpected end"},
		"another JSON":   {`{"a": 1}`, `it has no "schema"`},
		"a list":         {`[]`, "not a report: line 1: a JSON array: expected an object"},
		"newer":          {`{"schema": "assay.report/2"}`, `schema "assay.report/2" is newer`},
		"another schema": {`{"schema": "other/1"}`, `expected "assay.report/1"`},
		"wrong type":     {strings.Replace(good, `"cases": 3`, `"cases": "three"`, 1), "expected a number"},
		"metric missing": {strings.Replace(good, `"recall@5": {`, `"recall@6": {`, 1), `it lacks the metric "recall@5"`},
		"unknown state":  {strings.Replace(good, `"state": "scored"`, `"state": "guessed"`, 1), `state "guessed"`},
		"no id":          {strings.Replace(good, `"id": "tc_001"`, `"id": ""`, 1), "cases[0]: it has no id"},
		"latency":        {strings.Replace(good, `"latency_ms": 21`, `"latency_ms": "21"`, 1), "expected milliseconds"},
	} {
		_, err := report.Read(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if _, err := report.Read(strings.NewReader("\ufeff" + good)); err != nil {
		t.Errorf("a byte order mark: %v", err)
	}
	if _, err := report.Read(strings.NewReader(strings.Replace(good, `"schema"`, `"later_addition": {"x": [1]}, "schema"`, 1))); err != nil {
		t.Errorf("an unknown member: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(render(f, lookup(f, "json"), small(f), report.Options{})))
	f.Add([]byte(`{"schema":"assay.report/1","run":{"metrics":[{"name":"a"}]},"summary":{"a":null}}`))
	f.Add([]byte(`{"schema":"assay.report/1","summary":{},"cases":[null],"by_tag":{"a":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := report.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, format := range report.Formats {
			if err := format.Write(&bytes.Buffer{}, r, report.Options{}); err != nil {
				t.Errorf("%s: %v", format.Name, err)
			}
		}
	})
}

// TestFormatIsDocumented: every member of the schema stands in the page that
// explains the format.
func TestFormatIsDocumented(t *testing.T) {
	t.Parallel()
	page := read(t, filepath.Join(requiretest.Root(), "docs", "format.md"))
	var schema any
	if err := json.Unmarshal([]byte(read(t, filepath.Join(requiretest.Root(), "docs", "report.schema.json"))), &schema); err != nil {
		t.Fatal(err)
	}
	members := 0
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if p, ok := v["properties"].(map[string]any); ok {
				for name := range p {
					members++
					if !strings.Contains(page, "`"+name+"`") {
						t.Errorf("docs/format.md does not explain %q", name)
					}
				}
			}
			for _, child := range v {
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	walk(schema)
	if members < 100 {
		t.Errorf("found %d members in the schema, want the whole of it", members)
	}
}
