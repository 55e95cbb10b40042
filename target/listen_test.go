package target_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/internal/requiretest"
)

// heard shows a trace: its stages, with the ids of the passages that they put out, and the
// beginning of what a model or a tool put out.
func heard(r assay.Response) string {
	if r.Trace == nil {
		return ""
	}
	var out []string
	for _, s := range r.Trace.Stages {
		name := s.Name
		if s.SubQuestion > 0 {
			name += fmt.Sprint(" ", s.SubQuestion)
		}
		var ps []assay.Passage
		var text string
		if json.Unmarshal(s.Output, &ps) == nil {
			for _, p := range ps {
				name += " " + strings.TrimPrefix(strings.TrimPrefix(p.ID, "chunk-"), "node-")
			}
		} else if json.Unmarshal(s.Output, &text) == nil {
			name += fmt.Sprintf(" %q", text)
		}
		out = append(out, name)
	}
	return strings.Join(out, " | ")
}

const heardAnswer = `generate "Within 30 days."`

// heardCases are what the objects of testdata do, by the file; each is asked through the
// function by_name of its file.
var heardCases = map[string][]struct{ name, want string }{
	"langchain": {
		{"chain.invoke", "retrieve 0 1 | " + heardAnswer},
		// A retriever within another is part of it, also when it is not told so.
		{"nested.invoke", "retrieve 1 1 | retrieve 2 0 1 | " + heardAnswer},
		{"within.invoke", "retrieve 1 | " + heardAnswer},
		{"parallel.invoke", "retrieve 1 0 | retrieve 2 1 | " + heardAnswer},
		{"compressed.invoke", "retrieve 0 1 | filter 0 | " + heardAnswer},
		// Two steps from documents to documents are one filter.
		{"reranked.invoke", "retrieve 0 1 | filter 1 | " + heardAnswer},
		// A step that makes one list of those of several searches is one, also in a graph and in a stream.
		{"fused.invoke", "retrieve 1 0 1 | retrieve 2 1 0 | filter 1 0 | " + heardAnswer},
		{"fused_in_graph", "retrieve 1 0 1 | retrieve 2 1 0 | filter 1 0 | " + heardAnswer},
		{"streamed", "retrieve 0 1 | filter 1 | " + heardAnswer},
		{"streamed_asynchronously", "retrieve 0 1 | filter 1 | " + heardAnswer},
		{"rewriting.invoke", `model "Within 30 days." | retrieve 1 0 | ` + heardAnswer},
		{"awaited", "retrieve 0 1 | filter 0 | " + heardAnswer},
		{"inside", "retrieve 0 1 | filter 1 | " + heardAnswer},
		// What a chain found whose model failed is not what its fallback answered from.
		{"falls_back.invoke", "retrieve 0 1 | " + heardAnswer},
		// Of several calls after the search, the one whose reply is the answer generates.
		{"checked", `retrieve 0 1 | filter 0 | model "30" | ` + heardAnswer},
		// Without such a call the last one generates: a tool's call has no text.
		{"reworded", `retrieve 0 1 | generate "Thirty days."`},
		// A step that passes its documents on beside the answer is no filter, and one that keeps some of them generates too.
		{"retrieval_chain_input", "retrieve 0 1 | " + heardAnswer},
		{"passed_on", "retrieve 1 0 1 | retrieve 2 0 1 | " + heardAnswer},
		{"kept", "retrieve 1 0 1 | retrieve 2 0 1 | filter 0 | " + heardAnswer},
		{"cites", "retrieve 0 1 | " + heardAnswer},
		{"cites_numbers", "retrieve 0 1 | " + heardAnswer},
		{"pair", "retrieve 0 1"},
		{"found_nothing.invoke", "retrieve | " + heardAnswer},
		// What the reply says itself stands.
		{"own", "retrieve "},
		{"function", ""},
	},
	"llamaindex": {
		{"query_engine.query", "retrieve 0 1 | " + heardAnswer},
		{"filtered.query", "retrieve 0 1 | filter 1 | " + heardAnswer},
		{"awaited", "retrieve 0 1 | filter 1 | " + heardAnswer},
		{"inside", "retrieve 0 1 | filter 1 | " + heardAnswer},
		{"fusion.query", "retrieve 0 1 | " + heardAnswer},
		{"refined.query", "retrieve 0 1 | " + heardAnswer},
		// Each passage has its own call, which writes a part of the answer.
		{"accumulated.query", `retrieve 0 1 | generate "Response 1: Within 30 days.\n---------------------\nResponse 2: Within 30 days."`},
		{"sub_questions.query", "retrieve 0 1 | " + heardAnswer},
		{"streaming.query", "retrieve 0 1 | " + heardAnswer},
		{"async_streaming", "retrieve 0 1 | " + heardAnswer},
		{"stream_chat", "retrieve 0 1 | " + heardAnswer},
		{"function", "retrieve 0 1"},
	},
}

