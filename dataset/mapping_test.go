package dataset_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-eval/assay"
	"github.com/assay-eval/assay/dataset"
)

// JSON takes a mapping as tables do, and messages have the names of the file.
func TestJSONTakesMapping(t *testing.T) {
	t.Parallel()
	columns := map[string]string{"question": "Query", "ground_truth": "gold"}
	for name, content := range map[string]string{
		"x.jsonl": `{"Query": "a?", "gold": "g", "question": "other"}`, "x.json": "[\n" + `{"Query": "a?", "gold": "g"}]`, "x.yaml": "- Query: a?\n  gold: g\n",
	} {
		c := load(t, name, content, dataset.Options{Columns: columns}).Cases.At(0)
		diff(t, name, []any{c.Question, c.Want.Answers}, []any{"a?", []string{"g"}})
	}
	// A column may be a path.
	nested := map[string]string{"id": "custom_id", "question": "body.messages[role=user][0].content", "ground_truth": "gold[0].a", "expected_contexts": "docs[].id"}
	d := load(t, "x.jsonl", `{"custom_id": "c", "body": {"messages": [{"role": "system"}, {"role": "user", "content": "a?"}]}, "gold": [{"a": "g"}], `+
		`"docs": [{"id": "d1"}, {"id": "d2"}]}`, dataset.Options{Columns: nested})
	c := d.Cases.At(0)
	diff(t, "fields whose parts are read", len(warnings(d)), 0)
	diff(t, "paths", []any{c.ID, c.Question, c.Want.Answers, len(c.Want.Documents)}, []any{"c", "a?", []string{"g"}, 2})
	for _, c := range []struct{ content, field, column, want string }{
		{`{"body": {"q": "a?"}}`, "question", "body.x", `x.jsonl: map question=body.x: no record has this field`},
		{`{"custom_id": "c", "body": {"q": "a?"}}`, "tags", "t", "x.jsonl: requests or results of a provider's batch"},
		{`{"request": "a?", "response": "b"}`, "tags", "t", `x.jsonl: unknown format: JSON with fields "request", "response"`},
		{`{"Query": 5, "gold": "g"}`, "question", "Query", "x.jsonl:1: case 1: Query: number 5: expected a question"},
		{`{"Query": "a?", "gold": "g"}`, "question", "Qury", `x.jsonl: no field "Qury": did you mean "Query"?; use --map question= with one of "Query", "gold"`},
		{`{"question": "a?", "gold": "g"}`, "ground_truth", "glod", `x.jsonl: map ground_truth=glod: no record has this field: did you mean "gold"?: expected one of ` +
			`"question", "gold"`},
		{`{"question": "a?", "gold": "g"}`, "ground_trut", "gold", `x.jsonl: map ground_trut=gold: unknown field: did you mean "ground_truth"?: expected one of `},
	} {
		got := refuse(t, "x.jsonl", c.content, dataset.Options{Columns: map[string]string{c.field: c.column}})
		if len(got) == 0 || !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s: %q, want %q", c.column, got, c.want)
		}
	}
}

// Data frames of pandas are read in each orientation, and NaN is a missing value.
func TestDataFrames(t *testing.T) {
	t.Parallel()
	want := dataset.Hash(load(t, "x.jsonl", `{"user_input": "a?", "response": "r", "reference": "g"}`+"\n"+
		`{"user_input": "b \"NaN?", "response": "NaN", "reference": NaN}`, dataset.Options{}).Cases)
	for name, content := range map[string]string{
		"columns": `{"user_input": {"0": "a?", "1": "b \"NaN?"}, "response": {"0": "r", "1": "NaN"}, "reference": {"0": "g", "1": NaN}}`,
		"lists":   `{"user_input": ["a?", "b \"NaN?"], "response": ["r", "NaN"], "reference": ["g", null]}`,
		"index": "{\n" + `"0": {"user_input": "a?", "response": "r", "reference": "g"}, "1": {"user_input": "b \"NaN?", "response": "NaN", ` +
			`"reference": null}}`,
		"split": `{"columns": ["user_input", "response", "reference"], "index": [0, 1], "data": [["a?", "r", "g"], ["b \"NaN?", "NaN", NaN]]}`,
	} {
		d := load(t, "x.json", content, dataset.Options{})
		if d.Cases.Len() != 2 || len(d.Responses) != 2 || dataset.Hash(d.Cases) != want {
			t.Errorf("%s: %d cases, %d responses", name, d.Cases.Len(), len(d.Responses))
		}
	}
	refuse(t, "x.json", `{"user_input": {"0": "a?", "1": "b?"}, "response": {"0": "r"}}`, dataset.Options{})
}

