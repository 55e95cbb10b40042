package spans_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/text"
	"github.com/assay-eval/assay/spans"
)

// What the objects of a framework held, in the order of the questions: see
// scripts/traces/README.md.
type expectation struct {
	Question string            `json:"question"`
	Answer   string            `json:"answer"`
	Lists    [][]expectedFound `json:"retrieved"`
	Reranked [][]expectedFound `json:"reranked"`
	Prompt   []string          `json:"prompt_contains"`
	Calls    []struct {
		Model  string `json:"model"`
		Input  int    `json:"input_tokens"`
		Output int    `json:"output_tokens"`
	} `json:"calls"`
	Tools []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Result    string          `json:"result"`
	} `json:"tools"`
	SubQuestions []string `json:"sub_questions"`
}

type expectedFound struct {
	ID     string   `json:"id"`
	Source string   `json:"source"`
	Title  string   `json:"title"`
	Text   string   `json:"text"`
	Score  *float64 `json:"score"`
}

// A lack is what an instrumentation does not record.
type lack struct{ texts, passages bool }

// lacks are those of the golden traces. That something is missing is checked too, so that an
// entry goes when a new version records it.
var lacks = map[string]lack{
	// Only calls of models are instrumented: retrieval leaves no span.
	"openai_openinference": {passages: true},
	"vercel_ai":            {passages: true},
	"vercel_ai_7":          {passages: true},
	// The conventions give documents an id and a score alone.
	"openai_genai": {texts: true},
}

// TestGoldenTraces counts what is read of traces against what the framework that recorded
// them held: every document, score, token and stage.
func TestGoldenTraces(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("testdata/*/expected.json")
	if err != nil || len(folders) < 14 {
		t.Fatalf("%d golden traces, error %v: want fourteen", len(folders), err)
	}
	for _, file := range folders {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []expectation
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
			got := exchangesOf(t, filepath.Join(dir, "traces.jsonl"))
			if len(got) != len(want) {
				t.Fatalf("%d questions, want %d", len(got), len(want))
			}
			slices.SortFunc(got, func(a, b spans.Exchange) int {
				at := func(e spans.Exchange) int {
					return slices.IndexFunc(want, func(w expectation) bool { return w.Question == e.Case.Question })
				}
				return at(a) - at(b)
			})
			for i, w := range want {
				checkExchange(t, got[i], w, lacks[filepath.Base(dir)])
			}
		})
	}
}

// TestGoldenExports reads other forms of some of the golden traces: rows of data frames, and
// what a client sends. They are the same cases.
func TestGoldenExports(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"phoenix/dataframe.jsonl", "mlflow/dataframe.jsonl", "langsmith/client.jsonl"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			want := map[string]spans.Exchange{}
			for _, e := range exchangesOf(t, "testdata/"+filepath.Dir(file)+"/traces.jsonl") {
				want[e.Case.Question] = e
			}
			got := exchangesOf(t, "testdata/"+file)
			if len(got) == 0 {
				t.Fatal("no questions")
			}
			for _, e := range got {
				w := want[e.Case.Question]
				if diff := cmp.Diff([]any{w.Response.Answer, w.Response.Passages, w.Response.Usage, len(w.Response.Trace.Stages)},
					[]any{e.Response.Answer, e.Response.Passages, e.Response.Usage, len(e.Response.Trace.Stages)},
					cmpopts.EquateApprox(0, 1e-9)); diff != "" { // pandas writes ten digits
					t.Errorf("%s: %s", e.Case.Question, diff)
				}
			}
		})
	}
}

// exchangesOf reads a file.
func exchangesOf(t *testing.T, path string) (out []spans.Exchange) {
	t.Helper()
	c, err := spans.NewCollector()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := spans.Read(f, f.Name(), c.Add); err != nil {
		t.Fatal(err)
	}
	for trace, err := range c.All() {
		if err != nil {
			t.Fatal(err)
		}
		found, _ := spans.Exchanges(trace)
		out = append(out, found...)
	}
	return out
}

