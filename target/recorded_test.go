package target_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/target"
	"github.com/assay-eval/assay/target/targettest"
	"github.com/google/go-cmp/cmp"
)

const sample = "\xef\xbb\xbf" +
	`{"id": "q1", "question": " Capital  of France?", "answer": "Paris.", "contexts": ["Paris is", {"text": "t", ` +
	`"id": "c", "document": "d", "source": "s", "title": "T", "index": 2, "score": 0.5}], "latency_ms": 812.5}

{"id": 2, "response": "two", "retrieved_contexts": []}
{"user_input": "Three\n?", "answer": "three", "contexts": null}
{"case_id": "q4", "error": "out of memory"}
{"id": "q5", "passages": [{"content": "t", "doc_id": 7, "chunk_id": "x", "chunk_index": 0}], "usage": {"input_tokens": 3}, "trace": {"stages": [{"name": "retrieve"}]}}
`

func parse(t *testing.T, text string) *target.Recorded {
	t.Helper()
	r, err := target.ReadResponses(strings.NewReader(text), "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecordedConforms(t *testing.T) {
	t.Parallel()
	targettest.Run(t, targettest.Suite{
		Target: parse(t, sample),
		Cases:  []assay.Case{{ID: "q1"}, {ID: "2"}, {ID: "x", Question: "Three ?"}, {ID: "q5"}},
		Fails:  map[string]assay.Case{"missing": {ID: "q9", Question: "?"}, "error": {ID: "q4"}},
		Silent: &assay.Case{ID: "x", Question: "Three ?"}, Empty: &assay.Case{ID: "2"},
	})
}

func TestReadResponses(t *testing.T) {
	t.Parallel()
	r := parse(t, sample)
	if r.Len() != 5 || !r.ReportsPassages() || !r.ReportsLatency() {
		t.Errorf("Len %d, ReportsPassages %v", r.Len(), r.ReportsPassages())
	}
	for _, test := range []struct {
		c    assay.Case
		want assay.Response
	}{
		{assay.Case{ID: "q1"}, assay.Response{Answer: "Paris.", Latency: 812_500_000, Passages: []assay.Passage{
			{Text: "Paris is"}, {Text: "t", ID: "c", Document: "d", Source: "s", Title: "T", Index: 2, Score: 0.5},
		}}},
		// Another id, the same question: found by the question.
		{assay.Case{ID: "zz", Question: "Capital of\tFrance? "}, assay.Response{Answer: "Paris.", Latency: 812_500_000, Passages: []assay.Passage{
			{Text: "Paris is"}, {Text: "t", ID: "c", Document: "d", Source: "s", Title: "T", Index: 2, Score: 0.5},
		}}},
		{assay.Case{ID: "2"}, assay.Response{Answer: "two", Passages: []assay.Passage{}}},
		{assay.Case{ID: "3", Question: "Three ?"}, assay.Response{Answer: "three"}},
		{assay.Case{ID: "q5"}, assay.Response{
			Passages: []assay.Passage{{Text: "t", Document: "7", ID: "x"}}, Usage: assay.Usage{InputTokens: 3},
			Trace:    &assay.Trace{Stages: []assay.Stage{{Name: "retrieve"}}},
			Warnings: []string{"no answer is reported: it counts as empty, because other responses have one"},
		}},
	} {
		got, err := r.Ask(t.Context(), &test.c)
		if err != nil {
			t.Errorf("%s: %v", test.c.ID, err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.c.ID, d)
		}
	}
	var e *target.Error
	if _, err := r.Ask(t.Context(), &assay.Case{ID: "q4"}); !errors.As(err, &e) || e.Kind != target.Failed || e.Again ||
		e.Error() != "out of memory" {
		t.Errorf("a recorded failure gives %#v", err)
	}
	if _, err := r.Ask(t.Context(), &assay.Case{ID: "none"}); !errors.As(err, &e) || e.Kind != target.Missing || e.Again ||
		!strings.Contains(e.Error(), `"none"`) {
		t.Errorf("a missing record gives %#v", err)
	}
}

// Usage under the names of providers is not lost: a limit of the cost would pass on nothing.
// Predictions of SQuAD's script and lists of records are one JSON value.
func TestReadPredictions(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(`{"q1": "a", "q2": ""}`))
	_ = z.Close()
	for _, in := range []string{
		`{"q1": "a", "q2": ""}`,
		"\ufeff{\n  \"q1\": \"a\",\n  \"q2\": \"\"\n}\n",
		`{"q1": {"answer": "a"}, "q2": {"answer": ""}}`,
		"[\n {\"id\": \"q1\",\n  \"answer\": \"a\"},\n {\"id\": \"q2\", \"answer\": \"\"}]",
		`[{"id": "q1", "prediction_text": "a"}, {"id": "q2", "prediction_text": ""}]`,
		packed.String(),
	} {
		r := parse(t, in)
		if r.Len() != 2 {
			t.Errorf("%q: %d responses, want 2", in, r.Len())
		}
		for id, want := range map[string]string{"q1": "a", "q2": ""} {
			got, err := r.Ask(t.Context(), &assay.Case{ID: id})
			if err != nil || got.Answer != want || got.NoAnswer {
				t.Errorf("%q: %s: %+v, %v: want %q", in, id, got, err, want)
			}
		}
	}
	for in, want := range map[string]string{
		"{\"q1\": \"a\",\n\"q2\":":                                   "f:2: the JSON is cut short",
		"[{\"id\": \"q1\", \"answer\": \"a\"},\n\n{\"id\": \"q2\"}]": "f:3: the record is empty",
		`["a", "b"]`:                         "f:1: the list must have objects",
		`[{"id": "q1", "answer": 7}] x`:      "f:1: text follows the JSON value",
		`{"q1": "a", "q1": "b"}`:             `"q1" occurs twice`,
		"{\"run\": \"a\"}\n{\"run\": \"b\"}": "no case is named",
	} {
		_, err := target.Read(strings.NewReader(in), "f")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

func TestRecordedUsage(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]assay.Usage{
		`{"input_tokens": 3, "output_tokens": 2, "cost_micro_usd": 7}`:                           {InputTokens: 3, OutputTokens: 2, Cost: 7},
		`{"prompt_tokens": 3, "completion_tokens": 2.0, "cost_usd": 0.25, "cost": 1}`:            {InputTokens: 3, OutputTokens: 2, Cost: 250_000},
		`{"prompt_tokens": 3, "cost": 1.5, "prompt_tokens_details": []}`:                         {InputTokens: 3, Cost: 1_500_000},
		`{"input_tokens": 20, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 50}`: {InputTokens: 100},
		`{"prompt_tokens": 100, "cache_read_input_tokens": 30}`:                                  {InputTokens: 100},
		`{"prompt_tokens": "n/a", "cost": -1}`:                                                   {},
	} {
		// One line is read in a pass, the other, with an escaped name, is not.
		for _, name := range []string{"id", `\u0069d`} {
			got, err := parse(t, `{"`+name+`": "a", "answer": "x", "usage": `+given+"}\n").Ask(t.Context(), &assay.Case{ID: "a"})
			if err != nil || got.Usage != want {
				t.Errorf("%s: %+v, %v: want %+v", given, got.Usage, err, want)
			}
			got, err = parse(t, `{"`+name+`": "a", "error": "down", "usage": `+given+"}\n").Ask(t.Context(), &assay.Case{ID: "a"})
			if err == nil || got.Usage != want {
				t.Errorf("a failure, %s: %+v, %v: want %+v", given, got.Usage, err, want)
			}
		}
	}
}

// A released target finds no response, and says so.
func TestRelease(t *testing.T) {
	t.Parallel()
	read, err := target.ReadResponses(strings.NewReader(`{"id": "q1", "question": "Why?", "answer": "So."}`), "said.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for _, r := range []*target.Recorded{read, target.NewRecorded(map[string]assay.Response{"q1": {Answer: "So."}}, nil)} {
		c := assay.Case{ID: "q1", Question: "Why?"}
		if got, err := r.Ask(t.Context(), &c); err != nil || got.Answer != "So." {
			t.Errorf("%+v, %v: want the response", got, err)
		}
		r.Release()
		var missing *target.Error
		if _, err := r.Ask(t.Context(), &c); !errors.As(err, &missing) || missing.Kind != target.Missing || r.Len() != 0 {
			t.Errorf("%v, %d left: want none", err, r.Len())
		}
	}
}

// A system that answers some cases and not others gave the others no answer.
func TestMissingAnswersAreEmpty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines          string
		none, reported bool
	}{
		{`{"id": "a", "answer": "x"}` + "\n" + `{"id": "b", "answer": null, "contexts": ["c"]}`, false, true},
		{`{"id": "a", "answer": "x"}` + "\n" + `{"id": "b", "contexts": ["c"]}`, false, false},
		{`{"id": "a", "contexts": ["c"]}` + "\n" + `{"id": "b", "contexts": ["c"]}`, true, true},
		{`{"id": "a", "contexts": ["c"], "answer": null}` + "\n" + `{"id": "b", "contexts": ["c"], "answer": null}`, false, true},
		{`{"id": "a", "contexts": ["c"], "answer": ""}` + "\n" + `{"id": "b", "contexts": ["c"], "answer": ""}`, false, true},
	} {
		r, err := target.ReadResponses(strings.NewReader(c.lines), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Ask(t.Context(), &assay.Case{ID: "b"})
		if err != nil || got.NoAnswer != c.none || (got.Warnings == nil) != c.reported || r.ReportsAnswers() == c.none {
			t.Errorf("%s: %+v, %v", c.lines, got, err)
		}
	}
}

