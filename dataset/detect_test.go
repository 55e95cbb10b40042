package dataset

import (
	"os"
	"path/filepath"
	"testing"
)

// One format has the highest claim, so that the order of the table means
// nothing.
func TestDetection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{`{"metadata": {}, "test_cases": [{"question": "a", "answer": "b"}]}`, "assay"},
		{`{"metadata": {}}` + "\n" + `{"id": "1", "question": "a"}`, "assay"},
		{`[{"id": "1", "question": "a", "ground_truth": "b"}]`, "assay"},
		{`[{"question": "a", "answer": "b", "expected_contexts": ["c"]}]`, "assay"},
		{`{"id": "1", "question": "a", "expected_keywords": ["b"]}`, "assay"},
		{"{\n \"question\": \"a\"}", "assay"},
		{"metadata:\n  name: a\ntest_cases: []\n", "assay"},
		{"# a comment\n---\ntest_cases:\n- question: a\n", "assay"},
		{"- question: a, b\n  ground_truth: c\n", "assay"},
		{`[{"question": "a", "ground_truth_contexts": ["b"], "expected_answer": "c"}]`, "contexts"},
		{`{"question": "a", "ground_truth_contexts": ["b"], "answer": "c"}`, "contexts"},
		{`{"id": "a", "question": "b", "expected_sources": ["c"]}`, "gold"},
		{`{"question": "b", "expected_answer_contains": ["c"], "answer": "x"}`, "gold"},
		{`{"user_input": "a", "reference": "b"}`, "ragas"},
		{`{"question": "a", "contexts": [], "answer": "b", "ground_truth": "c"}`, "ragas"},
		{`[{"question": "a", "ground_truths": ["c"]}]`, "ragas"},
		{"user_input,response\na,b\n", "ragas"},
		{`{"user_input": "a", "reference_contexts": ["b"], "reference": "c", "synthesizer_name": "d"}`, "ragas"},
		{`[{"id": "1", "title": "t", "context": "c", "question": "a", "answers": {"text": ["b"]}}]`, "squad"},
		{`{"question": "a", "answers": ["b"]}`, "squad"},
		{`{"question": "a", "answers": ["b"], "ground_truth": "c"}`, "assay"},
		{`[{"input": "a", "actual_output": null, "expected_output": "b", "context": ["c"], "source_file": null}]`, "deepeval"},
		{"input,actual_output,expected_output,context\na,b,c,d\n", "deepeval"},
		{`{"testRunData": {"testCases": []}}`, "deepeval"},
		{`{"testFile": null, "testCases": [], "conversationalTestCases": []}`, "deepeval"},
		{`[{"scenario": "a", "turns": []}]`, "deepeval"},
		{`{"evalId": "e", "results": {"version": 3, "results": []}, "config": {}}`, "promptfoo-results"},
		{`{"promptIdx": 0, "testIdx": 0, "testCase": {"vars": {}}, "vars": {"question": "a"}, "description": "b"}`, "promptfoo-results"},
		{`{"id": "1", "inputs": {"question": "a"}, "outputs": {}, "dataset_id": "d"}`, "langsmith"},
		{"inputs.question,outputs.answer\na,b\n", "langsmith"},
		{`{"id": "1", "input": "a", "expectedOutput": "b", "datasetId": "d"}`, "langfuse"},
		{`{"id": "1", "input": "a", "expected_output": "b", "dataset_name": "d", "source_trace_id": null}`, "langfuse"},
		{`{"data": [{"input": "a"}], "meta": {"page": 1}}`, "langfuse"},
		{"id,input,expectedOutput\n1,a,b\n", "langfuse"},
		{`{"columns": ["inputs"], "data": [["a"]]}`, "mlflow"},
		{`{"inputs": {"question": "a"}, "expectations": {"expected_response": "b"}}`, "mlflow"},
		{"inputs,ground_truth,exact_match/v1/score\na,b,1\n", "mlflow"},
		// The outputs of one tool are references, those of the other are responses.
		{`{"inputs": {"question": "a"}, "outputs": {"answer": "b"}}`, ""},
		{"inputs,outputs\na,b\n", ""},
		{`[{"app_id": "a", "record_id": "r", "input": "a", "output": "b"}]`, "trulens"},
		{"app_name,record_id,input,output\na,r,q,b\n", "trulens"},
		{"question\tcontexts\tanswer\na\tb\tc\n", "ragas"},
		{"# yaml-language-server: x\ndescription: a\nprompts:\n  - '{{question}}'\ntests:\n  - vars:\n", "promptfoo"},
		{"tests: file://tests.yaml\n", "promptfoo"},
		{"- description: a\n  vars:\n    question: b\n", "promptfoo"},
		{"- assert:\n    - type: equals\n      value: a\n\n- vars:\n    question: b\n", "promptfoo"},
		{`[{"vars": {"question": "a"}, "assert": []}]`, "promptfoo"},
		{`{"vars": {"question": "a"}}` + "\n" + `{"vars": {"question": "b"}}`, "promptfoo"},
		{`{"tests": [{"vars": {"question": "a"}}]}`, "promptfoo"},
		{"\"test_cases\":\n- question: a\n", "assay"},
		{"%YAML 1.2\n---\n- tags: [a]\n  question: b\n", "assay"},
		{"question\nwhy: because\n", "csv"},
		{"- a list\n- of texts\n", ""},
		{"<top>\n<num> 1\n", "trec"},
		{"\n <TOP><num> 1\n", "trec"},
		{"1\twhat is it, then\n", "trec"},
		{"id,question,tags\n", "csv"},
		{"\"Question\"\nwhy\n", "csv"},
		{"Question;Tags\n", "csv"},
		{"id\tquestion\n", "tsv"},
		{`{"foo": 1}`, ""},
		{"just some text", ""},
		{"<html><body>", ""},
		{"q\td\t1\n", ""},
		{`[]`, ""},
		{`"text"`, ""},
	} {
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		src, err := open(path, "x", Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := newExcerpt(src, Options{}, false).choose()
		src.close()
		if (err == nil) != (c.want != "") || err == nil && f.Name != c.want {
			t.Errorf("%s\nis detected as %+v, %v, want %q", c.content, f, err, c.want)
		}
	}
}