func TestDialects(t *testing.T) {
	t.Parallel()
	const checked = `{"results": [{"query_id": "7", "query": "a?", "gt_answer": "g", "response": "r", "retrieved_context": [{"doc_id": "d", "text": "t"}]}]}`
	output := strings.TrimSuffix(checked, "}") + `, "metrics": {"overall_metrics": {"precision": 50.0}}}`
	for _, content := range []string{checked, strings.ReplaceAll(checked, "{", "{\n"), output} {
		d := load(t, "x.json", content, dataset.Options{})
		c := d.Cases.At(0)
		diff(t, "RAGChecker", []any{c.ID, c.Question, c.Want.Answers}, []any{"7", "a?", []string{"g"}})
		diff(t, "RAGChecker", d.Responses["7"], assay.Response{Answer: "r", Passages: []assay.Passage{{Document: "d", Text: "t"}}})
	}
	d := load(t, "x.json", `{"id": 0, "query": "a?", "answer": [["Jan 2", "2 Jan"]], "positive": ["a text of some length"], "negative": ["n"]}
{"id": 1, "query": "b?", "answer": ["x", "y"], "positive": [["a text of some length"], ["another one of them"]], "negative": ["n"]}`, dataset.Options{})
	one, two := d.Cases.At(0).Want, d.Cases.At(1).Want
	diff(t, "RGB", []any{one.Keywords, one.Answers, two.Keywords, len(two.Answers), len(two.Passages)},
		[]any{[]string{"Jan 2|2 Jan"}, []string{"Jan 2", "2 Jan"}, []string{"x", "y"}, 0, 2})
}

// RGB's en_fact.json has one answer as a text, and a number may be the reference.
func TestAnswersThatAreNoList(t *testing.T) {
	t.Parallel()
	d := load(t, "x.json", `{"id": 0, "query": "a?", "answer": "Jan 2", "positive": ["a text of some length"], "negative": ["n"]}`, dataset.Options{})
	diff(t, "RGB", []any{d.Cases.At(0).Want.Keywords, d.Cases.At(0).Want.Answers}, []any{[]string{"Jan 2"}, []string{"Jan 2"}})
	for name, content := range map[string]string{"x.jsonl": `{"question": "a?", "ground_truth": 4.5}`, "x.yaml": "- question: a?\n  ground_truth: 4.5\n"} {
		diff(t, name, load(t, name, content, dataset.Options{}).Cases.At(0).Want.Answers, []string{"4.5"})
	}
}