func checkExchange(t *testing.T, e spans.Exchange, w expectation, l lack) {
	t.Helper()
	r := e.Response
	if e.Case.Question != w.Question || e.Failure != "" {
		t.Errorf("question %q, want %q; failure %q", e.Case.Question, w.Question, e.Failure)
		return
	}
	at := func(what string) string { return fmt.Sprintf("%s: %s", w.Question, what) }
	same := func(what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", at(what), diff)
		}
	}
	same("answer", text.Squeeze(r.Answer), text.Squeeze(w.Answer))
	if r.Latency <= 0 {
		t.Errorf("%s: %v", at("latency"), r.Latency)
	}
	lists, _ := r.StagePassagesEach(assay.StageRetrieve)
	if l.passages {
		if len(lists) > 0 {
			t.Error(at("passages are recorded now: mend the table"))
		}
	} else {
		for _, list := range lists {
			for _, p := range list {
				if l.texts != (p.Text == "") {
					t.Errorf("%s: text %q of %s: mend the table", at("retrieved"), p.Text, p.ID)
				}
			}
		}
		same("retrieved", knownLists(lists, l), knownOf(w.Lists, l))
	}
	reranked, _ := r.StagePassagesEach(assay.StageFilter)
	same("reranked", knownLists(reranked, l), knownOf(w.Reranked, l))
	if w.Prompt != nil && !l.passages && !l.texts {
		given, ok := r.Given()
		ids := []string{}
		for _, p := range given {
			ids = append(ids, nameOf(p))
		}
		want := slices.Clone(w.Prompt)
		slices.Sort(ids)
		slices.Sort(want)
		if len(w.Lists) > 0 {
			same("passages in the prompt", ids, append([]string{}, want...))
		}
		if !ok && len(want) > 0 {
			t.Error(at("the passages in the prompt are not known"))
		}
	}
	var in, out int
	for _, c := range w.Calls {
		in, out = in+c.Input, out+c.Output
	}
	same("tokens", []int{r.Usage.InputTokens, r.Usage.OutputTokens}, []int{in, out})
	var tools []string
	for _, s := range r.Trace.Stages {
		if name, ok := strings.CutPrefix(s.Name, "tool "); ok {
			tools = append(tools, name)
			if len(s.Input) == 0 || len(s.Output) == 0 {
				t.Errorf("%s: input %s, output %s", at("tool "+name), s.Input, s.Output)
			}
		}
	}
	var wantTools []string
	for _, tool := range w.Tools {
		wantTools = append(wantTools, tool.Name)
	}
	same("tools", tools, wantTools)
	if len(w.SubQuestions) > 1 {
		subs, _ := r.SubQuestions()
		same("sub-questions", subs, w.SubQuestions)
	}
}

// nameOf is the id by which the corpus knows a passage, which frameworks keep in the metadata
// if they give ids of their own.
func nameOf(p assay.Passage) string {
	if p.Document != "" {
		return p.Document
	}
	return p.ID
}

func expectedOf(list []assay.Passage) []expectedFound {
	out := []expectedFound{}
	for _, p := range list {
		out = append(out, expectedFound{ID: nameOf(p), Text: p.Text, Source: p.Source, Title: p.Title, Score: &p.Score})
	}
	return out
}

func knownOf(lists [][]expectedFound, l lack) (out [][]expectedFound) {
	for _, list := range lists {
		out = append(out, known(list, l))
	}
	return out
}

func knownLists(lists [][]assay.Passage, l lack) (out [][]expectedFound) {
	for _, list := range lists {
		out = append(out, known(expectedOf(list), l))
	}
	return out
}

// known leaves out what an instrumentation lacks, and rounds scores, which some record as
// 32-bit numbers.
func known(list []expectedFound, l lack) []expectedFound {
	out := []expectedFound{}
	for _, f := range list {
		score := 0.0
		if f.Score != nil {
			score = math.Round(*f.Score*1e5) / 1e5
		}
		if l.texts {
			f.Text, f.Source, f.Title = "", "", ""
		}
		f.Score = &score
		out = append(out, f)
	}
	return out
}