// A record that is cut by the end of what is looked at is known by the names
// before it.
func TestKeysOfACutRecord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		head   string
		keys   int
		broken bool
	}{
		{`{"a": 1, "b": "cut he`, 2, false},
		{`[{"a": [1, 2], "b": {"c": 1}, "d"`, 3, false},
		{`[`, 0, false},
		{`{`, 0, false},
		{`{]`, 0, true},
		{`{"a": 1, ]`, 1, false},
		{`[[1]]`, 0, false},
		{`{}`, 0, false},
	} {
		keys, broken := keysOf([]byte(c.head))
		if len(keys) != c.keys || broken != c.broken {
			t.Errorf("%s: keys %q, broken %v, want %d and %v", c.head, keys, broken, c.keys, c.broken)
		}
	}
}

func TestParsePython(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
		err  string
	}{
		{in: `[]`, want: []string{}},
		{in: ` [ 'a' , "b" , ] `, want: []string{"a", "b"}},
		{
			in:   `['it\'s', "say \"x\"", 'a\\b', 'a\tb\n', '\x41\u00e9\U0001F600', '\d']`,
			want: []string{"it's", `say "x"`, `a\b`, "a\tb\n", "Aé😀", `\d`},
		},
		{in: "['a'\n 'b']", want: []string{"a", "b"}},
		{in: `array(['a', 'b'], dtype=object)`, want: []string{"a", "b"}},
		{in: `['日本', '語']`, want: []string{"日本", "語"}},
		{in: `['a', None]`, err: `list entry "None": expected a text in quotes`},
		{in: `[nan]`, err: `list entry "nan": expected a text in quotes`},
		{in: `['a' ... 'b']`, err: "the list was truncated when printed: expected the whole list"},
		{in: `['a', 'b`, err: `the text that begins with "'b" has no closing quote`},
		{in: `['a'`, err: "the list has no closing bracket"},
		{in: `['a'] b`, err: `"b" after the end of the list`},
		{in: `["it\'s", '\u12', '\xzz', '\U00110000']`, want: []string{"it's", `\u12`, `\xzz`, `\U00110000`}},
		{in: `['a\`, err: `the text that begins with "'a\\" has no closing quote`},
		{in: `'a'`, err: `expected a list, as in ["a", "b"]`},
	} {
		got, err := parsePython(c.in)
		if (err == nil) != (c.err == "") || err == nil && len(got) != len(c.want) {
			t.Errorf("%s: %q, %v, want %q, %s", c.in, got, err, c.want, c.err)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s: entry %d is %q, want %q", c.in, i, got[i], c.want[i])
			}
		}
		if err != nil && err.Error() != c.err && c.in != `['\u12']` {
			t.Errorf("%s: error %v, want %s", c.in, err, c.err)
		}
	}
}