// heardAlone are the objects that are asked one question at a time: retrievers that wait for
// each other by events that are global, and a chat engine, which has one memory.
var heardAlone = []string{"parallel.invoke", "stream_chat"}

// With the packages of two generations: scripts/targets/python.sh.
func TestStagesHeard(t *testing.T) {
	testStagesHeard(t, "ASSAY_LANGCHAIN_PYTHON")
}

func TestStagesHeardOld(t *testing.T) {
	testStagesHeard(t, "ASSAY_LANGCHAIN_OLD_PYTHON")
}

func testStagesHeard(t *testing.T, variable string) {
	py := requiretest.Env(t, variable)
	t.Parallel()
	for file, cases := range heardCases {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			e := python(t, py, file+"/rag.py:by_name", nil)
			// All at once, each several times: none hears another.
			var all sync.WaitGroup
			for range 4 {
				for _, c := range cases {
					if slices.Contains(heardAlone, c.name) {
						continue
					}
					all.Go(func() {
						r, err := e.Ask(t.Context(), &assay.Case{ID: c.name, Question: c.name + "|" + chainQuestion})
						if got := heard(r); err != nil || got != c.want {
							t.Errorf("%s: %s, error %v\nwant %s", c.name, got, err, c.want)
						}
					})
				}
			}
			all.Wait()
			for _, c := range cases {
				if !slices.Contains(heardAlone, c.name) {
					continue
				}
				if r := execAsk(t, e, c.name+"|"+chainQuestion); heard(r) != c.want {
					t.Errorf("%s: %s\nwant %s", c.name, heard(r), c.want)
				}
			}
		})
	}
}

// What a model cites is not what was retrieved, where that was heard.
func TestCitationsAreNotRetrieved(t *testing.T) {
	py := requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON")
	t.Parallel()
	e := python(t, py, "langchain/rag.py:by_name", nil)
	for _, name := range []string{"cites", "cites_numbers"} {
		r := execAsk(t, e, name+"|"+chainQuestion)
		if len(r.Passages) != 2 || r.Passages[0].ID != "chunk-0" {
			t.Errorf("%s: passages %+v: want the two that were retrieved", name, r.Passages)
		}
	}
}

// The passages of several searches are the best of each first, as everywhere.
func TestSearchesHeardTakeTurns(t *testing.T) {
	py := requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON")
	t.Parallel()
	r := execAsk(t, python(t, py, "langchain/rag.py:by_name", nil), "twice.invoke|"+chainQuestion)
	var texts []string
	for _, p := range r.Passages {
		texts = append(texts, p.Text)
	}
	want := []string{chainPassages()[0].Text, "other 1", chainPassages()[1].Text, "other 2"}
	if !slices.Equal(texts, want) {
		t.Errorf("passages %q: want %q", texts, want)
	}
}

// What stood in the prompt, the model's tokens and the question of a search are told.
func TestStagesHeardInFull(t *testing.T) {
	py := requiretest.Env(t, "ASSAY_LANGCHAIN_PYTHON")
	t.Parallel()
	r := execAsk(t, python(t, py, "langchain/rag.py:by_name", nil), "rewriting.invoke|"+chainQuestion)
	if r.Usage != (assay.Usage{InputTokens: 12, OutputTokens: 5}) {
		t.Errorf("usage %+v: want that of the one call that tells it", r.Usage)
	}
	var query, prompt string
	for _, s := range r.Stages(assay.StageRetrieve) {
		if err := json.Unmarshal(s.Input, &query); err != nil || query != "Europe shipping days" || s.Latency <= 0 {
			t.Errorf("searched for %s in %v: want the question that was made", s.Input, s.Latency)
		}
	}
	made := r.Stages(assay.StageGenerate)
	if len(made) != 1 || made[0].Usage != (assay.Usage{InputTokens: 12, OutputTokens: 5}) {
		t.Fatalf("generate %+v: want one call with 12 and 5 tokens", made)
	}
	if err := json.Unmarshal(made[0].Input, &prompt); err != nil || !strings.Contains(prompt, chainPassages()[0].Text) {
		t.Errorf("prompt %s: want the text with its passages", made[0].Input)
	}
}