// A question, an answer and a file are read as labels from JSON, as they are from CSV.
func TestLabelsBesideAFile(t *testing.T) {
	t.Parallel()
	const csv = "question,answer,file\na?,24,leave.md\nb?,IT,it.md;desk.md\nc?,x,\n"
	const lines = `{"question": "a?", "answer": "24", "file": "leave.md"}` + "\n" + `{"question": "b?", "answer": "IT", "file": ["it.md", "desk.md"]}` +
		"\n" + `{"question": "c?", "answer": "x", "file": ""}` + "\n"
	want := load(t, "x.csv", csv, dataset.Options{})
	for name, content := range map[string]string{
		"x.jsonl": lines, "x.json": "[" + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",") + "]",
	} {
		got := load(t, name, content, dataset.Options{})
		diff(t, name, noOrigin(got.Cases.List()), noOrigin(want.Cases.List()))
		diff(t, name, len(got.Responses), 0)
		for _, says := range []string{"answer: read as ground_truth; --map", "file: read as expected_contexts; --map"} {
			if !strings.Contains(strings.Join(warnings(got), "\n"), says) {
				t.Errorf("%s: warnings %q lack %q", name, warnings(got), says)
			}
		}
	}
	// What a system returned stays a response, also where the format is named.
	for content, o := range map[string]dataset.Options{
		`{"question": "a?", "answer": "24"}`: {}, `{"question": "a?", "answer": "24", "file": "x.md"}`: {Format: "ragas"},
		`{"question": "a?", "answer": "24", "source": "x", "contexts": ["t"]}`: {}, `{"question": "a?", "answer": "24", "file": "x.md", "ground_truth": "24"}`: {},
	} {
		if d := load(t, "x.jsonl", content, o); len(d.Responses) != 1 {
			t.Errorf("%s: no response", content)
		}
	}
	// An answer alone may be either: a warning names the other, which works.
	const alone = `{"question": "a?", "answer": "24"}`
	says := []string{"x.jsonl:1: answer: read as what the system answered; --map ground_truth=answer reads it as the reference"}
	diff(t, "alone", warnings(load(t, "x.jsonl", alone, dataset.Options{}))[:1], says)
	diff(t, "mapped", load(t, "x.jsonl", alone, dataset.Options{Columns: map[string]string{"ground_truth": "answer"}}).Cases.At(0).Want.Answers, []string{"24"})
}

// What Langfuse and LangSmith record of a function or of a model is read.
func TestRecordedInputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ input, output, question, answer string }{
		{`{"args": [], "kwargs": {"question": "a?"}}`, `{"role": "assistant", "content": "g"}`, "a?", "g"},
		{`{"args": ["a?"], "kwargs": {}}`, `{"role": "assistant", "content": [{"type": "text", "text": "g"}, {"type": "text", "text": "h"}]}`, "a?", "gh"},
		{`{"messages": [[{"lc": 1, "type": "constructor", "id": ["langchain", "HumanMessage"], "kwargs": {"content": "a?"}}]]}`,
			`{"generations": [[{"text": "g", "message": {"lc": 1, "id": ["AIMessage"], "kwargs": {"content": "g"}}}]]}`, "a?", "g"},
		{`{"messages": [{"type": "human", "data": {"content": "a?"}}]}`, `{"messages": [{"type": "ai", "content": "g"}]}`, "a?", "g"},
	} {
		d := load(t, "x.jsonl", `{"datasetId": "d", "input": `+c.input+`, "expectedOutput": `+c.output+`}`, dataset.Options{})
		diff(t, c.input, []any{d.Cases.At(0).Question, d.Cases.At(0).Want.Answers}, []any{c.question, []string{c.answer}})
	}
}

// Invalid rows are left out on demand, with their responses, and counted.
func TestSkipInvalid(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"x.jsonl": `{"id": "a", "question": "a?", "answer": "r", "contexts": []}
{"id": "b", "question": 5, "answer": "r", "contexts": []}
{"id": "c", "question": "c?", "answer": "r
7
{"id": "d", "question": "d?", "answer": "r", "contexts": []}`,
		"x.csv": "id,question,contexts,answer\na,a?,[],r\nb,,[],r\nc,c?,[\nd,d?,[],r\n",
		"y.csv": "id,question,critical\na,a?,true\nb,b?,perhaps\nd,d?,false\n",
	} {
		d := load(t, name, content, dataset.Options{SkipInvalid: true})
		var ids []string
		for _, c := range d.Cases.All() {
			ids = append(ids, c.ID)
		}
		diff(t, name, ids, []string{"a", "d"})
		if _, kept := d.Responses["b"]; kept {
			t.Errorf("%s: the response of a skipped row is kept", name)
		}
		all := strings.Join(warnings(d), "\n")
		if !strings.Contains(all, "rows are invalid and were skipped") || !strings.Contains(all, ":3: ") {
			t.Errorf("%s: %s", name, all)
		}
		refuse(t, name, content, dataset.Options{})
	}
	// Nothing but invalid rows, and a file that breaks off, are errors all the same.
	refuse(t, "x.jsonl", `{"question": 5}`, dataset.Options{SkipInvalid: true})
	refuse(t, "x.json", `[{"question": "a?"}, {"question": `, dataset.Options{SkipInvalid: true})
}

