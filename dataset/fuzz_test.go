package dataset_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-eval/assay/dataset"
)

// fuzz loads what the fuzzer makes in one format, and checks what must hold of
// whatever is loaded.
func fuzz(f *testing.F, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	qrels := filepath.Join(dir, "qrels")
	if err := os.WriteFile(qrels, []byte("301 0 D1 1\n1 0 D1 1\n"), 0o644); err != nil {
		f.Fatal(err)
	}
	// Every process of the fuzzer has a folder of its own, and one run at a time.
	path := filepath.Join(dir, "x")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, path, dataset.Options{Format: format, Name: "x", Qrels: qrels})
	})
}

func check(t *testing.T, path string, o dataset.Options) {
	d, err := dataset.Load(context.Background(), path, o)
	if err != nil {
		var list dataset.Errors
		if errors.As(err, &list) && len(list) == 0 {
			t.Fatal("an error without a problem")
		}
		if strings.TrimSpace(err.Error()) == "" {
			t.Fatal("an error without a message")
		}
		return
	}
	if d.Cases.Len() == 0 || d.Info.Cases != d.Cases.Len() {
		t.Fatalf("%d cases, counted as %d", d.Cases.Len(), d.Info.Cases)
	}
	seen := map[string]bool{}
	for _, c := range d.Cases.All() {
		if strings.TrimSpace(c.ID) == "" || strings.TrimSpace(c.Question) == "" || seen[c.ID] {
			t.Fatalf("case %+v: want a unique id and a question", c)
		}
		seen[c.ID] = true
		for _, list := range [][]string{c.Want.Answers, c.Want.Passages, c.Want.Keywords, c.Want.SubQuestions, c.Tags} {
			for _, s := range list {
				if strings.TrimSpace(s) == "" {
					t.Fatalf("case %+v: an empty entry", c)
				}
			}
		}
	}
	for id := range d.Responses {
		if !seen[id] {
			t.Fatalf("a response of %q, which is no case", id)
		}
	}
	if d.Info.Format != "assay" {
		return
	}
	// What was read can be written and read again.
	var b bytes.Buffer
	if _, err := dataset.Write(&b, d, "assay"); err != nil {
		t.Fatal(err)
	}
	copied := path + ".copy"
	if err := os.WriteFile(copied, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := dataset.Load(context.Background(), copied, dataset.Options{Format: "assay"})
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	if d := cmp.Diff(noOrigin(d.Cases.List()), noOrigin(again.Cases.List())); d != "" {
		t.Fatalf("(-read +read again):\n%s", d)
	}
}

func FuzzDetect(f *testing.F) {
	fuzz(f, "", support, topics, "question,tags\na,b\n", "test_cases:\n- question: a\n", `{"user_input": "a"}`,
		"\xff\xfe[\x00", "PK\x03\x04", "\x1f\x8b\x08")
}

func FuzzNative(f *testing.F) {
	fuzz(f, "assay", support, "["+support+"]", `{"metadata": {}}`+"\n"+`{"question": "a"}`, `[{"question": "a", "metadata": {"x": 1e999}}]`)
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "assay", "test_cases:\n  - question: a\n    tags: [b, 'c']\n", "- &a {question: x}\n- *a\n",
		"- question: |\n    a\n  id: !!str 5\n", "? a\n: b\n", "- question: 0x1f\n  metadata: {a: 1e9, b: .5, c: 012}\n")
}

func FuzzContexts(f *testing.F) {
	fuzz(f, "contexts", `[{"question": "a", "ground_truth_contexts": ["This is a passage of twenty."], "expected_answer": "x"}]`)
}

func FuzzGold(f *testing.F) {
	fuzz(f, "gold", `{"id": 1, "question": "a", "expected_sources": ["f"], "expected_answer_contains": ["a|b"]}`)
}

func FuzzRagas(f *testing.F) {
	fuzz(f, "ragas", `{"user_input": "a", "retrieved_contexts": ["b"], "response": "c", "references": ["d"], "retrieved_context_ids": [1]}`,
		"question,contexts,answer\na,\"['x', \"\"y\"\"]\",b\n")
}

func FuzzPromptfoo(f *testing.F) {
	fuzz(f, "promptfoo", promptfooTests, `[{"vars": {"input": ["a", "b"]}, "assert": [{"type": "contains-any", "value": ["{{input}}", 1]}]}]`,
		`{"vars": {"query": 5}, "providerOutput": "x"}`+"\n"+`{"vars": {"query": "{{query}}"}}`)
}