func TestReadResponsesProblems(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"", `r.jsonl: no responses: expected one JSON object a line, as in {"id": "q1", "answer": "…"}`},
		{"\n \n", `r.jsonl: no responses: expected one JSON object a line, as in {"id": "q1", "answer": "…"}`},
		{"[\n]", `r.jsonl: no responses: expected one JSON object a line, as in {"id": "q1", "answer": "…"}`},
		{`[{"id": "a"}]`, `r.jsonl:1: the record is empty: expected "answer", "contexts" or "error"`},
		{"\n\nnull", "r.jsonl:3: null: expected an object"},
		{`{"id": "a"} {"id": "b"}`, "r.jsonl:1: column 13: invalid character '{' after top-level value: expected one JSON object a line"},
		{`{"answer": "a"}`, `r.jsonl:1: no case is named: expected "id", the id of its case (rename a field such as query_id), or "question"`},
		{`{"id": " ", "answer": "a"}`, `r.jsonl:1: no case is named: expected "id", the id of its case (rename a field such as query_id), or "question"`},
		{`{"id": "a"}`, `r.jsonl:1: the record is empty: expected "answer", "contexts" or "error"`},
		{`{"id": "a", "contexts": null, "answer": null}`, `r.jsonl:1: the record is empty: expected "answer", "contexts" or "error"`},
		{"{\"id\": \"a\", \"answer\": \"Z\xfcrich\"}", "r.jsonl:1: byte 25 of the line (0xfc) is not UTF-8: must be text in UTF-8, or in UTF-16 with a " +
			"byte order mark"},
		{`{"id": "a", "answer": [[]]}`, "r.jsonl:1: answer: a list: expected text"},
		{`{"id": true, "answer": "x"}`, "r.jsonl:1: id: true or false: expected text"},
		{`{"id": "a", "contexts": "x"}`, "r.jsonl:1: contexts: text: expected a list"},
		{`{"id": "a", "contexts": ["x", null]}`, "r.jsonl:1: contexts[1]: null: expected an object"},
		{`{"id": "a", "contexts": [{"score": "high"}]}`, "r.jsonl:1: contexts[0].score: text: expected a number"},
		{`{"id": "a", "contexts": [{"score": 1e999}]}`, "r.jsonl:1: contexts[0].score: a number: expected a number"},
		{`{"id": "a", "contexts": [{"index": 1.5}]}`, "r.jsonl:1: contexts[0].index: a number: expected a whole number"},
		{`{"id": "a", "contexts": [{"text": "x", "content": "y"}]}`, "r.jsonl:1: contexts[0].text: is given twice, under two names; give one " +
			"of them"},
		{`{"id": "a", "answer": "x", "response": "y"}`, "r.jsonl:1: response: is given twice, under two names; give one of them"},
		{`{"id": "a", "answer": "x", "latency_ms": -1}`, "r.jsonl:1: latency_ms: -1: expected 0 or more, and at most 2592000000"},
		{`{"id": "a", "answer": "x", "latency_ms": "fast"}`, "r.jsonl:1: latency_ms: text: expected a number of milliseconds"},
		{`{"id": "a", "answer": "x", "usage": 3}`, "r.jsonl:1: usage: a number: expected an object of counts"},
		{`{"id": "a", "answer": "x", "trace": []}`, `r.jsonl:1: trace: a list: expected an object with "stages"`},
		{"{\"id\": \"a\", \"answer\": \"x\"}\n{\"id\": \"a\", \"answer\": \"x\"}", `r.jsonl:2: id: "a" occurs twice, first in line 1`},
		{"\xff\xfe{\x00", "r.jsonl:1: column 1: unexpected end of JSON input: expected one JSON object a line"},
	} {
		_, err := target.ReadResponses(strings.NewReader(test.text), "r.jsonl")
		var p *target.ParseError
		if err == nil || err.Error() != test.want || !errors.As(err, &p) || p.Origin.File != "r.jsonl" {
			t.Errorf("%s:\n got %v\nwant %s", test.text, err, test.want)
		}
	}
	// Noise: the list of problems ends.
	_, err := target.ReadResponses(strings.NewReader(strings.Repeat("noise\n", 1e6)), "r.jsonl")
	if n := strings.Count(fmt.Sprint(err), "\n"); n != 20 || !strings.HasSuffix(err.Error(), "too many problems") {
		t.Errorf("%d lines of problems: %v", n, err)
	}
}