// Rows without an id have the ids, and the responses, that they have where no row is invalid.
func TestSkipInvalidKeepsIDs(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][]string{ // the second is invalid
		"assay.jsonl": {`{"question": "a?", "answers": ["r"]}`, `{"question": "", "answers": ["r"]}`, `{"question": "c?"}`, `{"question": "a?"}`},
		"contexts.jsonl": {`{"question": "a?", "answer": "r", "contexts": ["p"]}`, `{"question": 5, "answer": "s", "contexts": []}`,
			`{"question": "c?", "answer": "t", "contexts": []}`, `{"question": "a?", "answer": "u", "contexts": []}`},
		"gold.jsonl": {`{"question": "a?", "expected_sources": ["d"]}`, `{"question": ""}`, `{"question": "c?", "expected_sources": ["d"]}`},
		"ragas.jsonl": {`{"user_input": "a?", "response": "r", "reference": "x"}`, `{"user_input": "", "response": "s"}`,
			`{"user_input": "c?", "response": "t", "reference": "x"}`},
		"deepeval.jsonl": {`{"input": "a?", "actual_output": "r"}`, `{"input": "", "actual_output": "s"}`, `{"input": "c?", "actual_output": "t"}`},
		"x.csv":          {"question,answer\na?,r", ",s", "c?,t", "a?,u"},
		"x.tsv":          {"question\tanswer\na?\tr", "\ts", "c?\tt"},
	} {
		skipped := load(t, name, strings.Join(rows, "\n"), dataset.Options{SkipInvalid: true})
		without := load(t, name, strings.Join(slices.Delete(slices.Clone(rows), 1, 2), "\n"), dataset.Options{})
		if diff(t, name, skipped.Info.Hash, without.Info.Hash); len(skipped.Responses) != len(without.Responses) {
			t.Errorf("%s: %d responses, want %d", name, len(skipped.Responses), len(without.Responses))
		}
		for i, c := range skipped.Cases.All() {
			diff(t, name, []any{c.ID, skipped.Responses[c.ID].Answer}, []any{without.Cases.At(i).ID, without.Responses[c.ID].Answer})
		}
	}
}

// A dataset whose judgments are all skipped says why it has no cases.
func TestNoCasesSaysWhy(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(put(t, "corpus.jsonl", `{"_id": "d1", "text": "t"}`))
	for name, content := range map[string]string{
		"queries.jsonl": `{"_id": "q1", "text": "what?"}`, "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\tdX\t1\nq9\td1\t1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := dataset.Load(t.Context(), dir, dataset.Options{Name: "set"})
	for _, want := range []string{
		"set: no cases; set/qrels/test.tsv:2: corpus-id: judgments of documents that the corpus lacks are skipped", "(judgments: 1)",
		"judgments of queries that the dataset lacks are skipped",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

func TestATextIsNoNameOfADocument(t *testing.T) {
	t.Parallel()
	passage := strings.TrimSpace(strings.Repeat("the capital of France is Paris ", 5))
	for name, content := range map[string]string{
		"x.csv":   "question,answer,document\nWhere?,Paris," + passage + "\n",
		"x.jsonl": `{"question":"Where?","answer":"Paris","document":"` + passage + `"}`,
		"y.jsonl": `{"question":"Where?","expected_contexts":["` + passage + `"]}`,
	} {
		_, err := dataset.Load(t.Context(), put(t, name, content), dataset.Options{})
		if err == nil || !strings.Contains(err.Error(), "a text of 30 words: expected a document id; texts belong in reference_contexts") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