func FuzzDeepEval(f *testing.F) {
	fuzz(f, "deepeval", `[{"input": "a", "actual_output": "b", "context": ["c"], "retrieval_context": [], "tags": ["t"], "completion_time": 1.5}]`,
		"input,actual_output,retrieval_context\na,b,c|d\n",
		`{"testCases": [{"input": "a", "actualOutput": "b", "metricsData": [{"name": "x", "score": 1}]}], "testRunData": null}`)
}

func FuzzPromptfooResults(f *testing.F) {
	fuzz(f, "promptfoo-results", `{"evalId": "e", "results": {"results": [{"promptIdx": 0, "testIdx": 0, "vars": {"question": "a"},
"testCase": {"assert": [{"type": "equals", "value": "b"}]}, "response": {"output": {"x": 1}}, "latencyMs": 5}]}, "config": {}}`,
		`{"testIdx": 0, "testCase": {"vars": {"question": "a"}}, "promptIdx": 0, "response": {"output": "b", "cached": true}}`)
}

func FuzzLangSmith(f *testing.F) {
	fuzz(f, "langsmith", `{"inputs": {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}, "outputs": {"a": "b", "c": 1}}`,
		"inputs.question,outputs.answer,metadata\na,b,\"{\"\"x\"\": 1}\"\n")
}

func FuzzLangfuse(f *testing.F) {
	fuzz(f, "langfuse", `{"id": "1", "input": [{"role": "user", "content": "a"}], "expectedOutput": {"answer": "b"}, "status": "ACTIVE"}`,
		`{"data": [{"input": {"input": {"input": "x"}}}], "meta": {}}`, "input,expectedOutput\na,\"[1]\"\n")
}

func FuzzMLflow(f *testing.F) {
	fuzz(f, "mlflow", `{"columns": ["inputs", "outputs", "context"], "data": [["a", "b", ["c"]]]}`,
		`{"inputs": {"q": "a"}, "expectations": {"expected_response": "b", "expected_retrieved_context": [{"content": "c", "doc_uri": "d"}]}}`,
		"inputs,predictions,a/score\na,b,1\n")
}

func FuzzTruLens(f *testing.F) {
	fuzz(f, "trulens", `{"record_id": "r", "app_id": "a", "input": "\"q\"", "output": "b", "tags": "x,y", "latency": 1, "L_calls": [1]}`,
		"record_id,app_id,input,output,total_cost\nr,a,q,b,0.5\n", `{"event_id": "e", "record_attributes": {"ai.observability.span_type": `+
			`"record_root", "ai.observability.record_id": "r", "ai.observability.record_root.input": "q"}, "timestamp": 1}`)
}

func FuzzCSV(f *testing.F) {
	fuzz(f, "csv", "id,question,tags,critical,expected_contexts\n1,a,b;c,yes,\"[{\"\"id\"\": 1, \"\"grade\"\": 2}]\"\n", "question;x\na;b\n")
}

func FuzzTREC(f *testing.F) {
	fuzz(f, "trec", topics, "1\ta\n", "<top><num>1<title>a<top>")
}

func FuzzBEIR(f *testing.F) {
	files := small()
	f.Add([]byte(files["corpus.jsonl"]), []byte(files["queries.jsonl"]), []byte(files["qrels/test.tsv"]))
	f.Fuzz(func(t *testing.T, corpus, queries, qrels []byte) {
		dir := directory(t, map[string]string{"corpus.jsonl": string(corpus), "queries.jsonl": string(queries), "qrels/test.tsv": string(qrels)})
		check(t, dir, dataset.Options{Name: "small"})
		d, err := dataset.Load(context.Background(), dir, dataset.Options{})
		if err != nil {
			return
		}
		if _, err := d.Documents(context.Background()); err != nil {
			t.Fatalf("the corpus was checked, and is wrong now: %v", err)
		}
	})
}

func FuzzZip(f *testing.F) {
	f.Add(archive(f, "small/", small()))
	f.Add(archiveStored(f, small()))
	path := filepath.Join(f.TempDir(), "x.zip")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		check(t, path, dataset.Options{Name: "x.zip"})
	})
}