// endless is a line without an end.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestEndlessLine(t *testing.T) {
	t.Parallel()
	in := &endless{}
	_, err := target.ReadResponses(in, "r.jsonl")
	if err == nil || !strings.Contains(err.Error(), "r.jsonl:1: the line is longer than 67108864 bytes") || in.read > 80<<20 {
		t.Errorf("after %d bytes: %v", in.read, err)
	}
}

// Of several responses to a question the last counts, unless cases share it: ids alone tell
// them apart.
func TestSharedQuestion(t *testing.T) {
	t.Parallel()
	const x, y, z = `{"question": "Who?", "answer": "x"}`, `{"question": " Who? ", "answer": "y"}`, `{"question": "Why?", "answer": "z"}`
	named := func(id, line string) string { return fmt.Sprintf(`{"id": %q, `, id) + line[1:] }
	const several = `cases have several recorded responses to their question, and the last of each counts: "d"`
	const unnamed = `r.jsonl:3: question: "Who?" occurs twice: expected ids to distinguish the cases`
	who := func(id string) assay.Case { return assay.Case{ID: id, Question: "Who?"} }
	d, why := who("d"), assay.Case{ID: "e", Question: "Why?"}
	for _, test := range []struct {
		lines                []string
		cases                []assay.Case
		answers, says, fails string
	}{
		{[]string{named("a", x), named("b", z), named("c", y)}, []assay.Case{d, why}, "y z", "1 of 2 " + several, ""},
		{[]string{x, z, y}, []assay.Case{d, why}, "y z", "1 of 2 " + several, ""},
		{[]string{named("a", y), x}, []assay.Case{d}, "x", "1 of 1 " + several, ""},
		{[]string{y, named("a", x)}, []assay.Case{d}, "x", "1 of 1 " + several, ""},
		// An id decides.
		{[]string{named("d", x), z, named("c", y)}, []assay.Case{d, why}, "x z", `1 of 3 recorded responses match no case of this run: "c"`, ""},
		{[]string{named("d", x), named("c", y)}, []assay.Case{d, who("c")}, "x y", "", ""},
		// Cases share the question.
		{[]string{named("a", x), named("b", y)}, []assay.Case{d, who("b")}, "- y",
			`1 of 2 cases share a question to which several responses are recorded, none with their id, and count as failures: "d"`, ""},
		{[]string{x}, []assay.Case{d, who("e")}, "x x", "", ""},
		{[]string{z, x, y}, []assay.Case{d, who("e")}, "", "", unnamed},
		{[]string{z, named("a", x), y}, []assay.Case{d, who("e")}, "", "", unnamed},
		{[]string{z, x, named("a", y)}, []assay.Case{d, who("e")}, "", "", unnamed},
		{[]string{x, y}, []assay.Case{why}, "-", `1 of 1 cases have no recorded response and count as failures: "e"; 2 of 2 recorded responses match no case of this run: "Who?", "Who?"`, ""},
	} {
		r := parse(t, strings.Join(test.lines, "\n"))
		cases := assay.CasesOf(test.cases...)
		if err := r.Share(cases); test.fails != "" || err != nil {
			if fmt.Sprint(err) != test.fails {
				t.Errorf("%s: %v, want %s", test.lines, err, test.fails)
			}
			continue
		}
		var answers []string
		for _, c := range test.cases {
			got, err := r.Ask(t.Context(), &c)
			if err != nil {
				got.Answer = "-"
			}
			answers = append(answers, got.Answer)
		}
		if got, says := strings.Join(answers, " "), strings.Join(r.Warnings(cases), "; "); got != test.answers || says != test.says {
			t.Errorf("%s: %q, %q; want %q, %q", test.lines, got, says, test.answers, test.says)
		}
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	r := parse(t, `{"id": "a", "question": "A?", "answer": "x", "context": 1, "contexts": [{"text": "t", "rank": 1}]}
{"id": "b", "question": "B?", "answer": "x", "context": 2, "cost_usd": 0.1, "contexts": []}
{"id": "old", "answer": "x"}
{"question": "gone?", "answer": "x"}`)
	cases := []assay.Case{{ID: "a", Question: "A?"}, {ID: "b", Question: "changed?"}, {ID: "c"}, {ID: "d"}, {ID: "e"}, {ID: "f"}}
	want := []string{
		`r.jsonl: field "context" is not known and was ignored (2 times)`,
		`r.jsonl: field "contexts[].rank" is not known and was ignored (1 times)`,
		`r.jsonl: field "cost_usd" is not known and was ignored (1 times): expected usage.cost_usd`,
		`4 of 6 cases have no recorded response and count as failures: "c", "d", "e", …`,
		`2 of 4 recorded responses match no case of this run: "old", "gone?"`,
		`1 of 4 recorded responses have the id of a case but a different question: "b"`,
	}
	for range 2 { // asking does not add to them
		if d := cmp.Diff(want, r.Warnings(assay.CasesOf(cases...))); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	r = target.NewRecorded(map[string]assay.Response{"a": {Answer: "x"}}, nil)
	if w := r.Warnings(assay.CasesOf(assay.Case{ID: "a", Question: "A?"})); len(w) != 0 || r.ReportsPassages() {
		t.Errorf("warnings %q, passages %v: want none", w, r.ReportsPassages())
	}
}

func TestReadRanking(t *testing.T) {
	t.Parallel()
	const run = "q2 Q0 d9 1 0.5 tag\nq1 Q0 a 1 1.5 tag\nq1 Q0 c 3 2.5 tag\nq1 Q0 b 2 1.5 tag\n"
	r, err := target.Read(strings.NewReader(run), "run.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Ask(t.Context(), &assay.Case{ID: "q1"})
	var docs []string
	for _, p := range got.Passages {
		docs = append(docs, p.Document)
		if p.ID != "" || p.Text != "" || p.Score == 0 {
			t.Errorf("passage %+v: want a document and its score only", p)
		}
	}
	if err != nil || !slices.Equal(docs, []string{"c", "b", "a"}) || got.Answer != "" {
		t.Errorf("%v, %v: want c, b, a", docs, err)
	}
	targettest.Run(t, targettest.Suite{
		Target: r, Cases: []assay.Case{{ID: "q1"}, {ID: "q2"}}, Fails: map[string]assay.Case{"missing": {ID: "q3"}},
	})
	rising, err := target.Read(strings.NewReader("q1 Q0 a 1 .1 t\nq1 Q0 b 2 .2 t\n"), "run.txt")
	if err != nil {
		t.Fatal(err)
	}
	if w := rising.Warnings(assay.CasesOf(assay.Case{ID: "q1"})); len(w) != 1 || !strings.Contains(w[0], "run.txt: the scores rise") {
		t.Errorf("rising scores: %q", w)
	}
	for run, warned := range map[string]int{"q1 Q0 a 1 0 t\nq1 Q0 b 2 0 t\n": 1, "q1 Q0 b 1 0 t\nq1 Q0 a 2 0 t\n": 0} {
		if equal, err := target.Read(strings.NewReader(run), "run.txt"); err != nil || len(equal.Warnings(assay.CasesOf(assay.Case{ID: "q1"}))) != warned {
			t.Errorf("equal scores %q: %v, want %d warnings", run, err, warned)
		}
	}
	if w := r.Warnings(assay.CasesOf(assay.Case{ID: "q1"}, assay.Case{ID: "q3"})); len(w) != 2 || !strings.Contains(w[0], `"q3"`) ||
		!strings.Contains(w[1], `"q2"`) {
		t.Errorf("warnings %q", w)
	}
	for _, bad := range []string{"", "q1 Q0 a 1 x tag", "q1 Q0 a 1 1 tag\nq1 Q0 a 2 2 tag"} {
		if _, err := target.Read(strings.NewReader(bad), "run.txt"); err == nil || !strings.Contains(err.Error(), "run.txt") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzReadResponses(f *testing.F) {
	for _, line := range strings.Split(sample, "\n") {
		f.Add(line)
	}
	f.Add(sample)
	f.Add("{\"question\":\"a\"}\n{\"id\":1,\"question\":\"a\",\"contexts\":[{}]}")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := target.ReadResponses(strings.NewReader(text), "f")
		if (r == nil) == (err == nil) {
			t.Fatalf("a target %v and an error %v: want one", r, err)
		}
		if err != nil {
			var p *target.ParseError
			if !errors.As(err, &p) || p.Problem == "" {
				t.Fatalf("error %v is no *ParseError", err)
			}
			return
		}
		if r.Len() == 0 {
			t.Fatal("nothing was read, and no error")
		}
		_ = r.Warnings(assay.CasesOf(assay.Case{ID: "q1", Question: "a"}))
		resp, err := r.Ask(context.Background(), &assay.Case{ID: "q1", Question: "a"})
		if err == nil && resp.Latency < 0 {
			t.Fatalf("latency %v", resp.Latency)
		}
	})
}

// Stages may name passages by texts that are ids.
func TestRecordedStagesNameIDs(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"of the response": `{"id": "a", "passages": [{"id": "one", "text": "t"}], "stages": [{"name": "retrieve", "output": ["one"]}]}`,
		"of an earlier stage": `{"id": "a", "answer": "A", ` +
			`"stages": [{"name": "retrieve", "output": [{"id": "one", "text": "t"}]}, {"name": "rerank", "output": ["one"]}]}`,
		"of nothing that is known": `{"id": "a", "answer": "A", "stages": [{"name": "retrieve", "output": ["d098#0"]}]}`,
	} {
		rec, err := target.ReadResponses(strings.NewReader(line), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		r, err := rec.Ask(t.Context(), &assay.Case{ID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		last := r.Trace.Stages[len(r.Trace.Stages)-1].Name
		ps, _ := r.StagePassages(last)
		if len(ps) != 1 || ps[0].ID == "" || (ps[0].Text == "t") != (ps[0].ID == "one") {
			t.Errorf("%s: %+v", name, ps)
		}
	}
}

// What was recorded of the stages is in the trace, however it was written down.
func TestRecordedStages(t *testing.T) {
	t.Parallel()
	const lines = `{"id": "a", "answer": "A", "stages": [{"name": "decompose", "output": ["x", "y"]}, {"name": "retrieve", "output": [["x", [{"id": "1", "text": "t"}]], ["y", []]]}]}
{"id": "c", "answer": "A", "trace": {"stages": [{"name": "decompose", "output": ["x", "y"]}, {"name": "search", "output": [{"id": "1", "text": "t"}]}, {"name": "retrieve", "output": []}]}}
{"result_id": "r", "input": {"text": "What  is it?"}, "extracted_key_questions": ["x", "y"], "retrieval": {"per_sub_question": [{"sub_question_index": 0, "sub_question_text": "x", "chunks": [{"chunk_index": 0, "text": "t", "metadata": {"document_id": "d", "chunk_index": 4}}]}, {"sub_question_index": 1, "sub_question_text": "y", "chunks": []}]}, "response": {"final_answer": "A"}, "timing": {"total_time_ms": 12}}
`
	rec, err := target.ReadResponses(strings.NewReader(lines), "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !rec.ReportsTrace() {
		t.Error("the stages are not reported")
	}
	for _, c := range []assay.Case{{ID: "a", Question: "?"}, {ID: "b", Question: "What is it?"}, {ID: "c", Question: "!"}} {
		r, err := rec.Ask(t.Context(), &c)
		if err != nil {
			t.Fatal(err)
		}
		lists, _ := r.StagePassagesEach(assay.StageRetrieve)
		if qs, _ := r.SubQuestions(); r.Answer != "A" || len(qs) != 2 || len(lists) != 2 || len(lists[0]) != 1 || len(r.Passages) != 1 ||
			r.Passages[0].Text != "t" {
			t.Errorf("case %q: %+v", c.ID, r)
		}
	}
	for stages, want := range map[string]bool{
		`{"name": "retrieve", "output": [{"id": "1"}]}`: true, `{"name": "retrieve", "output": [{"id": "1"}]}, {"name": "filter"}`: false, `{"name": "generate"}`: false,
	} {
		rec, err := target.ReadResponses(strings.NewReader(`{"id": "a", "answer": "A", "trace": {"stages": [`+stages+`]}}`), "r.jsonl")
		if err != nil || rec.ReportsPassages() != want {
			t.Errorf("%s: %v", stages, err)
		}
	}
	rec, err = target.ReadResponses(strings.NewReader(`{"id": "a", "answer": "A", "stages": [{"name": "rerank", "output": [0.9, 0.1]}, `+
		`{"name": "generate", "input": "p", "error": "too long"}, {"name": "generate", "input": "q", "output": "A"}]}`), "r.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	r, err := rec.Ask(t.Context(), &assay.Case{ID: "a"})
	if calls := r.Stages(assay.StageGenerate); err != nil || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "stages[0].output: no passages could be read") ||
		len(calls) != 1 || string(calls[0].Input) != `"q"` {
		t.Errorf("%+v, error %v, want a warning of an output and one call", r, err)
	}
	for line, says := range map[string]string{
		`{"id": "a", "answer": "A", "stages": [], "trace": {"stages": []}}`:                                         "stages: is given together",
		`{"id": "a", "answer": "A", "stages": 3}`:                                                                   "expected a list of stages",
		`{"extracted_key_questions": [], "retrieval": {"per_sub_question": []}, "response": {"final_answer": "A"}}`: "no case is named",
	} {
		if _, err := target.ReadResponses(strings.NewReader(line), "r.jsonl"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// Records are found by id and by question, the last by a question of several. An id that was
// made of the question is none, unless cases share the question.
func TestRecordedOf(t *testing.T) {
	t.Parallel()
	r := target.RecordedOf([]target.Record{
		{ID: "1", Question: "Why?", Response: assay.Response{Answer: "So."}},
		{ID: "2", Question: "Who?", Response: assay.Response{Answer: "Kim."}},
		{ID: "3", Question: "Who? ", Response: assay.Response{Answer: "Lee."}},
		{ID: "4", Question: "When?", Failure: "out of memory"},
	})
	for _, c := range []struct{ id, question, want, err string }{
		{"3", "Who?", "Lee.", ""},
		{"x", " Why?", "So.", ""},
		{"x", "Who?", "Lee.", ""},
		{"y", "What?", "", `no response is recorded for case "y"`},
		{"4", "", "", "out of memory"},
	} {
		got, err := r.Ask(t.Context(), &assay.Case{ID: c.id, Question: c.question})
		if got.Answer != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q, %q: %q, %v; want %q, %q", c.id, c.question, got.Answer, err, c.want, c.err)
		}
	}
	r.Warn("odd")
	got := r.Warnings(assay.CasesOf(assay.Case{ID: "1", Question: "What?"}))
	want := []string{
		"odd", `3 of 4 recorded responses match no case of this run: "2", "3", "4"`,
		`1 of 4 recorded responses have the id of a case but a different question: "1"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("warnings (-want +got):\n%s", d)
	}
}

func TestMadeIDs(t *testing.T) {
	t.Parallel()
	for want, more := range map[string][]assay.Case{"Lee": {{ID: "3", Question: "Why?"}}, "Kim": {{ID: "q-1-2", Question: "Who?"}}} {
		r := target.RecordedOf([]target.Record{
			{ID: "q-1", Question: "Who?", Made: true, Response: assay.Response{Answer: "Kim"}},
			{ID: "q-1-2", Question: "Who?", Made: true, Response: assay.Response{Answer: "Lee"}},
			{ID: "q-2", Question: "Why?", Made: true, Response: assay.Response{Answer: "So"}},
		})
		c := assay.Case{ID: "q-1", Question: "Who?"}
		if err := r.Share(assay.CasesOf(append(more, c)...)); err != nil {
			t.Error(err)
		}
		if got, err := r.Ask(t.Context(), &c); err != nil || got.Answer != want {
			t.Errorf("%q, %v: want %q", got.Answer, err, want)
		}
	}
}

func TestIsLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20000)
	for content, want := range map[string]bool{
		`{"id": "1", "answer": "x"}`:                                                        true,
		"\ufeff\n {\"question\": \"a\", \"contexts\": []}\n{":                               true,
		`{"id": 1, "answer": null, "error": "down"}`:                                        true,
		`{"id": 1, "stages": []}`:                                                           true,
		`{"user_input": "a", "response": "b", "retrieved_contexts": [` + `"` + long + `"]}`: true,
		`{"answer": "x", "contexts": [{"text": "` + long + `"}], "id": "1"}`:                true,
		`{"input": {"text": "a"}, "extracted_key_questions": []}`:                           true,
		`{"answer": "x", "contexts": ["` + strings.Repeat(long, 12) + `"], "id": "1"}`:      true, // 1.2 MB
		`{"id": "1", "answer": "` + strings.Repeat(long, 12) + `"}`:                         true,
		`{"input": "` + strings.Repeat(long, 12) + `", "extracted_key_questions": []}`:      true,
		`{"id": "1", "ground_truth": "` + strings.Repeat(long, 12) + `"}`:                   false,
		"{\"a\": 1,\n\"extracted_key_questions\": []}":                                      false,
		`{"id": "1", "response": {"output": "x"}}`:                                          false,
		`{"id": "1", "ground_truth": "x"}`:                                                  false,
		`{"answer": "x"}`:                                                                   false,
		`{`:                                                                                 false,
		`[{"id": "1", "answer": "x"}]`:                                                      false,
		"1 Q0 d 1 1 x":                                                                      false,
		"":                                                                                  false,
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := target.IsLines(path); got != want {
			t.Errorf("%.80s: %v, want %v", content, got, want)
		}
	}
	if target.IsLines("none") {
		t.Error("a file that is not there holds lines")
	}
}

// The results of a provider's batch are responses: of the case that the request is named after, or that it asks.
func TestReadBatches(t *testing.T) {
	t.Parallel()
	const (
		claude = `{"type":"message","role":"assistant","content":[{"type":"text","text":"Paris."}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":2}}`
		gemini = `{"candidates":[{"content":{"parts":[{"text":"Paris."}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}`
		asks   = `{"contents":[{"parts":[{"text":"Where?"}],"role":"user"}]}`
	)
	for name, c := range map[string]struct{ good, bad, why string }{
		"OpenAI": {`{"id":"batch_req_1","custom_id":"c1","response":{"status_code":200,"request_id":"r","body":{"choices":[{"message":{"content":"Paris."},` +
			`"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}},"error":null}`,
			`{"id":"batch_req_2","custom_id":"c2","response":{"status_code":400,"body":{"error":{"message":"Invalid request"}}},"error":null}`, "Invalid request"},
		"OpenAI, expired": {"", `{"id":"batch_req_3","custom_id":"c2","response":null,"error":{"code":"batch_expired","message":"Too late"}}`, "Too late"},
		"Anthropic": {`{"custom_id":"c1","result":{"type":"succeeded","message":` + claude + `}}`,
			`{"custom_id":"c2","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}}}`, "bad"},
		"Anthropic, expired": {"", `{"custom_id":"c2","result":{"type":"expired"}}`, "expired"},
		"Gemini API":         {`{"key":"c1","response":` + gemini + `}`, `{"key":"c2","error":{"code":3,"message":"bad"}}`, "bad"},
		"Vertex AI": {`{"status":"","processed_time":"t","request":` + asks + `,"response":` + gemini + `}`,
			`{"status":"Bad Request: bad","request":` + strings.Replace(asks, "Where", "When", 1) + `,"response":{}}`, "Bad Request: bad"},
		"LiteLLM's log": {`{"id":"c1","messages":[{"role":"user","content":"Where?"}],"response":{"object":"chat.completion","choices":[{"message":` +
			`{"role":"assistant","content":"Paris."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2}}}`,
			`{"id":"c2","messages":[{"role":"user","content":"When?"}],"error":"bad"}`, "bad"},
		"Bedrock": {`{"recordId":"c1","modelInput":{},"modelOutput":` + claude + `}`,
			`{"recordId":"c2","modelInput":{},"error":{"errorCode":400,"errorMessage":"bad"}}`, "bad"},
		"Bedrock Converse": {`{"recordId":"AWS1","modelInput":{"messages":[{"content":[{"text":"Where?"}]}]},"modelOutput":{"output":{"message":{"role":` +
			`"assistant","content":[{"text":"Paris."}]}},"stopReason":"end_turn","usage":{"inputTokens":9,"outputTokens":2}}}`, "", ""},
		"Claude on Vertex AI": {`{"custom_id":"c1","request":{},"response":` + claude + `,"status":""}`, "", ""},
		"no body":             {"", `{"custom_id":"c2","response":{"status_code":500,"body":""},"error":null}`, "status 500"},
		"a tool": {"", `{"custom_id":"c2","result":{"type":"succeeded","message":{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t","name":"f",` +
			`"input":{}}],"stop_reason":"tool_use"}}}`, "the reply has no answer: the model calls a tool instead of writing text: serve it without tools"},
	} {
		r, err := target.Read(strings.NewReader(strings.TrimSpace(c.good+"\n"+c.bad)), "r.jsonl")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := r.Ask(t.Context(), &assay.Case{ID: "c1", Question: "Where?"}); c.good != "" && (err != nil || got.Answer != "Paris." ||
			got.Usage != assay.Usage{InputTokens: 9, OutputTokens: 2}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if _, err := r.Ask(t.Context(), &assay.Case{ID: "c2", Question: "When?"}); c.bad != "" && (err == nil || err.Error() != c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
	for line, want := range map[string]string{
		`{"key":"c1","response":{"promptFeedback":{"blockReason":"SAFETY"}}}`:                                                                           "SAFETY",
		`{"custom_id":"c1","response":{"status_code":400,"body":{"error":{"message":"The prompt was filtered","code":"content_filter"}}},"error":null}`: "content_filter",
	} {
		r, err := target.Read(strings.NewReader(line), "r.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := r.Ask(t.Context(), &assay.Case{ID: "c1"}); err != nil || got.Withheld != want {
			t.Errorf("a blocked prompt: %+v, %v", got, err)
		}
	}
}
